import type { Ask } from "../model/ask.js";
import { AsklineError } from "../model/error.js";
import type { Outcome } from "../model/outcome.js";

/** Waits for `promise`, but rejects as soon as the signal aborts, whatever the promise does. */
export async function untilAborted<T>(signal: AbortSignal | undefined, promise: Promise<T>): Promise<T> {
  if (signal === undefined) return promise;
  // The promise may still reject later; nobody listens then.
  promise.catch(() => undefined);
  if (signal.aborted) throw abortReason(signal);
  let stop = (): void => undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    stop = onAbort(signal, () => reject(abortReason(signal)));
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    stop();
  }
}

/** How an ask ends. Where `ending` rejects because of the signal, the ask is withdrawn, unless it has just ended. */
export async function endOrWithdraw(
  signal: AbortSignal | undefined,
  ending: Promise<Outcome>,
  withdraw: () => Promise<Ask>,
): Promise<Outcome> {
  try {
    return await ending;
  } catch (error) {
    if (!signal?.aborted || error !== abortReason(signal)) throw error;
    return withdrawnOutcome(withdraw());
  }
}

/** The outcome of an ask that is being withdrawn: that, or how it ended just before. */
export async function withdrawnOutcome(withdrawing: Promise<Ask>): Promise<Outcome> {
  try {
    return (await withdrawing).outcome ?? { kind: "withdrawn" };
  } catch (error) {
    if (!(error instanceof AsklineError)) throw error;
    if (error.outcome !== undefined) return error.outcome;
    // It was pruned meanwhile.
    if (error.code === "not_found") return { kind: "withdrawn" };
    throw error;
  }
}

interface Followers {
  readonly calls: Set<() => void>;
  readonly listener: () => void;
}

const followed = new WeakMap<AbortSignal, Followers>();

/**
 * Calls when the signal aborts; the result stops that. All who follow a signal share one listener: many may
 * wait on the same, and Node takes more than ten listeners for a leak.
 */
export function onAbort(signal: AbortSignal, call: () => void): () => void {
  const followers = followed.get(signal) ?? listen(signal);
  followers.calls.add(call);
  return () => {
    followers.calls.delete(call);
    if (followers.calls.size > 0 || followed.get(signal) !== followers) return;
    followed.delete(signal);
    signal.removeEventListener("abort", followers.listener);
  };
}

function listen(signal: AbortSignal): Followers {
  const calls = new Set<() => void>();
  const listener = (): void => {
    for (const call of [...calls]) call();
  };
  signal.addEventListener("abort", listener, { once: true });
  const followers = { calls, listener };
  followed.set(signal, followers);
  return followers;
}

const unexplained = new WeakMap<AbortSignal, AsklineError>();

/**
 * What a wait rejects with when its own signal ended it. Of one signal it is always the same, so that who
 * catches an error can tell whether it is this one.
 */
export function abortReason(signal: AbortSignal): unknown {
  if (signal.reason !== undefined && signal.reason !== null) return signal.reason;
  const reason = unexplained.get(signal) ?? new AsklineError("aborted", "the wait was aborted");
  unexplained.set(signal, reason);
  return reason;
}
