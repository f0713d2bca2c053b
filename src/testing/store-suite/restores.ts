import type { Ask } from "../../core/model/ask.js";
import { EVENT_LOG, type RestoredAsk, type RestoredEvent, type Store } from "../../hub/seam/store.js";
import { check, checkEqual } from "../check.js";
import { ANA, answered, type SampleInput, sampleNewAsk, settle } from "../samples.js";
import { durableCase, type StoreCase, storeCase } from "./harness.js";

const CREATED = 1_000;
const SETTLED = 5_000;

/** An old ask from another store. */
function kept(input: SampleInput = {}): RestoredAsk {
  const { ask } = sampleNewAsk(CREATED, input);
  const events: readonly RestoredEvent[] = [
    { at: CREATED, type: "ask.created" },
    { at: 3_000, type: "ask.opened", data: { by: { ...ANA } } },
  ];
  return { ask, events };
}

function keptSettled(input: SampleInput = {}, settledAt: number = SETTLED): RestoredAsk {
  const { ask, events } = kept(input);
  const outcome = answered("long ago");
  return {
    ask: Object.freeze<Ask>({ ...ask, status: "answered", settledAt, outcome }),
    events: [...events, { at: settledAt, type: "ask.answered", data: { by: { ...ANA } } }],
  };
}

async function idsOf(store: Store, query: Omit<Parameters<Store["asks"]["list"]>[0], "limit">) {
  return (await store.asks.list({ ...query, limit: 10 })).asks.map(({ id }) => id);
}

export const restoreCases: readonly StoreCase[] = [
  storeCase("a restored ask is unchanged, pending or settled", async ({ open }) => {
    const store = await open();
    const inputs = { recipients: ["ana"], session: "s", agentId: "a", asker: "x", context: "why" };
    const [pending, settled] = [kept(inputs), keptSettled(inputs)];
    for (const input of [pending, settled]) {
      checkEqual(await store.asks.restore(input), { kind: "restored", ask: input.ask }, "the result");
      checkEqual(await store.asks.get(input.ask.id), input.ask, "the ask");
    }
    for (const query of [{ person: "ana" }, { session: "s" }, { agentId: "a" }, { asker: "x" }]) {
      checkEqual(await idsOf(store, { ...query, status: "pending" }), [pending.ask.id], "those pending");
      checkEqual(await idsOf(store, { ...query, status: "settled" }), [settled.ask.id], "those settled");
    }
    checkEqual(await idsOf(store, { person: "ben" }), [], "what is for others");
  }),

  storeCase(
    "events of a restored ask keep their times and order, and get new positions",
    async ({ open }) => {
      const store = await open();
      const { ask: before } = await store.asks.insert(sampleNewAsk(store.now()));
      const restored = keptSettled();
      await store.asks.restore(restored);
      const { ask: after } = await store.asks.insert(sampleNewAsk(store.now()));
      checkEqual(
        await store.logs.read(EVENT_LOG, { after: 1, limit: 10, subject: restored.ask.id }),
        restored.events.map((event, index) => ({ position: index + 2, ...event, subject: restored.ask.id })),
        "its events",
      );
      checkEqual(await store.logs.bounds(EVENT_LOG), { first: 1, head: 5 }, "the bounds");
      checkEqual(await idsOf(store, {}), [before.id, restored.ask.id, after.id], "the order of creation");
    },
  ),

  storeCase("restoring an ask again changes nothing", async ({ open }) => {
    const store = await open();
    const restored = kept();
    await store.asks.restore(restored);
    const changed = await store.asks.change(restored.ask.id, settle(answered("now")));
    checkEqual(await store.asks.restore(restored), { kind: "known", ask: changed?.ask }, "the result");
    checkEqual((await store.logs.bounds(EVENT_LOG)).head, 3, "the events");
  }),

  storeCase("an ask whose session and key are taken is not restored", async ({ open }) => {
    const store = await open();
    const { ask } = await store.asks.insert(sampleNewAsk(store.now(), { session: "s", key: "k" }));
    const restored = kept({ session: "s", key: "k" });
    checkEqual(await store.asks.restore(restored), { kind: "taken", ask }, "the result");
    checkEqual(await store.asks.get(restored.ask.id), undefined, "the ask");
    checkEqual((await store.logs.bounds(EVENT_LOG)).head, 1, "the events");
  }),

  storeCase("the session and key of a restored ask are known", async ({ open }) => {
    const store = await open();
    const { ask } = await store.asks.restore(kept({ session: "s", key: "k" }));
    const again = sampleNewAsk(store.now(), { session: "s", key: "k" });
    checkEqual(await store.asks.insert(again), { kind: "known", ask }, "the result");
  }),

  storeCase("a restored ask is claimed at its deadline and settled like any other", async ({ open }) => {
    const store = await open();
    const { ask } = kept({ recipients: ["ana"] });
    const deadline = store.now() + 1_000;
    const due = Object.freeze<Ask>({ ...ask, deadline: store.now() });
    const later = Object.freeze<Ask>({ ...kept().ask, deadline });
    const overdue = Object.freeze<Ask>({ ...kept().ask, deadline: 1, overdue: true });
    for (const restored of [due, later, overdue]) await store.asks.restore({ ...kept(), ask: restored });
    checkEqual(await store.asks.get(overdue.id), overdue, "the one that is overdue");
    checkEqual(
      (await store.asks.claimDue(10, 1_000)).map(({ id }) => id),
      [due.id],
      "what is due",
    );
    const changed = await store.asks.change(due.id, { ...settle(answered("now")), when: "anytime" });
    check(changed?.applied === true, "it must be settled");
    checkEqual(await idsOf(store, { person: "ana", status: "answered" }), [due.id], "the one that ended");
    checkEqual(await store.asks.nextDeadline(), deadline, "the next deadline");
  }),

  storeCase("a restored settled ask is not settled again, and is pruned by its time", async ({ open }) => {
    const store = await open();
    const { ask, events } = keptSettled({ session: "s", key: "k", timeoutMs: 1_000 });
    await store.asks.restore({ ask, events });
    const changed = await store.asks.change(ask.id, settle(answered("now")));
    checkEqual(changed, { applied: false, ask }, "the second end");
    checkEqual(await store.asks.claimDue(10, 1_000), [], "what is due");
    checkEqual(await store.asks.prune(SETTLED, 10, []), 0, "pruned before its time");
    checkEqual(await store.asks.prune(SETTLED + 1, 10, []), 1, "pruned after it");
    checkEqual(await store.logs.read(EVENT_LOG, { after: 0, limit: 10 }), [], "the events that are left");
  }),

  storeCase("the asks that a prune would remove are counted", async ({ open }) => {
    const store = await open();
    for (const settledAt of [2_000, 3_000, 4_000]) await store.asks.restore(keptSettled({}, settledAt));
    await store.asks.insert(sampleNewAsk(1));
    checkEqual(await store.asks.countSettled(4_000), 2, "those before a time");
    checkEqual(await store.asks.countSettled(4_001), 3, "all that are settled");
  }),

  durableCase("a restored ask and its events survive a restart", async ({ open, reopen }) => {
    const store = await open();
    const restored = keptSettled({ recipients: ["ana"], timeoutMs: 2_000 });
    await store.asks.restore(restored);
    const again = await reopen(store);
    checkEqual(await again.asks.get(restored.ask.id), restored.ask, "the ask");
    checkEqual(
      (await again.logs.read(EVENT_LOG, { after: 0, limit: 10 })).map(({ at, type }) => ({ at, type })),
      restored.events.map(({ at, type }) => ({ at, type })),
      "its events",
    );
  }),
];
