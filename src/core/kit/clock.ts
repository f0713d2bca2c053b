/** The source of time. It is injected, so that tests can control it. */
export interface Clock {
  /** Wall-clock milliseconds since the epoch. May jump. */
  now(): number;
  /** Milliseconds that only ever rise, from an arbitrary start. */
  monotonic(): number;
  /** Runs `task` once after `delayMs`; the returned function cancels it. */
  schedule(delayMs: number, task: () => void): () => void;
}

// setTimeout takes 32 bits; a longer delay fires at once.
const LONGEST_TIMER = 2 ** 31 - 1;

/** The machine's clock. A timer keeps its process alive until it has run or is cancelled. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  schedule(delayMs, task) {
    const due = performance.now() + delayMs;
    let timer: ReturnType<typeof setTimeout>;
    const arm = (): void => {
      const left = Math.max(0, due - performance.now());
      timer = left > LONGEST_TIMER ? setTimeout(arm, LONGEST_TIMER) : setTimeout(task, left);
    };
    arm();
    return () => clearTimeout(timer);
  },
};
