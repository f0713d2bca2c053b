import type { Store } from "../../hub/store.js";
import { SuiteFailure } from "../check.js";
import type { FakeClock } from "../fake-clock.js";
import type { SuiteCase, SuiteHarness } from "../suite.js";

/** What a store can be asked to show beyond one process that lives for ever. */
export type StoreNeed = "reopen" | "second";

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
        });
      } finally {
        for (const store of opened) await store.close();
      }
    },
  };
}

function required(harness: StoreHarness, need: StoreNeed): (store: Store) => Promise<Store> {
  const given = harness[need];
  if (given === undefined) {
    throw new SuiteFailure(
      `the harness has no ${need}(); add it, or say in lacks.${need} why the store cannot do it`,
    );
  }
  return (store) => given.call(harness, store);
}
