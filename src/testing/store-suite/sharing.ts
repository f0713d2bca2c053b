import { EVENT_LOG, type Store } from "../../hub/seam/store.js";
import { check, checkEqual, SuiteFailure } from "../check.js";
import { type FakeClock, turnOfEvents, whileTimePasses } from "../fake-clock.js";
import { answered, sampleNewAsk, settle } from "../samples.js";
import { type StoreCase, sharedCase } from "./harness.js";
import { checkTail } from "./logs.js";

/** Several processes or nodes on the same data. */
export const sharingCases: readonly StoreCase[] = [
  sharedCase("a process reads the writes of another", async ({ open, second }) => {
    const firstStore = await open();
    const secondStore = await second(firstStore);
    const { ask } = await firstStore.asks.insert(sampleNewAsk(firstStore.now(), { key: "k" }));
    checkEqual(await secondStore.asks.get(ask.id), ask, "the ask");
    const again = sampleNewAsk(firstStore.now(), { key: "k" });
    checkEqual(await secondStore.asks.insert(again), { kind: "known", ask }, "its key");
    const settled = await secondStore.asks.change(ask.id, settle(answered("x")));
    checkEqual(await firstStore.asks.get(ask.id), settled?.ask, "its end");
    await secondStore.records.put("n", "k", 1);
    checkEqual(
      await firstStore.records.put("n", "k", 2, { expect: 1 }),
      { ok: true, version: 2 },
      "a record",
    );
    checkEqual(await firstStore.logs.append([{ log: EVENT_LOG, type: "t" }]), [3], "the next position");
  }),

  sharedCase("an ask is settled once by racing processes", async (scope) => {
    const stores = await twoStores(scope);
    const [firstStore] = stores;
    for (let round = 0; round < 5; round += 1) {
      const { ask } = await firstStore.asks.insert(sampleNewAsk(firstStore.now()));
      const changes = await whileTimePasses(
        scope.clock,
        Promise.all(
          Array.from({ length: 50 }, async (_, index) => {
            const store = stores[index % 2] ?? firstStore;
            return store.asks.change(ask.id, settle(answered(`answer ${index}`)));
          }),
        ),
      );
      const winners = changes.filter((changed) => changed?.applied);
      checkEqual(winners.length, 1, "how many were applied");
      for (const changed of changes) checkEqual(changed?.ask, winners[0]?.ask, "what each one saw");
    }
    checkEqual(await firstStore.logs.bounds(EVENT_LOG), { first: 1, head: 10 }, "the event log");
  }),

  sharedCase("a key creates one ask among racing processes", async (scope) => {
    const stores = await twoStores(scope);
    const [firstStore] = stores;
    const inserted = await whileTimePasses(
      scope.clock,
      Promise.all(
        Array.from({ length: 40 }, async (_, index) => {
          const store = stores[index % 2] ?? firstStore;
          return store.asks.insert(sampleNewAsk(firstStore.now(), { key: `k${index % 4}` }));
        }),
      ),
    );
    checkEqual(inserted.filter(({ kind }) => kind === "created").length, 4, "how many were created");
    checkEqual(new Set(inserted.map(({ ask }) => ask.id)).size, 4, "how many different asks there are");
    checkEqual(await firstStore.logs.bounds(EVENT_LOG), { first: 1, head: 4 }, "the event log");
  }),

  sharedCase("a version is written once by racing processes", async (scope) => {
    const stores = await twoStores(scope);
    const [firstStore] = stores;
    for (const expect of [null, 1, 2]) {
      const puts = await whileTimePasses(
        scope.clock,
        Promise.all(
          Array.from({ length: 20 }, async (_, index) => {
            const store = stores[index % 2] ?? firstStore;
            return store.records.put("n", "k", index, { expect });
          }),
        ),
      );
      checkEqual(puts.filter(({ ok }) => ok).length, 1, `how many won over version ${expect}`);
    }
  }),

  sharedCase("a claim belongs to one process", async (scope) => {
    const stores = await twoStores(scope);
    const [firstStore] = stores;
    for (let index = 0; index < 20; index += 1) {
      await firstStore.asks.insert(sampleNewAsk(firstStore.now(), { timeoutMs: 10 }));
      await firstStore.records.put("n", `k${index}`, 0);
    }
    await scope.clock.advance(10);
    const claims = await whileTimePasses(
      scope.clock,
      Promise.all(
        Array.from({ length: 30 }, async (_, index) => {
          const store = stores[index % 2] ?? firstStore;
          const asks = await store.asks.claimDue(3, 60_000);
          const records = await store.records.claim("n", 3, 60_000);
          return [...asks.map(({ id }) => id), ...records.map(({ key }) => key)];
        }),
      ),
    );
    const claimed = claims.flat();
    checkEqual(claimed.length, 40, "how many were claimed");
    checkEqual(new Set(claimed).size, 40, "how many different ones");
  }),

  sharedCase("a reader misses no writes of several processes", async (scope) => {
    const stores = await twoStores(scope);
    const reader = await scope.second(stores[0]);
    await whileTimePasses(
      scope.clock,
      checkTail(
        stores.map(({ logs }) => logs),
        reader.logs,
      ),
    );
  }),

  sharedCase("a commit of another process is noticed until the watch stops", async (scope) => {
    const [firstStore, secondStore] = await twoStores(scope);
    let calls = 0;
    let dropped = 0;
    const stop = firstStore.watch(() => {
      calls += 1;
    });
    firstStore.watch(() => {
      dropped += 1;
    })();
    for (const write of [
      () => secondStore.asks.insert(sampleNewAsk(secondStore.now())),
      () => secondStore.logs.append([{ log: "l", type: "t" }]),
      () => secondStore.records.put("n", "k", 1),
    ]) {
      const before = calls;
      await write();
      await eventually(scope.clock, () => calls > before, "the other process's commit was never noticed");
    }
    stop();
    checkEqual(dropped, 0, "calls of a listener that stopped before");
  }),

  sharedCase("closing one store does not affect another", async (scope) => {
    const [firstStore, secondStore] = await twoStores(scope);
    await firstStore.close();
    const { ask } = await secondStore.asks.insert(sampleNewAsk(secondStore.now()));
    checkEqual(await secondStore.asks.get(ask.id), ask, "the ask");
    check((await secondStore.logs.bounds(EVENT_LOG)).head === 1, "its event is there");
  }),
];

async function twoStores(scope: {
  open(): Promise<Store>;
  second(store: Store): Promise<Store>;
}): Promise<readonly [Store, Store]> {
  const firstStore = await scope.open();
  return [firstStore, await scope.second(firstStore)];
}

const MAX_WAIT_MS = 5_000;

/** Waits for an external event, while the clock and the real event loop advance. */
async function eventually(clock: FakeClock, condition: () => boolean, message: string): Promise<void> {
  const start = performance.now();
  while (!condition()) {
    if (performance.now() - start > MAX_WAIT_MS) throw new SuiteFailure(message);
    await clock.advance(10);
    await turnOfEvents();
  }
}
