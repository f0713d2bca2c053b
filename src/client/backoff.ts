// Delays between tries: each about twice the one before, up to a bound, and never the same for two clients,
// so that a server that comes back is not met by all of them at once.

const FIRST_MS = 250;
const LONGEST_MS = 15_000;

export interface Backoff {
  /** How long to wait after one more failure. */
  next(): number;
  /** Something worked: the next failure is a first one again. */
  reset(): void;
}

export function createBackoff(random: () => number, firstMs: number = FIRST_MS): Backoff {
  let failures = 0;
  return {
    next() {
      // Bounded before it is raised: 2 ** 2000 is no number to wait for.
      const full = Math.min(LONGEST_MS, firstMs * 2 ** Math.min(failures, 16));
      failures += 1;
      return full / 2 + (random() * full) / 2;
    },
    reset() {
      failures = 0;
    },
  };
}
