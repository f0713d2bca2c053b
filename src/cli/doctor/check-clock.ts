import { exactTime, shortDuration } from "../screen/time.js";
import type { World } from "../world.js";
import type { StoreContents } from "./examined-store.js";
import { type Finding, ok, warning, wrong } from "./finding.js";

// This program was not there before, and deadlines end ten years ahead.
const EARLIEST = Date.UTC(2026, 0, 1);
const LATEST = Date.UTC(2100, 0, 1);
const SAME_TIME_MS = 5_000;
const SET = "set it by the network: timedatectl set-ntp true";

/** The clock of this machine: possible, not before what the store has seen, and that of PostgreSQL. */
export function checkClock(contents: StoreContents | undefined, { clock }: World): Finding {
  const now = clock.now();
  if (now < EARLIEST || now > LATEST) return wrong("clock", `it says ${safeTime(now)}`, SET);
  const { newestEventAt: newest, time } = contents ?? {};
  // With a clock of its own the store counts by that.
  const storesNow = time === undefined ? now : now + time.there - time.here;
  if (newest !== undefined && newest - storesNow > SAME_TIME_MS) {
    return wrong(
      "clock",
      `it says ${exactTime(now)}, ${shortDuration(newest - storesNow)} before the newest event of the store`,
      SET,
    );
  }
  const apart = time === undefined ? 0 : time.here - time.there;
  if (Math.abs(apart) > SAME_TIME_MS) {
    return warning(
      "clock",
      `it is ${shortDuration(Math.abs(apart))} ${apart > 0 ? "ahead of" : "behind"} PostgreSQL's, which counts`,
      "set both by the network: timedatectl set-ntp true",
    );
  }
  return ok("clock", exactTime(now));
}

function safeTime(time: number): string {
  return Math.abs(time) <= 8.64e15 ? exactTime(time) : "no time at all";
}
