import type { Ask, DeliveredAsk } from "../../core/model/ask.js";
import { deliverAsk } from "../../core/model/delivery.js";
import { AsklineError } from "../../core/model/error.js";
import type { EndedAsk, Waiting } from "../seam/port.js";

interface Waiter {
  resolve(ask: EndedAsk): void;
  reject(error: unknown): void;
}

/** The waits of this process for asks to end. They are not stored. */
export interface Waiters {
  /** Starts waiting. `ended` resolves when the ask ends and rejects when the hub closes. */
  add(id: string): Waiting;
  /** Resolves all waits for this ask, if it has ended. */
  wake(ask: Ask): void;
  isAwaited(id: string): boolean;
  /** The ids of all awaited asks. */
  awaited(): readonly string[];
  readonly size: number;
  reject(id: string, error: AsklineError): void;
  /** Rejects all waits, and every later one too. */
  rejectAll(error: AsklineError): void;
}

export function createWaiters(): Waiters {
  // Most asks have one waiter, so a set is only made for the second.
  const waiting = new Map<string, Waiter | Set<Waiter>>();
  let closedError: AsklineError | undefined;

  const remove = (id: string, waiter: Waiter): void => {
    const entry = waiting.get(id);
    if (entry instanceof Set) entry.delete(waiter);
    if (entry === waiter || (entry instanceof Set && entry.size === 0)) waiting.delete(id);
  };
  const take = (id: string): readonly Waiter[] => {
    const entry = waiting.get(id);
    if (entry === undefined) return [];
    waiting.delete(id);
    return entry instanceof Set ? [...entry] : [entry];
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
      // The hub may close before the caller handles `ended`: avoid an unhandled rejection.
      ended.catch(() => undefined);
      if (waiter === undefined) throw new AsklineError("closed", "could not wait");
      const added = waiter;
      if (closedError !== undefined) {
        added.reject(closedError);
        return { ended, stop: () => undefined };
      }
      const entry = waiting.get(id);
      if (entry === undefined) waiting.set(id, added);
      else if (entry instanceof Set) entry.add(added);
      else waiting.set(id, new Set([entry, added]));
      return { ended, stop: () => remove(id, added) };
    },
    wake(ask) {
      const waiters = ask.outcome === undefined ? [] : take(ask.id);
      if (waiters.length === 0) return;
      const delivered = deliverAsk(ask);
      if (hasEnded(delivered)) for (const { resolve } of waiters) resolve(delivered);
    },
    isAwaited: (id) => waiting.has(id),
    get size() {
      return waiting.size;
    },
    awaited: () => [...waiting.keys()],
    reject: rejectOne,
    rejectAll(error) {
      closedError = error;
      for (const id of [...waiting.keys()]) rejectOne(id, error);
    },
  };
}

export function hasEnded(ask: DeliveredAsk): ask is EndedAsk {
  return ask.outcome !== undefined;
}
