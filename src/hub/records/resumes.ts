// The right to resume a run that was parked for an ask: one record per ask, written by compare-and-set.
//
//   free ----claim----> held (holder, until) --done-----> resumed, for good
//                                            --release--> free
//                                            --until passes--> free for the next claim

import { LIMITS } from "../../core/kit/limits.js";
import type { Ask } from "../../core/model/ask.js";
import { AsklineError } from "../../core/model/error.js";
import type { ResumeLease, ResumeOptions } from "../../core/model/ports.js";
import { LEASE_MS } from "../../core/model/resume.js";
import { isName } from "../../core/read/stored.js";
import type { Store, StoredRecord } from "../seam/store.js";

export const RESUME_NAMESPACE = "resume";

interface Resume {
  readonly holder: string;
  /** When the lease expires; null once the run was resumed. */
  readonly until: number | null;
}

export interface Resumes {
  claim(ask: Ask, options: ResumeOptions): Promise<ResumeLease | undefined>;
  /** Without a holder, for the process that has the lease. */
  finish(ask: Ask, holder?: string): Promise<boolean>;
}

export function createResumes(store: Pick<Store, "records" | "now">, newHolder: () => string): Resumes {
  const read = async (key: string): Promise<[Resume | undefined, StoredRecord | undefined]> => {
    const record = await store.records.get(RESUME_NAMESPACE, key);
    return [record?.value as unknown as Resume | undefined, record];
  };
  /** Replaces the record if `may` allows it. Returns whether it did. */
  const change = async (
    key: string,
    next: Partial<Resume> & Pick<Resume, "until">,
    may: (current: Resume | undefined) => boolean,
  ): Promise<boolean> => {
    for (;;) {
      const [current, record] = await read(key);
      if (!may(current)) return false;
      const value = { holder: next.holder ?? current?.holder ?? "", until: next.until };
      const put = await store.records.put(RESUME_NAMESPACE, key, value, { expect: record?.version ?? null });
      if (put.ok) return true;
    }
  };

  const finish = (key: string, holder?: string): Promise<boolean> => {
    const next = { until: null, ...(holder !== undefined && { holder }) };
    return change(key, next, (current) => (current?.holder ?? holder) === (holder ?? current?.holder));
  };

  const claim = async (key: string, holder: string, leaseMs: number): Promise<ResumeLease | undefined> => {
    const until = store.now() + leaseMs;
    const may = (current: Resume | undefined): boolean => {
      if (current === undefined) return true;
      return current.until !== null && (current.holder === holder || current.until <= store.now());
    };
    if (!(await change(key, { holder, until }, may))) return undefined;
    return {
      holder,
      expiresAt: until,
      renew: (ms = leaseMs) => claim(key, holder, requireLease(ms)),
      done: () => finish(key, holder),
      async release() {
        const [current, record] = await read(key);
        if (record === undefined || current?.holder !== holder || current.until === null) return;
        await store.records.delete(RESUME_NAMESPACE, key, { expect: record.version });
      },
    };
  };

  return {
    async claim(ask, { holder = newHolder(), leaseMs = LEASE_MS.usual }) {
      if (!isName(holder, LIMITS.idLength)) {
        throw new AsklineError("invalid_request", `holder must have 1 to ${LIMITS.idLength} characters`);
      }
      requireLease(leaseMs);
      return ask.outcome === undefined ? undefined : claim(keyOf(ask), holder, leaseMs);
    },
    async finish(ask, holder) {
      if (ask.outcome !== undefined) return finish(keyOf(ask), holder);
      throw new AsklineError(
        "invalid_request",
        `${ask.id} is pending; its run is resumed when the ask has ended`,
      );
    },
  };
}

function keyOf({ id }: Ask): string {
  return `${id}/run`;
}

function requireLease(leaseMs: number): number {
  if (Number.isInteger(leaseMs) && leaseMs >= LEASE_MS.min && leaseMs <= LEASE_MS.max) return leaseMs;
  throw new AsklineError(
    "invalid_request",
    `leaseMs must be a whole number from ${LEASE_MS.min} to ${LEASE_MS.max}`,
  );
}
