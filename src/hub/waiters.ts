import { type Ask, AsklineError, type Outcome } from "../core/index.js";
import type { Waiting } from "./hub-port.js";

interface Waiter {
  resolve(outcome: Outcome): void;
  reject(error: unknown): void;
}

/** Those in this process who wait for an ask to end. Nothing of them is stored. */
export interface Waiters {
  /** Starts waiting: `outcome` settles when the ask does, or when the hub closes. */
  add(id: string): Waiting;
  /** Tells everybody who waits for this ask, if it has ended. */
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
      const outcome = new Promise<Outcome>((resolve, reject) => {
        waiter = { resolve, reject };
      });
      // A hub may close before anybody listens to this.
      outcome.catch(() => undefined);
      if (waiter === undefined) throw new AsklineError("closed", "could not wait");
      const own = waiter;
      if (over !== undefined) {
        own.reject(over);
        return { outcome, stop: () => undefined };
      }
      const there = waiting.get(id);
      if (there === undefined) waiting.set(id, own);
      else if (there instanceof Set) there.add(own);
      else waiting.set(id, new Set([there, own]));
      return { outcome, stop: () => remove(id, own) };
    },
    wake(ask) {
      if (ask.outcome === undefined) return;
      for (const { resolve } of take(ask.id)) resolve(ask.outcome);
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
