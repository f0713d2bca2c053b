// A store that tells how it is used, around any other. An ask is counted where it is stored and where it is ended,
// so that over all processes on one store each counts once.

import type { Ask } from "../core/index.js";
import { keepNewest } from "../core/kit.js";
import type { AskStore, LogStore, RecordStore, Store, StoreObserver } from "../hub/store.js";
import { withParts } from "../hub/with-parts.js";

export interface StoreListener extends StoreObserver {
  called(operation: string, ok: boolean, milliseconds: number): void;
  created(ask: Ask): void;
  settled(ask: Ask): void;
}

// Total, so that a method that is added to the seam is not forgotten here.
const ASKS = names<AskStore>({
  insert: true,
  change: true,
  get: true,
  getByKey: true,
  getMany: true,
  list: true,
  claimDue: true,
  nextDeadline: true,
  pendingSummary: true,
  countSettled: true,
  restore: true,
  prune: true,
});
const LOGS = names<LogStore>({
  append: true,
  read: true,
  bounds: true,
  list: true,
  remove: true,
  restore: true,
});
const RECORDS = names<RecordStore>({ get: true, put: true, delete: true, list: true, claim: true });

export function measuredStore(store: Store, listener: StoreListener): Store {
  const asks = timed("asks", store.asks, ASKS, listener);
  const isNew = createRecentIds();
  const observers: StoreObserver[] = [listener];
  store.observe?.({
    committed: (...batch) => {
      for (const observer of observers) observer.committed(...batch);
    },
  });
  return withParts(store, {
    asks: {
      ...asks,
      insert: (...args) =>
        after(asks.insert(...args), ({ kind, ask }) => {
          if (kind === "created") listener.created(ask);
        }),
      change: (...args) =>
        after(asks.change(...args), (changed) => {
          const ended = args[1].kind === "settle" && changed?.applied ? changed.ask : undefined;
          // The same attempt sent twice at once is applied twice, and is one end.
          if (ended !== undefined && isNew(ended.id)) listener.settled(ended);
        }),
    },
    logs: timed("logs", store.logs, LOGS, listener),
    records: timed("records", store.records, RECORDS, listener),
    ...(store.observe !== undefined && { observe: (observer) => void observers.push(observer) }),
  });
}

function names<Port>(all: Record<keyof Port, true>): readonly (keyof Port & string)[] {
  return Object.keys(all) as (keyof Port & string)[];
}

function timed<Port extends object>(
  prefix: string,
  port: Port,
  methods: readonly (keyof Port & string)[],
  listener: StoreListener,
): Port {
  const wrapped = methods.map((name) => {
    const operation = `${prefix}.${name}`;
    const method = (port[name] as (...args: unknown[]) => Promise<unknown>).bind(port);
    const call = (...args: unknown[]): Promise<unknown> => {
      const start = performance.now();
      const result = method(...args);
      // Beside the caller, who waits for nothing of this.
      result.then(
        () => listener.called(operation, true, performance.now() - start),
        () => listener.called(operation, false, performance.now() - start),
      );
      return result;
    };
    return [name, call];
  });
  return Object.fromEntries(wrapped) as Port;
}

function after<T>(result: Promise<T>, task: (value: T) => void): Promise<T> {
  result.then(task, () => undefined);
  return result;
}

const MOST_REMEMBERED = 1_000;

/** Says of an id whether it is the first time lately. */
function createRecentIds(): (id: string) => boolean {
  const recent = new Set<string>();
  return (id) => {
    if (recent.has(id)) return false;
    recent.add(id);
    keepNewest(recent, MOST_REMEMBERED);
    return true;
  };
}
