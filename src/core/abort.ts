import { AsklineError } from "./error.js";

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
