import { type Ask, AsklineError } from "../../core/index.js";
import type { EndedAsk, Waiting } from "../seam/port.js";

interface Waiter {
  resolve(ask: EndedAsk): void;
  reject(error: unknown): void;
}

/** What waits in this process for asks to end. Nothing of it is stored. */
export interface Waiters {
  /** Starts waiting: `ended` settles when the ask does, or when the hub closes. */
  add(id: string): Waiting;
  /** Wakes everything that waits for this ask, if it has ended. */
  wake(ask: Ask): void;
  isAwaited(id: string): boolean;
  /** The asks that somebody waits for. */
  awaited(): readonly string[];
  readonly size: number;
  reject(id: string, error: AsklineError): void;
  /** For good: who begins to wait afterwards is rejected as well. */
  rejectAll(error: AsklineError): void;
}

export function createWaiters(): Waiters {
  // Most asks have one waiter: it stands alone, and a set is made for the second.
  const waiting = new Map<string, Waiter | Set<Waiter>>();
  let over: AsklineError | undefined;

  const remove = (id: string, waiter: Waiter): void => {
    const there = waiting.get(id);
    if (there instanceof Set) there.delete(waiter);
    if (there === waiter || (there instanceof Set && there.size === 0)) waiting.delete(id);
  };
  const take = (id: string): readonly Waiter[] => {
    const there = waiting.get(id);
    if (there === undefined) return [];
    waiting.delete(id);
    return there instanceof Set ? [...there] : [there];
  };

  const rejectOne = (id: string, error: AsklineError): void => {
    for (const { reject } of take(id)) reject(error);
  };

  return {
    add(id) {
      let waiter: Waiter | undefined;
      const ended = new Promise<EndedAsk>((resolve, reject) => {
        waiter = { resolve, reject };
      });
      // A hub may close before anybody listens to this.
      ended.catch(() => undefined);
      if (waiter === undefined) throw new AsklineError("closed", "could not wait");
      const own = waiter;
      if (over !== undefined) {
        own.reject(over);
        return { ended, stop: () => undefined };
      }
      const there = waiting.get(id);
      if (there === undefined) waiting.set(id, own);
      else if (there instanceof Set) there.add(own);
      else waiting.set(id, new Set([there, own]));
      return { ended, stop: () => remove(id, own) };
    },
    wake(ask) {
      if (!hasEnded(ask)) return;
      for (const { resolve } of take(ask.id)) resolve(ask);
    },
    isAwaited: (id) => waiting.has(id),
    get size() {
      return waiting.size;
    },
    awaited: () => [...waiting.keys()],
    reject: rejectOne,
    rejectAll(error) {
      over = error;
      for (const id of [...waiting.keys()]) rejectOne(id, error);
    },
  };
}

export function hasEnded(ask: Ask): ask is EndedAsk {
  return ask.outcome !== undefined;
}
