import type { Clock } from "../../src/index.js";

export interface EagerClock extends Clock {
  /** The delays that were waited, in milliseconds, in their order. */
  readonly waited: number[];
}

// What a client waits between tries is shorter than this, and what it allows a server to take is not.
const SHORT_MS = 15_000;

/** A clock on which a client waits between its tries in no time, and no server is ever too slow. */
export function eagerClock(): EagerClock {
  const waited: number[] = [];
  let passed = 1_000;
  return {
    waited,
    now: () => Date.UTC(2030, 0, 1) + passed,
    monotonic: () => passed,
    schedule(delayMs, task) {
      if (delayMs >= SHORT_MS) return () => undefined;
      const immediate = setImmediate(() => {
        passed += delayMs;
        waited.push(delayMs);
        task();
      });
      return () => clearImmediate(immediate);
    },
  };
}
