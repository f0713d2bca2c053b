import { checkEqual } from "../check.js";
import { answered, sampleNewAsk, settle } from "../samples.js";
import { durableCase, type StoreCase, storeCase } from "./harness.js";

/** The count and age of pending asks, for monitoring. */
export const pendingCases: readonly StoreCase[] = [
  storeCase("pending asks are counted, and settled ones are not", async ({ open }) => {
    const store = await open();
    checkEqual(await store.asks.pendingSummary(), { count: 0 }, "in an empty store");
    const all = [];
    for (const recipients of [[], ["ana"], ["ana", "ben"]]) {
      all.push((await store.asks.insert(sampleNewAsk(store.now(), { recipients }))).ask);
    }
    checkEqual((await store.asks.pendingSummary()).count, 3, "whoever their recipients are");
    for (const [index, { id }] of all.entries()) {
      await store.asks.change(id, settle(answered("x")));
      checkEqual((await store.asks.pendingSummary()).count, 2 - index, `after ${index + 1} have ended`);
    }
    checkEqual(await store.asks.pendingSummary(), { count: 0 }, "once all have ended");
  }),

  storeCase("the oldest pending ask gives the age", async ({ open, clock }) => {
    const store = await open();
    const start = store.now();
    const insert = async (recipients: readonly string[]) => {
      const { ask } = await store.asks.insert(sampleNewAsk(store.now(), { recipients }));
      await clock.advance(100);
      return ask;
    };
    const first = await insert(["ana"]);
    const second = await insert([]);
    await insert(["ben"]);
    const oldest = async () => (await store.asks.pendingSummary()).oldestCreatedAt;
    checkEqual(await oldest(), start, "with all of them pending");
    await store.asks.change(second.id, settle(answered("x")));
    checkEqual(await oldest(), start, "once the second has ended");
    await store.asks.change(first.id, settle(answered("x")));
    checkEqual(await oldest(), start + 200, "once the first has ended too");
  }),

  durableCase("the count of pending asks survives a restart", async ({ open, reopen }) => {
    const store = await open();
    const createdAt = store.now();
    const { ask } = await store.asks.insert(sampleNewAsk(createdAt));
    await store.asks.insert(sampleNewAsk(createdAt + 1));
    await store.asks.insert(sampleNewAsk(createdAt + 2, { recipients: ["ana"] }));
    await store.asks.change(ask.id, settle(answered("x")));
    const again = await reopen(store);
    checkEqual(
      await again.asks.pendingSummary(),
      { count: 2, oldestCreatedAt: createdAt + 1 },
      "the summary",
    );
  }),
];
