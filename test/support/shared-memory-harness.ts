import { AsyncLocalStorage } from "node:async_hooks";
import { type Committed, memoryStore, type Store } from "../../src/hub/index.ts";
import { AsklineError } from "../../src/index.ts";
import { type FakeClock, fakeClock, type StoreHarness } from "../../src/testing/index.ts";

const logger = { warn: () => undefined, error: () => undefined };

/**
 * A memory store that outlives its closing and can be opened twice, so that the suite can be tested whole
 * without a database. Each store that it gives is a view of one memory store, which never closes.
 */
export function sharedMemoryHarness(create: () => Store = memoryStore): StoreHarness {
  const clock = fakeClock();
  const worlds = new WeakMap<Store, World>();
  const openIn = async (world: World): Promise<Store> => {
    // Time is counted anew with each opening, as by a process that starts.
    await world.inner.open({ clock, logger });
    const view = viewOf(world, clock);
    worlds.set(view, world);
    return view;
  };
  const worldOf = (store: Store): World => {
    const world = worlds.get(store);
    if (world === undefined) throw new Error("this store was not opened here");
    return world;
  };
  return {
    clock,
    open: () => openIn(newWorld(create())),
    async reopen(store) {
      await store.close();
      return openIn(worldOf(store));
    },
    second: async (store) => openIn(worldOf(store)),
  };
}

interface World {
  readonly inner: Store;
  /** Who watches, and through which view. */
  readonly listeners: Map<() => void, object>;
  /** Through which view a call came. */
  readonly caller: AsyncLocalStorage<object>;
}

function newWorld(inner: Store): World {
  return { inner, listeners: new Map(), caller: new AsyncLocalStorage() };
}

const WRITES = new Set([
  "insert",
  "change",
  "claimDue",
  "prune",
  "restore",
  "append",
  "remove",
  "put",
  "delete",
  "claim",
]);

function viewOf({ inner, listeners, caller }: World, clock: FakeClock): Store {
  const view = {};
  let closed = false;
  const guarded = <T extends object>(part: T): T =>
    new Proxy(part, {
      get(target, name, receiver) {
        const method: unknown = Reflect.get(target, name, receiver);
        if (typeof method !== "function") return method;
        return async (...given: readonly unknown[]) => {
          if (closed) throw new AsklineError("closed", "this view was closed");
          const result: unknown = await caller.run(view, () => Reflect.apply(method, target, given));
          if (WRITES.has(String(name))) tellOthers();
          return result;
        };
      },
    });
  const tellOthers = (): void => {
    for (const [listener, of] of listeners) if (of !== view) clock.schedule(20, listener);
  };
  return Object.assign(view, {
    name: "shared memory",
    asks: guarded(inner.asks),
    logs: guarded(inner.logs),
    records: guarded(inner.records),
    open: async () => undefined,
    async close() {
      closed = true;
    },
    now: () => inner.now(),
    watch(listener: () => void) {
      listeners.set(listener, view);
      return () => void listeners.delete(listener);
    },
    onCommit(listener: (events: readonly Committed[]) => void) {
      const stop = inner.onCommit?.((events) => {
        if (caller.getStore() === view) listener(events);
      });
      return () => stop?.();
    },
  });
}
