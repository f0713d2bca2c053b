import { type FakeClock, fakeClock } from "../../src/testing/fake-clock.js";

export interface WatchedClock extends FakeClock {
  /** Resolves as soon as somebody has set a timer of this many milliseconds. */
  set(delayMs: number): Promise<void>;
}

/** A fake clock that tells when somebody starts to wait, so that a test moves it no sooner. */
export function watchedClock(): WatchedClock {
  const clock = fakeClock();
  const delays = new Set<number>();
  const waiting = new Map<number, () => void>();
  const { advance, jumpWall, scheduled, now, monotonic } = clock;
  return {
    advance,
    jumpWall,
    scheduled,
    now,
    monotonic,
    get timers() {
      return clock.timers;
    },
    schedule(delayMs, task) {
      delays.add(delayMs);
      waiting.get(delayMs)?.();
      return clock.schedule(delayMs, task);
    },
    set: (delayMs) =>
      new Promise((resolve) => {
        if (delays.has(delayMs)) resolve();
        else waiting.set(delayMs, resolve);
      }),
  };
}
