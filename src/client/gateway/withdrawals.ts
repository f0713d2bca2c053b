// Withdrawals that found no connection. Until the backend has them, people are shown a question that nobody asks
// any more; so they wait for the next connection, or until the question would have ended anyway.

import type { Clock } from "../../core/index.js";

export interface Withdrawals {
  readonly size: number;
  add(frame: string, forMs: number): void;
  /** All of them; none is kept any longer. */
  takeAll(): readonly string[];
}

export function createWithdrawals(clock: Clock): Withdrawals {
  const waiting = new Map<string, () => void>();
  return {
    get size() {
      return waiting.size;
    },
    add(frame, forMs) {
      waiting.set(
        frame,
        clock.schedule(forMs, () => waiting.delete(frame)),
      );
    },
    takeAll() {
      const frames = [...waiting.keys()];
      for (const cancel of waiting.values()) cancel();
      waiting.clear();
      return frames;
    },
  };
}
