import { type FakeClock, fakeClock } from "../../src/testing/fake-clock.js";

export interface WatchedClock extends FakeClock {
  /** Resolves as soon as timers of this many milliseconds have been set so many times. */
  set(delayMs: number, times?: number): Promise<void>;
}

/** A fake clock that tells when somebody starts to wait, so that a test moves it no sooner. */
export function watchedClock(): WatchedClock {
  const clock = fakeClock();
  const counts = new Map<number, number>();
  const waiting = new Set<() => void>();
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
      const cancel = clock.schedule(delayMs, task);
      counts.set(delayMs, (counts.get(delayMs) ?? 0) + 1);
      for (const check of waiting) check();
      return cancel;
    },
    set: (delayMs, times = 1) =>
      new Promise((resolve) => {
        const check = (): void => {
          if ((counts.get(delayMs) ?? 0) < times) return;
          waiting.delete(check);
          resolve();
        };
        waiting.add(check);
        check();
      }),
  };
}
