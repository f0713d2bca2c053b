// The clock of a machine that may sleep. `performance.now()` and timers stop while a Linux laptop is suspended, so what
// should have ended meanwhile would live on for as long as it slept. The uptime counts sleep, and setting the wall clock
// does not change it.

import { uptime } from "node:os";
import { type Clock, systemClock } from "../../core/kit/clock.js";

/** How often the uptime is read and how long a timer may be armed, so how late a sleep is noticed at the most. */
const CHECK_MS = 1_000;
const LONGEST_TIMER_MS = 10_000;
/** Some systems report the uptime in whole seconds, so two readings can be wrong by two together. */
const ROUNDING_MS = 2_000;

/** The clock of this machine, for whatever must end on time although the machine slept. */
export function machineClock(): Clock {
  try {
    return countSleep(systemClock, uptime);
  } catch {
    // Deno lets a program read the uptime only with --allow-sys.
    return systemClock;
  }
}

/** The same clock with the time that the machine slept added to `monotonic`. Timers fire soon after it wakes up. */
export function countSleep(clock: Clock, uptimeSeconds: () => number): Clock {
  const read = (): { readonly awake: number; readonly wall: number; readonly up: number } => ({
    awake: clock.monotonic(),
    wall: clock.now(),
    up: uptimeSeconds() * 1_000,
  });
  let last = read();
  let slept = 0;

  const monotonic = (): number => {
    const awake = clock.monotonic();
    const passed = awake - last.awake;
    // The wall clock is only a hint to read the uptime now: a sleep moves it, but so does a time server.
    if (passed >= CHECK_MS || Math.abs(clock.now() - last.wall - passed) >= CHECK_MS) {
      const next = read();
      const asleep = next.up - last.up - (next.awake - last.awake);
      if (asleep >= ROUNDING_MS) slept += asleep;
      last = next;
      return next.awake + slept;
    }
    return awake + slept;
  };

  return {
    now: () => clock.now(),
    monotonic,
    schedule(delayMs, task) {
      const due = monotonic() + delayMs;
      let cancel = (): void => undefined;
      const arm = (): void => {
        const left = due - monotonic();
        cancel = clock.schedule(Math.min(left, LONGEST_TIMER_MS), left > LONGEST_TIMER_MS ? arm : task);
      };
      arm();
      return () => cancel();
    },
  };
}
