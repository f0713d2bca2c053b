import type { FakeClock } from "./fake-clock.js";

/** Lets the clock run while something is done, for whatever waits a moment before it goes on. */
export async function whileTimePasses<T>(clock: FakeClock, promise: Promise<T>, stepMs = 1): Promise<T> {
  let done = false;
  const finished = promise.finally(() => {
    done = true;
  });
  finished.catch(() => undefined);
  while (!done) await clock.advance(stepMs);
  return finished;
}
