import { type Clock, untilAborted } from "../core/index.js";

/** A signal that follows others until it is let go. */
export interface Linked {
  readonly signal: AbortSignal;
  abort(reason?: unknown): void;
  /** Stops following: a signal that lives long keeps nothing of us. */
  unlink(): void;
}

/** Aborts when any of the signals does. Unlike `AbortSignal.any`, it leaves no trace on them afterwards. */
export function linkSignals(...signals: readonly (AbortSignal | undefined)[]): Linked {
  const controller = new AbortController();
  const stops: (() => void)[] = [];
  for (const signal of signals) {
    if (signal === undefined) continue;
    const onAbort = (): void => controller.abort(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    stops.push(() => signal.removeEventListener("abort", onAbort));
  }
  return {
    signal: controller.signal,
    abort: (reason) => controller.abort(reason),
    unlink() {
      for (const stop of stops) stop();
    },
  };
}

/** Waits; rejects with the signal's reason as soon as it aborts. */
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
