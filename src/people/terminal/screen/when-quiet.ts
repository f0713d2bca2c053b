// What has just appeared takes no key until none came for a moment: not what was typed for something else, and not a
// key that is held down.

import type { Clock } from "../../../core/kit/clock.js";

const QUIET_MS = 250;

export interface Quiet {
  /** Something came from the keyboard: the moment begins again. */
  key(): void;
  cancel(): void;
}

/** Runs the task once, after a moment without a key. */
export function whenQuiet(clock: Clock, task: () => void): Quiet {
  let cancel = (): void => undefined;
  const key = (): void => {
    cancel();
    cancel = clock.schedule(QUIET_MS, () => {
      // A busy process runs timers before it reads keys that came earlier. One more turn reads them.
      cancel = clock.schedule(0, task);
    });
  };
  key();
  return { key, cancel: () => cancel() };
}
