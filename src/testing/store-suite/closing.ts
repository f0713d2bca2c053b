import { EVENT_LOG, type Store } from "../../hub/seam/store.js";
import { checkEqual, checkRejects } from "../check.js";
import { answered, sampleNewAsk, settle } from "../samples.js";
import { durableCase, type StoreCase, storeCase } from "./harness.js";

/** Closing a store, and reopening it. */
export const closingCases: readonly StoreCase[] = [
  storeCase("a closed store rejects everything with closed", async ({ open }) => {
    const store = await open();
    const { ask } = await store.asks.insert(sampleNewAsk(store.now()));
    await store.close();
    for (const [name, call] of Object.entries(everyCall(store, ask.id))) {
      await checkRejects("closed", call(), name);
    }
  }),

  storeCase("closing again does nothing", async ({ open }) => {
    const store = await open();
    await Promise.all([store.close(), store.close()]);
    await store.close();
  }),

  storeCase("calls that started before the close are finished", async ({ open }) => {
    const store = await open();
    const { ask } = await store.asks.insert(sampleNewAsk(store.now()));
    const pending = [
      store.asks.insert(sampleNewAsk(store.now())),
      store.asks.change(ask.id, settle(answered("x"))),
      store.records.put("n", "k", 1),
      store.logs.append([{ log: "l", type: "t" }]),
    ] as const;
    const closing = store.close();
    const [inserted, changed, put, positions] = await Promise.all(pending);
    await closing;
    checkEqual(inserted.kind, "created", "the insert");
    checkEqual(changed?.applied, true, "the change");
    checkEqual(put, { ok: true, version: 1 }, "the put");
    checkEqual(positions, [1], "the append");
  }),

  durableCase("writes that started before the close are stored", async ({ open, reopen }) => {
    const store = await open();
    const wanted = Array.from({ length: 20 }, () => sampleNewAsk(store.now()));
    const inserting = Promise.all(wanted.map((newAsk) => store.asks.insert(newAsk)));
    const again = await reopen(store);
    await inserting;
    const { asks } = await again.asks.list({ limit: 100 });
    checkEqual(
      asks,
      wanted.map(({ ask }) => ask),
      "the asks",
    );
  }),

  durableCase("all data survives a restart", async ({ open, reopen, clock }) => {
    let store = await open();
    const start = store.now();
    const keyed = () => sampleNewAsk(start, { session: "s", key: "k", recipients: ["ana"] });
    const { ask: first } = await store.asks.insert(keyed());
    const settlement = settle(answered("x"), "settlement_1");
    const settled = await store.asks.change(first.id, settlement, [{ log: "l", type: "t", data: [null] }]);
    const { ask: second } = await store.asks.insert(
      sampleNewAsk(start, { timeoutMs: 100, onDeadline: "wait" }),
    );
    await store.asks.change(second.id, { kind: "extend", deadline: start + 200 });
    await clock.advance(200);
    const overdue = await store.asks.change(second.id, { kind: "overdue" });
    const { ask: third } = await store.asks.insert(sampleNewAsk(start, { deadline: start + 5_000 }));
    await store.records.put("n", "k", { a: 1 }, { expiresAt: start + 9_000, availableAt: start + 1 });
    await store.records.put("n", "k", { a: 2 }, { expiresAt: start + 9_000, availableAt: start + 1 });
    await store.records.put("n", "gone", 1);
    await store.records.delete("n", "gone");
    const events = await store.logs.read(EVENT_LOG, { after: 0, limit: 100 });
    const entries = await store.logs.read("l", { after: 0, limit: 100 });

    for (const time of ["once", "twice"]) {
      store = await reopen(store);
      const { asks } = await store.asks.list({ limit: 100 });
      checkEqual(asks, [settled?.ask, overdue?.ask, third], `the asks, restarted ${time}`);
      checkEqual(await store.logs.read(EVENT_LOG, { after: 0, limit: 100 }), events, "the events");
      checkEqual(await store.logs.read("l", { after: 0, limit: 100 }), entries, "another log");
      checkEqual(await store.logs.bounds(EVENT_LOG), { first: 1, head: 6 }, "the bounds");
      checkEqual(
        await store.records.list("n", { limit: 10 }),
        [{ key: "k", value: { a: 2 }, version: 2, expiresAt: start + 9_000, availableAt: start + 1 }],
        "the records",
      );
      checkEqual((await store.asks.insert(keyed())).kind, "known", "the key");
      checkEqual((await store.asks.change(first.id, settlement))?.applied, true, "a retry of the settle");
      checkEqual(
        (await store.asks.change(first.id, settle(answered("y"))))?.applied,
        false,
        "another settle",
      );
      checkEqual(await store.asks.nextDeadline(), start + 5_000, "the next deadline");
      checkEqual((await store.records.put("n", "k", 0, { expect: 1 })).ok, false, "a put on an old version");
    }
    checkEqual(await store.logs.append([{ log: EVENT_LOG, type: "next" }]), [7], "the next position");
  }),

  durableCase("an expiry and a lease continue over a restart", async ({ open, reopen, clock }) => {
    const store = await open();
    await store.records.put("n", "expires", 1, { expiresAt: store.now() + 100 });
    await store.records.put("n", "leased", 1);
    await store.records.claim("n", 10, 200);
    const early = await reopen(store);
    checkEqual((await early.records.list("n", { limit: 10 })).length, 2, "at once");
    checkEqual(await early.records.claim("n", 10, 100), [], "claims at once");
    await early.close();
    await clock.advance(200);
    const late = await reopen(early);
    const claimed = await late.records.claim("n", 10, 100);
    checkEqual(
      claimed.map(({ key }) => key),
      ["leased"],
      "claims after both",
    );
  }),
];

function everyCall(store: Store, id: string): Readonly<Record<string, () => Promise<unknown>>> {
  const { asks, logs, records } = store;
  return {
    "asks.insert": () => asks.insert(sampleNewAsk(0)),
    "asks.change": () => asks.change(id, settle(answered("x"))),
    "asks.get": () => asks.get(id),
    "asks.findIds": () => asks.findIds("0000", ""),
    "asks.findKeys": () => asks.findKeys({ asker: "a", keys: ["k"], limit: 1 }),
    "asks.getByKey": () => asks.getByKey({ session: "s", key: "k" }),
    "asks.releaseKey": () => asks.releaseKey(id),
    "asks.usage": () => asks.usage("a"),
    "asks.getMany": () => asks.getMany([id]),
    "asks.list": () => asks.list({ limit: 1 }),
    "asks.claimDue": () => asks.claimDue(1, 1),
    "asks.nextDeadline": () => asks.nextDeadline(),
    "asks.pendingSummary": () => asks.pendingSummary(),
    "asks.prune": () => asks.prune(0, 1, []),
    "logs.append": () => logs.append([{ log: "l", type: "t" }]),
    "logs.read": () => logs.read("l", { after: 0, limit: 1 }),
    "logs.bounds": () => logs.bounds("l"),
    "logs.list": () => logs.list({ prefix: "", limit: 1 }),
    "logs.remove": () => logs.remove("l", 1),
    "logs.restore": () => logs.restore("l", { head: 0, first: 1, entries: [{ at: 0, type: "t" }] }),
    "records.get": () => records.get("n", "k"),
    "records.put": () => records.put("n", "k", 1),
    "records.delete": () => records.delete("n", "k"),
    "records.list": () => records.list("n", { limit: 1 }),
    "records.claim": () => records.claim("n", 1, 1),
  };
}
