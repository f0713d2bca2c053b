import { EVENT_LOG, type Store } from "../../hub/seam/store.js";
import { checkEqual } from "../check.js";
import { answered, sampleNewAsk, settle } from "../samples.js";
import { durableCase, type StoreCase, type StoreScope, storeCase } from "./harness.js";

/** Retention: old data is removed, and nothing else. */
export const pruneCases: readonly StoreCase[] = [
  storeCase("prune removes only asks that were settled before a time", async ({ open, clock }) => {
    const store = await open();
    const old = await settledAsk(store);
    const pending = await store.asks.insert(sampleNewAsk(store.now(), { timeoutMs: 1 }));
    await clock.advance(100);
    const at = store.now();
    const recent = await settledAsk(store);
    checkEqual(await store.asks.prune(at - 100, 10, []), 0, "settled at the time itself");
    checkEqual(await store.asks.prune(at, 10, []), 1, "how many were removed");
    checkEqual(await store.asks.get(old), undefined, "the old ask");
    checkEqual(await store.asks.get(pending.ask.id), pending.ask, "the pending ask");
    checkEqual((await store.asks.get(recent))?.status, "answered", "the recent ask");
    checkEqual(
      (await store.asks.list({ limit: 10 })).asks.map(({ id }) => id),
      [pending.ask.id, recent],
      "the list",
    );
    checkEqual(await store.asks.prune(at, 10, []), 0, "a second time");
  }),

  storeCase("prune removes the oldest first, up to its limit", async ({ open, clock }) => {
    const store = await open();
    const ids: string[] = [];
    for (let index = 0; index < 4; index += 1) {
      ids.push((await store.asks.insert(sampleNewAsk(store.now()))).ask.id);
    }
    // Settled in a different order than created.
    for (const index of [2, 0, 3, 1]) {
      await clock.advance(1);
      await store.asks.change(ids[index] ?? "", settle(answered("x")));
    }
    await clock.advance(1);
    checkEqual(await store.asks.prune(store.now(), 2, []), 2, "the first two");
    const left = await store.asks.list({ limit: 10 });
    checkEqual(
      left.asks.map(({ id }) => id),
      [ids[1], ids[3]],
      "those that are left",
    );
    checkEqual(await store.asks.prune(store.now(), 10, []), 2, "the rest");
  }),

  storeCase(
    "the events of a pruned ask are removed, and the bounds say where the complete log starts",
    async (scope) => {
      const { store, pending } = await prunedStore(scope);
      // 1 created old, 2 created pending, 3 opened old, 4 answered old, 5 extended pending
      const events = await store.logs.read(EVENT_LOG, { after: 0, limit: 10 });
      checkEqual(
        events.map(({ position, subject }) => ({ position, subject })),
        [
          { position: 2, subject: pending },
          { position: 5, subject: pending },
        ],
        "the events that are left",
      );
      checkEqual(await store.logs.bounds(EVENT_LOG), { first: 5, head: 5 }, "the bounds");
      checkEqual((await store.logs.bounds("other")).head, 1, "the head of another log");
      checkEqual((await store.logs.read("other", { after: 0, limit: 10 })).length, 1, "another log");
      const { ask } = await store.asks.insert(sampleNewAsk(store.now()));
      checkEqual(
        await store.logs.read(EVENT_LOG, { after: 5, limit: 10 }),
        [{ position: 6, at: store.now(), type: "ask.created", subject: ask.id }],
        "the next event",
      );
    },
  ),

  storeCase("a prune that removes nothing leaves the bounds alone", async ({ open }) => {
    const store = await open();
    await settledAsk(store);
    checkEqual(await store.asks.prune(store.now(), 10, []), 0, "how many were removed");
    checkEqual(await store.logs.bounds(EVENT_LOG), { first: 1, head: 2 }, "the bounds");
  }),

  storeCase("positions are never reused after a prune of everything", async ({ open, clock }) => {
    const store = await open();
    await settledAsk(store);
    await clock.advance(1);
    await store.asks.prune(store.now(), 10, []);
    checkEqual(await store.logs.bounds(EVENT_LOG), { first: 3, head: 2 }, "the bounds of an emptied log");
    await store.asks.insert(sampleNewAsk(store.now()));
    checkEqual(await store.logs.bounds(EVENT_LOG), { first: 3, head: 3 }, "the bounds after one more");
  }),

  durableCase("positions are never reused after a prune and a restart", async ({ open, reopen, clock }) => {
    const store = await open();
    await settledAsk(store);
    await clock.advance(1);
    await store.asks.prune(store.now(), 10, []);
    const again = await reopen(store);
    checkEqual(await again.logs.bounds(EVENT_LOG), { first: 3, head: 2 }, "the bounds of an emptied log");
    await again.asks.insert(sampleNewAsk(again.now()));
    const [event] = await again.logs.read(EVENT_LOG, { after: 0, limit: 10 });
    checkEqual(event?.position, 3, "the position of the next event");
  }),

  storeCase("the key of a pruned ask is free again", async ({ open, clock }) => {
    const store = await open();
    const keyed = () => sampleNewAsk(store.now(), { session: "s", key: "k" });
    const { ask } = await store.asks.insert(keyed());
    await store.asks.change(ask.id, settle(answered("x")));
    await clock.advance(1);
    await store.asks.prune(store.now(), 10, []);
    const again = keyed();
    checkEqual(await store.asks.insert(again), { kind: "created", ask: again.ask }, "asked once more");
  }),

  storeCase("the records of a pruned ask are removed, and no others", async ({ open, clock }) => {
    const store = await open();
    const id = await settledAsk(store, "ask_1%");
    // Keys that a pattern or a plain prefix would also match.
    const others = ["ask_1%", "ask_1%0/ana", "ask_1x/ana", "askX1%/ana", "ASK_1%/ana", "x/ask_1%/ana"];
    for (const key of [`${id}/ana`, `${id}/`, `${id}/ben/1`, ...others]) {
      for (const namespace of ["draft", "link", "kept"]) await store.records.put(namespace, key, 1);
    }
    await clock.advance(1);
    checkEqual(await store.asks.prune(store.now(), 10, ["draft", "link"]), 1, "how many were removed");
    for (const [namespace, count] of [
      ["draft", others.length],
      ["link", others.length],
      ["kept", others.length + 3],
    ] as const) {
      const left = await store.records.list(namespace, { limit: 100 });
      checkEqual(left.length, count, `the records left in ${namespace}`);
    }
  }),

  storeCase("prune keeps records that have not expired", async ({ open, clock }) => {
    const store = await open();
    await store.records.put("n", "short", 1, { expiresAt: store.now() + 10 });
    await store.records.put("n", "long", 1, { expiresAt: store.now() + 20 });
    await store.records.put("n", "lasting", 1);
    await clock.advance(10);
    await store.asks.prune(store.now(), 10, []);
    const left = await store.records.list("n", { limit: 10 });
    checkEqual(
      left.map(({ key }) => key),
      ["lasting", "long"],
      "what is left",
    );
  }),
];

async function settledAsk(store: Store, id?: string): Promise<string> {
  const { ask } = await store.asks.insert(sampleNewAsk(store.now(), id === undefined ? {} : { id }));
  await store.asks.change(ask.id, settle(answered("x")));
  return ask.id;
}

async function prunedStore({ open, clock }: StoreScope): Promise<{ store: Store; pending: string }> {
  const store = await open();
  const { ask: old } = await store.asks.insert(sampleNewAsk(store.now()));
  const { ask: pending } = await store.asks.insert(sampleNewAsk(store.now(), { timeoutMs: 1_000 }));
  await store.logs.append([{ log: EVENT_LOG, type: "ask.opened", subject: old.id }]);
  await store.logs.append([{ log: "other", type: "t", subject: old.id }]);
  await store.asks.change(old.id, settle(answered("x")));
  await store.asks.change(pending.id, { kind: "extend", deadline: store.now() + 2_000 });
  await clock.advance(1);
  await store.asks.prune(store.now(), 10, []);
  return { store, pending: pending.id };
}
