// Token buckets, one per caller. A bucket is one number: the time at which it will be full again. Taking moves that
// time forward, and is refused beyond the time that a whole bucket takes to fill. A full bucket needs no number, so
// an idle caller costs nothing.

import type { Clock } from "../../core/kit/clock.js";

export interface BucketOptions {
  /** Tokens added per second. */
  readonly rate: number;
  /** The capacity. */
  readonly burst: number;
  /** The most callers with a bucket of their own. Further callers share one bucket. */
  readonly most?: number;
}

export interface Buckets {
  /** Takes one. Returns 0, or the milliseconds until one is available. */
  take(caller: string): number;
  /** The milliseconds until something is available; 0 if something is. */
  wait(caller: string): number;
  /** Takes `count`, even if not available: the caller then waits longer. */
  charge(caller: string, count: number): void;
  /** The number of stored buckets. */
  readonly size: number;
}

const MOST_CALLERS = 50_000;
const SWEEP_MS = 1_000;
/** The longest time that a caller has to wait for charges. */
const LONGEST_DEBT_MS = 60_000;
/** The shared bucket of callers without one of their own; no caller has this name. */
const CROWD = "";
/** Tolerance for rounding. */
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
    wait(caller) {
      const now = clock.monotonic();
      return Math.max(0, (fullAt.get(bucketOf(caller, now)) ?? now) - now - fullMs);
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
