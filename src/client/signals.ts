import type { Clock } from "../core/kit/clock.js";
import { untilAborted } from "../core/rules/abort.js";

/**
 * The lifetime of a client, from connect to close. Not an AbortSignal, because hundreds of requests follow it at once
 * and Node warns about a leak after ten listeners.
 */
export interface Life {
  /** The reason once it is over; undefined before. */
  readonly over: unknown;
  end(reason: unknown): void;
  /** Calls `onEnd` when it ends; returns a function that unsubscribes. */
  follow(onEnd: (reason: unknown) => void): () => void;
}

export function createLife(): Life {
  const followers = new Set<(reason: unknown) => void>();
  let over: unknown;
  return {
    get over() {
      return over;
    },
    end(reason) {
      if (over !== undefined) return;
      over = reason;
      for (const onEnd of [...followers]) onEnd(reason);
      followers.clear();
    },
    follow(onEnd) {
      if (over !== undefined) onEnd(over);
      else followers.add(onEnd);
      return () => followers.delete(onEnd);
    },
  };
}

/** A signal that follows another signal and a life until it is unlinked. */
export interface Linked {
  readonly signal: AbortSignal;
  abort(reason?: unknown): void;
  /** Stops following, so that a long-lived signal keeps no listener. */
  unlink(): void;
}

/** Unlike `AbortSignal.any`, it leaves no listener on the signal after `unlink`. */
export function linkSignal(signal: AbortSignal | undefined, life?: Life): Linked {
  const controller = new AbortController();
  const abort = (reason?: unknown): void => controller.abort(reason);
  const onAbort = (): void => abort(signal?.reason);
  const unfollow = life?.follow(abort);
  if (signal?.aborted) onAbort();
  signal?.addEventListener("abort", onAbort, { once: true });
  return {
    signal: controller.signal,
    abort,
    unlink() {
      unfollow?.();
      signal?.removeEventListener("abort", onAbort);
    },
  };
}

/** Rejects with the signal's reason as soon as it aborts. */
export async function sleep(clock: Clock, milliseconds: number, signal: AbortSignal): Promise<void> {
  let cancel = (): void => undefined;
  const passed = new Promise<void>((resolve) => {
    cancel = clock.schedule(milliseconds, resolve);
  });
  try {
    await untilAborted(signal, passed);
  } finally {
    cancel();
  }
}
