import { SuiteFailure } from "./check.js";
import type { FakeClock } from "./fake-clock.js";

const LONGEST_MS = 20_000;

/** Lets the clock run while something is done, for whatever waits a moment before it goes on. */
export async function whileTimePasses<T>(clock: FakeClock, promise: Promise<T>, stepMs = 1): Promise<T> {
  let done = false;
  const finished = promise.finally(() => {
    done = true;
  });
  finished.catch(() => undefined);
  const start = performance.now();
  while (!done) {
    if (performance.now() - start > LONGEST_MS) throw new SuiteFailure("it took too long");
    await clock.advance(stepMs);
  }
  return finished;
}
