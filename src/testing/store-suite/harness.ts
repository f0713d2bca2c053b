import type { Committed, Store } from "../../hub/seam/store.js";
import { SuiteFailure } from "../check.js";
import type { FakeClock } from "../fake-clock.js";
import type { SuiteCase, SuiteHarness } from "../suite.js";

/** Optional abilities of a store: surviving a restart, sharing data between processes, reporting commits. */
export type StoreNeed = "reopen" | "second" | "commits";

/** How the suite opens stores. Every store that it returns is open and uses `clock`. */
export interface StoreHarness extends SuiteHarness<StoreNeed> {
  readonly clock: FakeClock;
  /** An empty store. */
  open(): Promise<Store>;
  /** Closes the store and opens a new one on the same data, as after a restart. */
  reopen?(store: Store): Promise<Store>;
  /** Another store on the same data, as in another process, while the first stays open. */
  second?(store: Store): Promise<Store>;
}

export type StoreCase = SuiteCase<StoreHarness, StoreNeed>;

/** The tools of a case. Stores that it opens are closed when it ends. */
export interface StoreScope {
  readonly clock: FakeClock;
  open(): Promise<Store>;
  reopen(store: Store): Promise<Store>;
  second(store: Store): Promise<Store>;
  /** Collects the calls of a store's `onCommit` from now on, until `stop`. */
  follow(store: Store): CommitRecorder;
}

export interface CommitRecorder {
  readonly calls: readonly (readonly Committed[])[];
  stop(): void;
}

export function storeCase(name: string, run: (scope: StoreScope) => Promise<void>): StoreCase {
  return caseWith(name, [], run);
}

/** A case about data that survives a restart. */
export function durableCase(name: string, run: (scope: StoreScope) => Promise<void>): StoreCase {
  return caseWith(name, ["reopen"], run);
}

/** A case about several processes on the same data. */
export function sharedCase(name: string, run: (scope: StoreScope) => Promise<void>): StoreCase {
  return caseWith(name, ["second"], run);
}

/** A case about `onCommit`. */
export function commitCase(
  name: string,
  run: (scope: StoreScope) => Promise<void>,
  ...needs: readonly StoreNeed[]
): StoreCase {
  return caseWith(name, ["commits", ...needs], run);
}

function caseWith(
  name: string,
  needs: readonly StoreNeed[],
  run: (scope: StoreScope) => Promise<void>,
): StoreCase {
  return {
    name,
    needs,
    async run(harness) {
      const opened = new Set<Store>();
      const keep = (store: Store): Store => {
        opened.add(store);
        return store;
      };
      try {
        await run({
          clock: harness.clock,
          open: async () => keep(await harness.open()),
          async reopen(store) {
            const again = await required(harness, "reopen")(store);
            opened.delete(store);
            return keep(again);
          },
          second: async (store) => keep(await required(harness, "second")(store)),
          follow,
        });
      } finally {
        for (const store of opened) await store.close();
      }
    },
  };
}

function follow(store: Store): CommitRecorder {
  if (store.onCommit === undefined) {
    throw new SuiteFailure("the store has no onCommit(); add it, or give the reason in lacks.commits");
  }
  const calls: (readonly Committed[])[] = [];
  const stop = store.onCommit((events) => void calls.push(events));
  return { calls, stop };
}

function required(harness: StoreHarness, need: "reopen" | "second"): (store: Store) => Promise<Store> {
  const method = harness[need];
  if (method === undefined) {
    throw new SuiteFailure(`the harness has no ${need}(); add it, or give the reason in lacks.${need}`);
  }
  return (store) => method.call(harness, store);
}
