// Token buckets, one a caller. A bucket is one number: the time at which it will be full again. Whoever takes
// something moves that time on; where it would lie further ahead than a full bucket lasts, there is nothing to
// take. So a bucket that is full needs no number at all, and an idle caller costs nothing.

import type { Clock } from "../../core/index.js";

export interface BucketOptions {
  /** How many a second flow in. */
  readonly rate: number;
  /** How many fit. */
  readonly burst: number;
  /** Callers that are told apart. Where that many are busy at once, further ones share one bucket. */
  readonly most?: number;
}

export interface Buckets {
  /** Takes one. 0 where there was one, otherwise in how many milliseconds there will be. */
  take(caller: string): number;
  /** Takes so many, whether they are there or not: the caller may have to wait for them afterwards. */
  charge(caller: string, count: number): void;
  /** Callers whose buckets are not full, and those that nobody has looked at since. */
  readonly size: number;
}

const MOST_CALLERS = 50_000;
const SWEEP_MS = 1_000;
/** However much was charged, it is forgotten after this. */
const LONGEST_DEBT_MS = 60_000;
/** No caller's name: those who come when there is no room for their own bucket. */
const CROWD = "";
/** Fractions of a millisecond that are only rounding. */
const ROUNDING_MS = 0.001;

export function createBuckets(
  clock: Pick<Clock, "monotonic">,
  { rate, burst, most = MOST_CALLERS }: BucketOptions,
): Buckets {
  const intervalMs = 1_000 / rate;
  const fullMs = burst === Number.POSITIVE_INFINITY ? burst : burst * intervalMs + ROUNDING_MS;
  const fullAt = new Map<string, number>();
  let sweptAt = clock.monotonic();

  const sweep = (now: number): void => {
    sweptAt = now;
    for (const [caller, at] of fullAt) if (at <= now) fullAt.delete(caller);
  };

  const bucketOf = (caller: string, now: number): string => {
    if (now - sweptAt >= SWEEP_MS) sweep(now);
    return fullAt.has(caller) || fullAt.size < most ? caller : CROWD;
  };

  return {
    take(caller) {
      const now = clock.monotonic();
      const bucket = bucketOf(caller, now);
      const next = Math.max(fullAt.get(bucket) ?? now, now) + intervalMs;
      const wait = next - now - fullMs;
      if (wait > 0) return wait;
      fullAt.set(bucket, next);
      return 0;
    },
    charge(caller, count) {
      const now = clock.monotonic();
      const bucket = bucketOf(caller, now);
      const next = Math.max(fullAt.get(bucket) ?? now, now) + count * intervalMs;
      fullAt.set(bucket, Math.min(next, now + fullMs + LONGEST_DEBT_MS));
    },
    get size() {
      return fullAt.size;
    },
  };
}
