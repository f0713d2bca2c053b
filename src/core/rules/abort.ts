import type { Ask, AskContent, DeliveredAsk } from "../model/ask.js";
import { deliverOutcome } from "../model/delivery.js";
import { AsklineError } from "../model/error.js";
import type { DeliveredOutcome } from "../model/outcome.js";

/** Waits for `promise`, but rejects as soon as the signal aborts, whatever the promise does. */
export async function untilAborted<T>(signal: AbortSignal | undefined, promise: Promise<T>): Promise<T> {
  if (signal === undefined) return promise;
  // The promise may still reject later, and nothing handles it then.
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

/** How an ask ends. If `ending` rejects because of the signal, the ask is withdrawn, unless it has just ended. */
export async function endOrWithdraw(
  signal: AbortSignal | undefined,
  ask: AskContent,
  ending: Promise<DeliveredOutcome>,
  withdraw: () => Promise<DeliveredAsk>,
): Promise<DeliveredOutcome> {
  try {
    return await ending;
  } catch (error) {
    if (!signal?.aborted || error !== abortReason(signal)) throw error;
    return withdrawnOutcome(ask, withdraw());
  }
}

/** The outcome of an ask that is being withdrawn, which may have ended in another way just before. */
export async function withdrawnOutcome(
  ask: AskContent,
  withdrawing: Promise<Pick<Ask, "outcome">>,
): Promise<DeliveredOutcome> {
  try {
    const { outcome } = await withdrawing;
    return outcome === undefined ? { kind: "withdrawn" } : deliverOutcome(ask, outcome);
  } catch (error) {
    if (!(error instanceof AsklineError)) throw error;
    if (error.outcome !== undefined) return deliverOutcome(ask, error.outcome);
    // The ask was pruned in the meantime.
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
 * Calls `call` when the signal aborts; the returned function cancels that. All callers of one signal share one listener,
 * because Node warns of a leak at more than ten.
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
 * What a wait rejects with when its signal aborts. It is always the same value for one signal, so that a caller can
 * compare it with a caught error.
 */
export function abortReason(signal: AbortSignal): unknown {
  if (signal.reason !== undefined && signal.reason !== null) return signal.reason;
  const reason = unexplained.get(signal) ?? new AsklineError("aborted", "the wait was aborted");
  unexplained.set(signal, reason);
  return reason;
}
