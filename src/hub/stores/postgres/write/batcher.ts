// Calls that arrive while others are in flight are sent together, as one statement:
//
//   waiting --a slot is free--> in flight --committed---------> resolved, each with its own result
//                                         --failed, several---> sent again in halves, down to the call at fault
//                                         --failed, one call--> rejected
//                                         --server away-------> all rejected: halves would only wait longer

import type { StoreObserver } from "../../../seam/store.js";
import { gaveUp } from "../database/errors.js";

export interface Batching<Item, Result> {
  /** The most calls in one statement. */
  readonly limit: number;
  /** The most statements in flight. With 1, calls take effect in the order they were made. */
  readonly inFlight: number;
  /** About how many bytes a call sends. A statement sends at most {@link MOST_BYTES}, or a single larger call. */
  sizeOf?(item: Item): number;
  /** Names of what a call touches. Two calls that share a name are never in one statement. */
  touches?(item: Item): readonly string[];
  /** Called for each completed statement. Only for batchers that write. */
  readonly committed?: StoreObserver["committed"];
  /** Returns the results in the order of the items. Must reject only if nothing was written. */
  run(items: readonly Item[]): Promise<readonly Result[]>;
}

export interface Batcher<Item, Result> {
  add(item: Item): Promise<Result>;
  /** Resolves when no call is waiting or in flight. */
  drained(): Promise<void>;
}

interface Call<Item, Result> {
  readonly item: Item;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

const MOST_BYTES = 4 * 1024 * 1024;

export function createBatcher<Item, Result>(batching: Batching<Item, Result>): Batcher<Item, Result> {
  let waiting: Call<Item, Result>[] = [];
  let inFlight = 0;
  let scheduled = false;
  let onDrained: (() => void)[] = [];

  const schedule = (): void => {
    if (scheduled || inFlight >= batching.inFlight) return;
    scheduled = true;
    // After this turn of the event loop, so that its other calls join the batch.
    setImmediate(flush);
  };

  const flush = (): void => {
    scheduled = false;
    if (waiting.length === 0 || inFlight >= batching.inFlight) return;
    const { taken, left } = take(waiting, batching);
    waiting = left;
    inFlight += 1;
    void send(taken, batching).then(() => {
      inFlight -= 1;
      if (waiting.length > 0) schedule();
      else if (inFlight === 0) for (const resolve of onDrained.splice(0)) resolve();
    });
    if (waiting.length > 0) schedule();
  };

  return {
    add(item) {
      return new Promise((resolve, reject) => {
        waiting.push({ item, resolve, reject });
        schedule();
      });
    },
    drained() {
      if (waiting.length === 0 && inFlight === 0) return Promise.resolve();
      return new Promise((resolve) => {
        onDrained = [...onDrained, resolve];
      });
    },
  };
}

async function send<Item, Result>(
  calls: readonly Call<Item, Result>[],
  batching: Batching<Item, Result>,
): Promise<void> {
  try {
    const start = performance.now();
    const results = await batching.run(calls.map(({ item }) => item));
    batching.committed?.(calls.length, performance.now() - start);
    calls.forEach((call, index) => {
      call.resolve(results[index] as Result);
    });
  } catch (error) {
    if (calls.length <= 1 || gaveUp(error)) {
      for (const call of calls) call.reject(error);
      return;
    }
    const middle = calls.length >> 1;
    await send(calls.slice(0, middle), batching);
    await send(calls.slice(middle), batching);
  }
}

function take<Item, Result>(
  waiting: readonly Call<Item, Result>[],
  { limit, sizeOf, touches }: Batching<Item, Result>,
): { readonly taken: Call<Item, Result>[]; readonly left: Call<Item, Result>[] } {
  const taken: Call<Item, Result>[] = [];
  const left: Call<Item, Result>[] = [];
  const touched = new Set<string>();
  let bytes = 0;
  for (const [index, call] of waiting.entries()) {
    const size = sizeOf?.(call.item) ?? 0;
    if (taken.length >= limit || (taken.length > 0 && bytes + size > MOST_BYTES)) {
      left.push(...waiting.slice(index));
      break;
    }
    const names = touches?.(call.item) ?? [];
    // The names of a call that must wait count too, or later calls for the same name would overtake it.
    (names.some((name) => touched.has(name)) ? left : taken).push(call);
    if (taken.at(-1) === call) bytes += size;
    for (const name of names) touched.add(name);
  }
  return { taken, left };
}
