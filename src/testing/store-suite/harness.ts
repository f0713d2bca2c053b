import type { Committed, Store } from "../../hub/seam/store.js";
import { SuiteFailure } from "../check.js";
import type { FakeClock } from "../fake-clock.js";
import type { SuiteCase, SuiteHarness } from "../suite.js";

/** What a store can be asked to show beyond one process that lives for ever, or may leave out. */
export type StoreNeed = "reopen" | "second" | "commits";

/** How the suite gets at a store. Every store it gives is open and counts time by `clock`. */
export interface StoreHarness extends SuiteHarness<StoreNeed> {
  readonly clock: FakeClock;
  /** A store with nothing in it. */
  open(): Promise<Store>;
  /** Closes the store and opens one anew on the same data, as after a restart. */
  reopen?(store: Store): Promise<Store>;
  /** Another store on the same data, as another process or node has it, while the first stays open. */
  second?(store: Store): Promise<Store>;
}

export type StoreCase = SuiteCase<StoreHarness, StoreNeed>;

/** What a case works with. What it opens here is closed when it ends, however it ends. */
export interface StoreScope {
  readonly clock: FakeClock;
  open(): Promise<Store>;
  reopen(store: Store): Promise<Store>;
  second(store: Store): Promise<Store>;
  /** Everything that a store's `onCommit` tells from now on, a list a call, until `stop`. */
  follow(store: Store): Told;
}

export interface Told {
  readonly calls: readonly (readonly Committed[])[];
  stop(): void;
}

export function storeCase(name: string, run: (scope: StoreScope) => Promise<void>): StoreCase {
  return caseWith(name, [], run);
}

/** A case about what is still there after a restart. */
export function durableCase(name: string, run: (scope: StoreScope) => Promise<void>): StoreCase {
  return caseWith(name, ["reopen"], run);
}

/** A case about several processes on the same data. */
export function sharedCase(name: string, run: (scope: StoreScope) => Promise<void>): StoreCase {
  return caseWith(name, ["second"], run);
}

/** A case about what a store tells of its own commits. */
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

function follow(store: Store): Told {
  if (store.onCommit === undefined) {
    throw new SuiteFailure("the store has no onCommit(); add it, or say in lacks.commits why it cannot tell");
  }
  const calls: (readonly Committed[])[] = [];
  const stop = store.onCommit((events) => void calls.push(events));
  return { calls, stop };
}

function required(harness: StoreHarness, need: "reopen" | "second"): (store: Store) => Promise<Store> {
  const given = harness[need];
  if (given === undefined) {
    throw new SuiteFailure(
      `the harness has no ${need}(); add it, or say in lacks.${need} why the store cannot do it`,
    );
  }
  return (store) => given.call(harness, store);
}
