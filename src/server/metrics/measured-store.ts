// Wraps a store and reports its use. The process that stores or settles an ask counts it, so that each ask counts once
// over all processes on one store.

import type { Clock } from "../../core/kit/clock.js";
import { keepNewest, within } from "../../core/kit/tools.js";
import type { Ask } from "../../core/model/ask.js";
import { type Delivery, listDeliveries } from "../../hub/delivery/outbox/entry.js";
import {
  type AskStore,
  EVENT_LOG,
  type LogStore,
  type RecordStore,
  type Store,
  type StoreObserver,
} from "../../hub/seam/store.js";
import { withParts } from "../../hub/seam/store-kit.js";
import { MOST_COUNTED } from "./catalogue.js";

export interface StoreListener extends StoreObserver {
  called(operation: string, ok: boolean, milliseconds: number): void;
  created(ask: Ask): void;
  settled(ask: Ask): void;
}

// Total records, so that a method added to the store interface is not forgotten here.
const ASKS = names<AskStore>({
  insert: true,
  change: true,
  get: true,
  getByKey: true,
  findIds: true,
  findKeys: true,
  releaseKey: true,
  getMany: true,
  list: true,
  claimDue: true,
  nextDeadline: true,
  usage: true,
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
          // The same attempt sent twice at once is reported as applied twice, but is one settlement.
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
      // Does not delay the caller.
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

/** Whether an id was not seen recently. */
function createRecentIds(): (id: string) => boolean {
  const recent = new Set<string>();
  return (id) => {
    if (recent.has(id)) return false;
    recent.add(id);
    keepNewest(recent, MOST_REMEMBERED);
    return true;
  };
}

// Reads the state of the store for a scrape. The read is bounded, shared and cached for a second: monitoring must not
// be a load, and a store that hangs must not hide the other metrics.

const KEEP_MS = 1_000;
const ANSWER_WITHIN_MS = 2_000;

export interface StoreLevels {
  readonly pending: number;
  readonly oldestPendingMs: number;
  /** The position of the last event. */
  readonly head: number;
  readonly deliveries: readonly Pick<Delivery, "lane" | "state">[];
}

/** Undefined if the store fails or does not answer in time. */
export function createStoreLevels(store: Store, clock: Clock): () => Promise<StoreLevels | undefined> {
  let looking: Promise<StoreLevels | undefined> | undefined;
  let kept: { readonly levels: StoreLevels; readonly until: number } | undefined;

  const look = async (): Promise<StoreLevels | undefined> => {
    try {
      const [{ count, oldestCreatedAt }, { head }, deliveries] = await Promise.all([
        store.asks.pendingSummary(),
        store.logs.bounds(EVENT_LOG),
        listDeliveries(store.records, { limit: MOST_COUNTED }),
      ]);
      const age = oldestCreatedAt === undefined ? 0 : Math.max(0, store.now() - oldestCreatedAt);
      const levels = { pending: count, oldestPendingMs: age, head, deliveries };
      kept = { levels, until: clock.monotonic() + KEEP_MS };
      return levels;
    } catch {
      // Other callers and `/readyz` report store errors.
      return undefined;
    } finally {
      looking = undefined;
    }
  };

  return async () => {
    if (kept !== undefined && clock.monotonic() < kept.until) return kept.levels;
    looking ??= look();
    return within(clock, ANSWER_WITHIN_MS, looking, () => undefined);
  };
}
