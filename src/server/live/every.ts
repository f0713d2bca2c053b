// Periodic work while something is open.

import type { Clock } from "../../core/kit/clock.js";

/** Runs the task periodically; the result stops it. */
export function every(clock: Clock, milliseconds: number, task: () => void): () => void {
  let cancel = (): void => undefined;
  const arm = (): void => {
    cancel = clock.schedule(milliseconds, () => {
      arm();
      task();
    });
  };
  arm();
  return () => cancel();
}
