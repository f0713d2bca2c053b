// What a failed attempt leads to: another one after a pause, for three days, then none.

import type { Entry } from "./entry.js";

const GIVE_UP_MS = 3 * 86_400_000;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 3_600_000;

export interface Failure {
  readonly reason: string;
  /** What the receiver asked for. */
  readonly retryAfterMs?: number | undefined;
  /** A retry cannot succeed. */
  readonly final?: boolean;
}

/** The entry after a failed attempt at `now`; without `nextAt`, there is no further one. `random` is from 0 to 1. */
export function afterFailure<E extends Entry>(entry: E, failure: Failure, now: number, random: number): E {
  const { nextAt: _, waitsFor: _reason, ...rest } = entry;
  const attempts = entry.attempts + 1;
  const firstAt = entry.firstAt ?? now;
  const failed = { ...rest, attempts, firstAt, lastAt: now, lastError: failure.reason } as unknown as E;
  const pause = Math.max(pauseAfter(attempts, random), failure.retryAfterMs ?? 0);
  if (failure.final || now + pause - firstAt > GIVE_UP_MS) return failed;
  return { ...failed, nextAt: now + pause };
}

/** 1 s, 2 s, 4 s … up to an hour, and up to a quarter more, so that not everybody calls at the same moment. */
function pauseAfter(attempts: number, random: number): number {
  const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(attempts - 1, 20));
  return Math.round(pause * (1 + random / 4));
}
