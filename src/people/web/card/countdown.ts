// The time that is left, painted again when its words change: each minute, then every ten seconds.

export interface Countdown {
  /** Calls `paint` when the words for the time until the deadline are next out of date; undefined stops it. */
  until(deadline: number | undefined): void;
}

export function createCountdown(paint: () => void): Countdown {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return {
    until(deadline) {
      clearTimeout(timer);
      const left = (deadline ?? 0) - Date.now();
      if (left > 0) timer = setTimeout(paint, Math.min(left, left > 90_000 ? 60_000 : 10_000));
    },
  };
}
