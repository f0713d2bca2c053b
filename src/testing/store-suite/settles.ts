import { EVENT_LOG } from "../../hub/seam/store.js";
import { check, checkEqual } from "../check.js";
import { answered, BEN, EVERY_OUTCOME, newId, sampleNewAsk, settle } from "../samples.js";
import { type StoreCase, storeCase } from "./harness.js";

/** Settling: an ask ends once. */
export const settleCases: readonly StoreCase[] = [
  storeCase("each kind of outcome settles an ask and is stored unchanged", async ({ open, clock }) => {
    const store = await open();
    for (const outcome of EVERY_OUTCOME) {
      const { ask } = await store.asks.insert(sampleNewAsk(store.now()));
      await clock.advance(7);
      const expected = { ...ask, status: outcome.kind, settledAt: store.now(), outcome };
      const changed = await store.asks.change(ask.id, settle(outcome));
      checkEqual(changed, { applied: true, ask: expected }, outcome.kind);
      checkEqual(await store.asks.get(ask.id), expected, `${outcome.kind}, read again`);
    }
  }),

  storeCase("a settled ask is not settled again", async ({ open, clock }) => {
    const store = await open();
    const { ask } = await store.asks.insert(sampleNewAsk(store.now()));
    const won = await store.asks.change(ask.id, settle(answered("first")));
    await clock.advance(5);
    const lost = await store.asks.change(ask.id, settle(answered("second", BEN)));
    checkEqual(lost, { applied: false, ask: won?.ask }, "the second");
    const same = await store.asks.change(ask.id, settle(answered("first")));
    checkEqual(same, { applied: false, ask: won?.ask }, "the same outcome by another attempt");
    checkEqual(await store.asks.get(ask.id), won?.ask, "the ask as it stands");
    checkEqual((await store.logs.bounds(EVENT_LOG)).head, 2, "how many events there are");
  }),

  storeCase(
    "of a hundred racing settles exactly one is applied, and all see the winner",
    async ({ open }) => {
      const store = await open();
      const { ask } = await store.asks.insert(sampleNewAsk(store.now()));
      const results = await Promise.all(
        Array.from({ length: 100 }, async (_, index) => ({
          outcome: answered(`answer ${index}`),
          changed: await store.asks.change(ask.id, settle(answered(`answer ${index}`))),
        })),
      );
      const winners = results.filter(({ changed }) => changed?.applied);
      checkEqual(winners.length, 1, "how many were applied");
      for (const { changed } of results) {
        checkEqual(changed?.ask.outcome, winners[0]?.outcome, "the outcome that each one saw");
      }
      checkEqual((await store.asks.get(ask.id))?.outcome, winners[0]?.outcome, "the outcome that stands");
      checkEqual((await store.logs.bounds(EVENT_LOG)).head, 2, "how many events there are");
    },
  ),

  storeCase("racing settles of several asks have one winner per ask", async ({ open }) => {
    const store = await open();
    const inserted = await Promise.all(
      Array.from({ length: 10 }, () => store.asks.insert(sampleNewAsk(store.now()))),
    );
    const results = await Promise.all(
      inserted.flatMap(({ ask }) =>
        Array.from({ length: 5 }, (_, index) =>
          store.asks.change(ask.id, settle(answered(`${ask.id} ${index}`))),
        ),
      ),
    );
    for (const { ask } of inserted) {
      const ownResults = results.filter((changed) => changed?.ask.id === ask.id);
      checkEqual(ownResults.length, 5, "how many results an ask has");
      checkEqual(ownResults.filter((changed) => changed?.applied).length, 1, "how many of them were applied");
      const [first] = ownResults;
      check(first?.ask.outcome?.kind === "answered", "an ask is answered");
      check(first.ask.outcome.answers[0]?.text?.startsWith(ask.id) === true, "it has an answer of its own");
    }
  }),

  storeCase("a retried settle recognises its own win", async ({ open, clock }) => {
    const store = await open();
    const { ask } = await store.asks.insert(sampleNewAsk(store.now()));
    const settlement = settle(answered("mine"), newId("settlement"));
    const won = await store.asks.change(ask.id, settlement, [{ log: "audit", type: "settled" }]);
    await clock.advance(5);
    const again = await store.asks.change(ask.id, settlement, [{ log: "audit", type: "settled" }]);
    checkEqual(again, { applied: true, ask: won?.ask }, "the retry");
    const other = await store.asks.change(ask.id, settle(answered("other")));
    checkEqual(other?.applied, false, "another attempt");
    checkEqual((await store.logs.bounds(EVENT_LOG)).head, 2, "how many events there are");
    checkEqual((await store.logs.bounds("audit")).head, 1, "the number of additional entries");
  }),

  storeCase("a settle that lost still loses when it is retried", async ({ open }) => {
    const store = await open();
    const { ask } = await store.asks.insert(sampleNewAsk(store.now()));
    await store.asks.change(ask.id, settle(answered("winner")));
    const loser = settle(answered("loser"), newId("settlement"));
    for (const attempt of ["first", "second"]) {
      checkEqual((await store.asks.change(ask.id, loser))?.applied, false, `the ${attempt} attempt`);
    }
  }),
];
