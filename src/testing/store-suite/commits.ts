import { type Committed, EVENT_LOG, type Store } from "../../hub/seam/store.js";
import { check, checkEqual, copyOf, vandalise } from "../check.js";
import { answered, EVERY_OUTCOME, sampleNewAsk, settle } from "../samples.js";
import { commitCase, type StoreCase } from "./harness.js";

/** `onCommit`: a store reports its own commits, equal to the log and sooner. */
export const commitCases: readonly StoreCase[] = [
  commitCase("each event is reported as it is in the log, with the ask at that time", async (scope) => {
    const store = await scope.open();
    const reported = scope.follow(store);
    const start = store.now();
    const expected = [];
    const { ask } = await store.asks.insert(sampleNewAsk(start, { timeoutMs: 1_000 }));
    expected.push(ask);
    await scope.clock.advance(10);
    expected.push((await store.asks.change(ask.id, { kind: "extend", deadline: start + 2_000 }))?.ask);
    await scope.clock.advance(1_990);
    expected.push((await store.asks.change(ask.id, { kind: "overdue" }))?.ask);
    for (const outcome of EVERY_OUTCOME) {
      const inserted = await store.asks.insert(sampleNewAsk(store.now()));
      await scope.clock.advance(7);
      expected.push(inserted.ask, (await store.asks.change(inserted.ask.id, settle(outcome)))?.ask);
    }
    const events = reported.calls.flat();
    checkEqual(
      events.map((event) => event.ask),
      expected,
      "the asks",
    );
    await checkAsLogged(store, events);
  }),

  commitCase("events are reported in position order, however many writers there are", async (scope) => {
    const store = await scope.open();
    const reported = scope.follow(store);
    const cycle = async (): Promise<void> => {
      const { ask } = await store.asks.insert(sampleNewAsk(store.now(), { timeoutMs: 1_000 }));
      await Promise.all([
        store.asks.change(ask.id, { kind: "extend", deadline: store.now() + 5_000 }),
        store.asks.change(ask.id, settle(answered("x"))),
      ]);
    };
    await Promise.all(Array.from({ length: 100 }, cycle));
    const events = reported.calls.flat();
    checkEqual(
      events.map(({ position }) => position),
      Array.from({ length: events.length }, (_, index) => index + 1),
      "the positions",
    );
    check(events.length >= 200, "each ask was created and answered");
    await checkAsLogged(store, events);
  }),

  commitCase("an event is reported after its commit and before its call resolves", async (scope) => {
    const store = await scope.open();
    const reported = scope.follow(store);
    const seen: Promise<unknown>[] = [];
    store.onCommit?.((events) => {
      for (const { ask } of events) seen.push(store.asks.get(ask.id).catch(() => undefined));
    });
    const reportedFor = (id: string): number =>
      reported.calls.flat().filter(({ ask }) => ask.id === id).length;
    const cycle = async (): Promise<void> => {
      const { ask } = await store.asks.insert(sampleNewAsk(store.now()));
      checkEqual(reportedFor(ask.id), 1, "events of an ask whose insert has resolved");
      await store.asks.change(ask.id, settle(answered("x")));
      checkEqual(reportedFor(ask.id), 2, "events of an ask whose settle has resolved");
    };
    const { ask } = await store.asks.insert(sampleNewAsk(store.now()));
    checkEqual(await Promise.all(seen), [ask], "the ask, read when its event is reported");
    await Promise.all(Array.from({ length: 30 }, cycle));
  }),

  commitCase("a call that changes nothing reports no event", async (scope) => {
    const store = await scope.open();
    const reported = scope.follow(store);
    const first = sampleNewAsk(store.now(), { key: "k", timeoutMs: 9_000 });
    const { ask } = await store.asks.insert(first);
    await store.asks.insert(first);
    await store.asks.insert(sampleNewAsk(store.now(), { key: "k" }));
    await store.asks.insert(sampleNewAsk(store.now(), { key: "k", context: "other" }));
    await store.asks.change(ask.id, { kind: "extend", deadline: store.now() });
    await store.asks.change(ask.id, { ...settle({ kind: "expired" }), when: "due" });
    await store.asks.change(ask.id, { kind: "overdue" });
    await store.asks.change("nobody", settle(answered("x")));
    const settlement = settle(answered("x"));
    await store.asks.change(ask.id, settlement);
    await store.asks.change(ask.id, settlement);
    await store.asks.change(ask.id, settle(answered("y")));
    checkEqual(
      reported.calls.flat().map(({ type }) => type),
      ["ask.created", "ask.answered"],
      "the events",
    );
  }),

  commitCase("other log entries are not reported as events of asks", async (scope) => {
    const store = await scope.open();
    const reported = scope.follow(store);
    const along = [{ log: EVENT_LOG, type: "extra" }];
    const { ask } = await store.asks.insert(sampleNewAsk(store.now()), along);
    await store.records.put("n", "k", 1, { append: along });
    await store.logs.append(along);
    await store.asks.change(ask.id, settle(answered("x")), along);
    checkEqual(
      reported.calls.flat().map(({ position, type }) => `${position} ${type}`),
      ["1 ask.created", "5 ask.answered"],
      "the events",
    );
  }),

  commitCase("a commit reports all of its events or none", async (scope) => {
    const store = await scope.open();
    const count = 1_100;
    const asks = Array.from({ length: count }, () => sampleNewAsk(store.now()));
    await Promise.all(asks.map((newAsk) => store.asks.insert(newAsk)));
    const reported = scope.follow(store);
    // The oldest asks may no longer be cached: a store may have to read them, or report no events.
    const ids = asks.flatMap(({ ask }, index) => (index < 20 || index >= count - 20 ? [ask.id] : []));
    await Promise.all(ids.map((id) => store.asks.change(id, settle(answered("x")))));
    check(reported.calls.length > 0, "the listener is called");
    for (const events of reported.calls) {
      for (const [index, { position }] of events.entries()) {
        checkEqual(position, (events[0]?.position ?? 0) + index, "the positions of one call");
      }
    }
    if (reported.calls.every((events) => events.length > 0)) {
      checkEqual(reported.calls.flat().length, ids.length, "the number of reported events");
    }
    const before = reported.calls.length;
    await store.asks.change(asks[20]?.ask.id ?? "", settle(answered("x")));
    checkEqual(reported.calls.length, before + 1, "calls after one more change");
    await checkAsLogged(store, reported.calls.flat());
  }),

  commitCase(
    "a change of an ask that was stored before a restart is reported",
    async (scope) => {
      const store = await scope.open();
      const { ask } = await store.asks.insert(sampleNewAsk(store.now()));
      const again = await scope.reopen(store);
      const reported = scope.follow(again);
      const changed = await again.asks.change(ask.id, settle(answered("x")));
      checkEqual(reported.calls.length, 1, "how often the listener was called");
      for (const event of reported.calls.flat()) checkEqual(event.ask, changed?.ask, "the ask");
    },
    "reopen",
  ),

  commitCase("a reported event is not affected by later changes to the input", async (scope) => {
    const store = await scope.open();
    const reported = scope.follow(store);
    const input = copyOf(sampleNewAsk(store.now(), { context: "as it was" }));
    const inserting = store.asks.insert(input);
    const { id } = input.ask;
    vandalise(input);
    await inserting;
    const change = copyOf(settle(answered("as it was")));
    const changing = store.asks.change(id, change);
    vandalise(change);
    const changed = await changing;
    const events = reported.calls.flat();
    checkEqual(events[0]?.ask.context, "as it was", "the ask when it was created");
    checkEqual(events[1]?.ask, changed?.ask, "the ask when it was answered");
    await checkAsLogged(store, events);
  }),

  commitCase("a removed listener is not called, and the others are", async (scope) => {
    const store = await scope.open();
    const first = scope.follow(store);
    const second = scope.follow(store);
    await store.asks.insert(sampleNewAsk(store.now()));
    first.stop();
    first.stop();
    await store.asks.insert(sampleNewAsk(store.now()));
    checkEqual([first.calls.length, second.calls.length], [1, 2], "calls of the two listeners");
  }),

  commitCase(
    "writes of another store are in the log, but not reported",
    async (scope) => {
      const firstStore = await scope.open();
      const secondStore = await scope.second(firstStore);
      const reported = scope.follow(firstStore);
      const reportedBySecond = scope.follow(secondStore);
      const { ask } = await secondStore.asks.insert(sampleNewAsk(secondStore.now()));
      const settled = await firstStore.asks.change(ask.id, settle(answered("x")));
      await secondStore.asks.insert(sampleNewAsk(secondStore.now()));
      checkEqual((await firstStore.logs.bounds(EVENT_LOG)).head, 3, "the head of the log");
      checkEqual(
        reportedBySecond.calls.flat().map(({ position }) => position),
        [1, 3],
        "the events reported by the other store",
      );
      checkEqual(reported.calls.length, 1, "how often the listener was called");
      for (const event of reported.calls.flat()) {
        checkEqual([event.position, event.ask], [2, settled?.ask], "the reported event");
      }
    },
    "second",
  ),
];

/** Checks that each reported event equals the log entry at its position. */
async function checkAsLogged(store: Store, events: readonly Committed[]): Promise<void> {
  const logged = new Map<number, unknown>();
  for (const entry of await store.logs.read(EVENT_LOG, { after: 0, limit: 10_000 })) {
    logged.set(entry.position, entry);
  }
  for (const { ask, ...event } of events) {
    checkEqual(
      { ...event, subject: ask.id },
      logged.get(event.position),
      "an event, as reported and as logged",
    );
  }
}
