import type { Clock } from "../core/kit/clock.js";
import { SuiteFailure } from "./check.js";

/** A clock that stands still until a test moves it. */
export interface FakeClock extends Clock {
  /**
   * Moves the wall and the monotonic time forward and runs due timers in order, each at its own time. Lets promises
   * settle before each timer and after the last one, so that a timer's work can schedule further timers.
   */
  advance(milliseconds: number): Promise<void>;
  /** Moves only the wall clock, in either direction, as a time server does. Runs no timers. */
  jumpWall(milliseconds: number): void;
  /** Resolves once at least this many timers are scheduled. */
  scheduled(count?: number): Promise<void>;
  /** How many timers are scheduled. */
  readonly timers: number;
}

interface Timer {
  readonly due: number;
  readonly task: () => void;
}

// An arbitrary start, unlike the wall clock's, so that code that mixes the two fails.
const MONOTONIC_START = 7_777;
const WALL_START = Date.UTC(2030, 0, 1);

/**
 * A clock for tests: nothing happens until `advance`.
 *
 * @example
 * const clock = fakeClock();
 * clock.schedule(1_000, () => console.log("a second has passed"));
 * await clock.advance(1_000);
 */
export function fakeClock(options: { readonly now?: number } = {}): FakeClock {
  let monotonic = MONOTONIC_START;
  let wall = options.now ?? WALL_START;
  const timers = new Set<Timer>();
  const waiting = new Set<() => void>();

  const moveTo = (time: number): void => {
    const step = Math.max(0, time - monotonic);
    monotonic += step;
    wall += step;
  };

  const nextUpTo = (end: number): Timer | undefined => {
    let next: Timer | undefined;
    for (const timer of timers) {
      if (timer.due <= end && (next === undefined || timer.due < next.due)) next = timer;
    }
    return next;
  };

  return {
    now: () => wall,
    monotonic: () => monotonic,
    schedule(delayMs, task) {
      const timer: Timer = { due: monotonic + Math.max(0, delayMs), task };
      timers.add(timer);
      for (const check of waiting) check();
      return () => timers.delete(timer);
    },
    async advance(milliseconds) {
      const end = monotonic + milliseconds;
      for (;;) {
        await turnOfEvents();
        const timer = nextUpTo(end);
        if (timer === undefined) break;
        timers.delete(timer);
        moveTo(timer.due);
        timer.task();
      }
      moveTo(end);
      await turnOfEvents();
    },
    jumpWall(milliseconds) {
      wall += milliseconds;
    },
    scheduled: (count = 1) =>
      new Promise((resolve) => {
        const check = (): void => {
          if (timers.size < count) return;
          waiting.delete(check);
          resolve();
        };
        waiting.add(check);
        check();
      }),
    get timers() {
      return timers.size;
    },
  };
}

/** One real turn of the event loop, so that all ready promises and callbacks run. */
export function turnOfEvents(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 0);
  });
}

const LONGEST_MS = 20_000;

/** Advances the clock until the promise settles, for work that waits on short timers. */
export async function whileTimePasses<T>(clock: FakeClock, promise: Promise<T>, stepMs = 1): Promise<T> {
  let done = false;
  const finished = promise.finally(() => {
    done = true;
  });
  finished.catch(() => undefined);
  const start = performance.now();
  while (!done) {
    if (performance.now() - start > LONGEST_MS)
      throw new SuiteFailure(`the promise did not settle within ${LONGEST_MS / 1_000} seconds`);
    await clock.advance(stepMs);
  }
  return finished;
}
