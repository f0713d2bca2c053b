import type { Clock } from "../core/index.js";

/**
 * Wall-clock time that does not jump: the wall clock is read once, now, and the monotonic clock counts from
 * there. An administrator or a time server that turns the clock makes no ask expire early.
 */
export function steadyNow(clock: Clock): () => number {
  const wall = clock.now();
  const start = clock.monotonic();
  return () => Math.floor(wall + (clock.monotonic() - start));
}
