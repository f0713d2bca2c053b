import { AsklineError } from "./error.js";

/** Waits for `promise`, but rejects as soon as the signal aborts, whatever the promise does. */
export async function untilAborted<T>(signal: AbortSignal | undefined, promise: Promise<T>): Promise<T> {
  if (signal === undefined) return promise;
  // The promise may still reject later; nobody listens then.
  promise.catch(() => undefined);
  if (signal.aborted) throw abortReason(signal);
  let onAbort: (() => void) | undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    onAbort = () => reject(abortReason(signal));
    signal.addEventListener("abort", onAbort, { once: true });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    if (onAbort !== undefined) signal.removeEventListener("abort", onAbort);
  }
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
