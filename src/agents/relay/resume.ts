// Runs that were parked for asks, and go on once: however many processes try, one has the lease.
//
//   ended --claim--> held, and renewed --the run goes on--> resumed, for good
//                                      --the run fails----> given back: another process, or this one, tries again
//                                      --killed-----------> free when the lease expires

import { systemClock } from "../../core/kit/clock.js";
import { holdLease } from "../../core/kit/tools.js";
import { AsklineError } from "../../core/model/error.js";
import type { ResumeLease, ResumeOptions } from "../../core/model/ports.js";

export interface ResumePort {
  claimResume(id: string, options?: ResumeOptions): Promise<ResumeLease | undefined>;
}

const LEASE_MS = 60_000;

/**
 * Continues the run that waited for these asks. The lease of the first stands for all, so that the run has one. Undefined
 * if another process continues it, or has done so.
 */
export async function resumeOnce<Result>(
  port: ResumePort,
  asks: readonly { readonly id: string }[],
  run: () => Promise<Result>,
  leaseMs: number = LEASE_MS,
): Promise<{ readonly result: Result } | undefined> {
  const [first, ...others] = asks.map(({ id }) => id).sort();
  if (first === undefined) return { result: await run() };
  const lease = await port.claimResume(first, { leaseMs });
  if (lease === undefined) return undefined;
  // A renewal that fails is tried again: the lease lasts longer than an outage of a moment.
  const stop = holdLease(systemClock, leaseMs / 3, () => lease.renew(leaseMs).catch(() => undefined));
  try {
    for (const id of others) await markResumed(port, id);
    const result = await run().catch(async (error: unknown) => {
      await lease.release();
      throw error;
    });
    // It ran: if this is not stored, the lease still keeps others away for a while.
    await lease.done();
    return { result };
  } finally {
    stop();
  }
}

/** {@link resumeOnce} for a caller that cannot go on without the run. */
export async function requireResume<Result>(
  port: ResumePort,
  asks: readonly { readonly id: string }[],
  run: () => Promise<Result>,
): Promise<Result> {
  const resumed = await resumeOnce(port, asks, run);
  if (resumed !== undefined) return resumed.result;
  const message = `the run that waited for ${asks[0]?.id} was already resumed, or another process resumes it now`;
  throw new AsklineError("already_settled", message);
}

/**
 * Whether a run goes on by itself, and no other: it has the lease until it shows that it went on, or until the time is
 * over. The same holder has it again, as after a lost response.
 */
export async function mayResume(
  port: ResumePort,
  id: string,
  holder: string,
  leaseMs: number,
): Promise<boolean> {
  return (await port.claimResume(id, { holder, leaseMs })) !== undefined;
}

/** For a run that has gone on by itself: nobody resumes it. */
export async function markResumed(port: ResumePort, id: string): Promise<void> {
  await (await port.claimResume(id))?.done();
}

export async function wasResumed(port: ResumePort, id: string): Promise<boolean> {
  const lease = await port.claimResume(id);
  await lease?.release();
  return lease === undefined;
}
