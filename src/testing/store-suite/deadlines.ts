import { EVENT_LOG } from "../../hub/seam/store.js";
import { check, checkEqual } from "../check.js";
import { answered, sampleNewAsk, settle } from "../samples.js";
import { durableCase, type StoreCase, storeCase } from "./harness.js";

const DAY = 86_400_000;
const OVERDUE = { kind: "overdue" } as const;
const EXPIRED = { ...settle({ kind: "expired" }), when: "due" } as const;

/** Deadlines: extended, passed and claimed. */
export const deadlineCases: readonly StoreCase[] = [
  storeCase(
    "a settle that needs a passed deadline is refused before the deadline",
    async ({ open, clock }) => {
      const store = await open();
      const { ask } = await store.asks.insert(sampleNewAsk(store.now(), { timeoutMs: 1_000 }));
      await clock.advance(999);
      checkEqual(await store.asks.change(ask.id, EXPIRED), { applied: false, ask }, "a millisecond before");
      checkEqual((await store.logs.bounds(EVENT_LOG)).head, 1, "events before the deadline");
      await clock.advance(1);
      const changed = await store.asks.change(ask.id, EXPIRED);
      checkEqual(changed?.applied, true, "at the deadline");
      checkEqual(changed?.ask.status, "expired", "the status");
    },
  ),

  storeCase("an answer after the deadline is refused, and the ask stays pending", async ({ open, clock }) => {
    const store = await open();
    const insert = async (timeoutMs: number) =>
      (await store.asks.insert(sampleNewAsk(store.now(), { timeoutMs }))).ask;
    const early = await insert(1_000);
    const late = await insert(1_000);
    const waiting = await insert(1_000);
    await clock.advance(999);
    const won = await store.asks.change(early.id, settle(answered("in time")));
    checkEqual(won?.applied, true, "a millisecond before the deadline");
    await clock.advance(1);
    const refused = await store.asks.change(late.id, settle(answered("late")));
    checkEqual(refused, { applied: false, ask: late }, "at the deadline");
    checkEqual(await store.asks.get(late.id), late, "the ask as it stands");
    const overdue = await store.asks.change(waiting.id, { ...settle(answered("late")), when: "anytime" });
    checkEqual(overdue?.applied, true, "a settle at any time");
    const retried = { ...settle(answered("retried")), settlementId: "settle_retried" };
    const { ask } = await store.asks.insert(sampleNewAsk(store.now(), { timeoutMs: 1_000 }));
    await store.asks.change(ask.id, retried);
    await clock.advance(1_000);
    checkEqual((await store.asks.change(ask.id, retried))?.applied, true, "a retry of its own win");
    const events = await store.logs.read(EVENT_LOG, { after: 0, limit: 10, subject: late.id });
    checkEqual(
      events.map(({ type }) => type),
      ["ask.created"],
      "the events of the late one",
    );
  }),

  storeCase("an ask without a deadline is never due", async ({ open, clock }) => {
    const store = await open();
    const { ask } = await store.asks.insert(sampleNewAsk(store.now()));
    await clock.advance(DAY);
    checkEqual(await store.asks.change(ask.id, EXPIRED), { applied: false, ask }, "a settle if due");
    checkEqual(await store.asks.claimDue(10, 1_000), [], "what is claimed");
    checkEqual(await store.asks.nextDeadline(), undefined, "the next deadline");
  }),

  storeCase("extending moves a deadline forward, never back", async ({ open }) => {
    const store = await open();
    const deadline = store.now() + 1_000;
    const { ask } = await store.asks.insert(sampleNewAsk(store.now(), { deadline }));
    const later = { ...ask, deadline: deadline + 500 };
    const extended = await store.asks.change(ask.id, { kind: "extend", deadline: deadline + 500 });
    checkEqual(extended, { applied: true, ask: later }, "forward");
    for (const to of [deadline, deadline + 499, deadline + 500]) {
      const kept = await store.asks.change(ask.id, { kind: "extend", deadline: to });
      checkEqual(kept, { applied: false, ask: later }, `to ${to - deadline} after the first deadline`);
    }
    checkEqual(await store.asks.get(ask.id), later, "the ask as it stands");
    checkEqual(await store.asks.nextDeadline(), deadline + 500, "the next deadline");
    const events = await store.logs.read(EVENT_LOG, { after: 1, limit: 10 });
    checkEqual(
      events.map(({ type, subject, data }) => ({ type, subject, data })),
      [{ type: "ask.extended", subject: ask.id, data: { deadline: deadline + 500 } }],
      "the events",
    );
  }),

  storeCase("an ask that is settled or has no deadline is not extended", async ({ open }) => {
    const store = await open();
    const later = { kind: "extend", deadline: store.now() + 9_000 } as const;
    const { ask: open_ } = await store.asks.insert(sampleNewAsk(store.now()));
    checkEqual(
      await store.asks.change(open_.id, later),
      { applied: false, ask: open_ },
      "without a deadline",
    );
    const { ask } = await store.asks.insert(sampleNewAsk(store.now(), { timeoutMs: 1_000 }));
    const won = await store.asks.change(ask.id, settle(answered("x")));
    checkEqual(await store.asks.change(ask.id, later), { applied: false, ask: won?.ask }, "once settled");
  }),

  storeCase("a deadline that has passed is not extended, unless that is allowed", async ({ open, clock }) => {
    const store = await open();
    const { ask } = await store.asks.insert(sampleNewAsk(store.now(), { timeoutMs: 1_000 }));
    const first = { kind: "extend", deadline: store.now() + 2_000 } as const;
    await clock.advance(999);
    const extended = await store.asks.change(ask.id, first);
    checkEqual(extended?.applied, true, "a millisecond before the deadline");
    await clock.advance(1_001);
    const second = { kind: "extend", deadline: store.now() + 9_000 } as const;
    checkEqual(await store.asks.change(ask.id, second), { applied: false, ask: extended?.ask }, "at it");
    checkEqual((await store.logs.bounds(EVENT_LOG)).head, 2, "the events");
    const allowed = await store.asks.change(ask.id, { ...second, when: "anytime" });
    const later = extended && { ...extended.ask, deadline: second.deadline };
    checkEqual(allowed, { applied: true, ask: later }, "where that is allowed");
  }),

  storeCase("an extended ask is due at its new deadline only", async ({ open, clock }) => {
    const store = await open();
    const { ask } = await store.asks.insert(sampleNewAsk(store.now(), { timeoutMs: 1_000 }));
    await store.asks.change(ask.id, { kind: "extend", deadline: store.now() + 3_000 });
    await clock.advance(2_999);
    checkEqual(await store.asks.claimDue(10, 1_000), [], "before the new deadline");
    checkEqual((await store.asks.change(ask.id, EXPIRED))?.applied, false, "a settle before it");
    await clock.advance(1);
    checkEqual((await store.asks.claimDue(10, 1_000)).length, 1, "at the new deadline");
  }),

  storeCase("extending ends the lease of a claim", async ({ open, clock }) => {
    const store = await open();
    const { ask } = await store.asks.insert(sampleNewAsk(store.now(), { timeoutMs: 1_000 }));
    await clock.advance(1_000);
    checkEqual(await store.asks.claimDue(10, 30_000), [ask], "the first claim");
    await store.asks.change(ask.id, { kind: "extend", deadline: store.now(), when: "anytime" });
    await store.asks.change(ask.id, { kind: "extend", deadline: store.now() + 400 });
    checkEqual(await store.asks.claimDue(10, 30_000), [], "without an extension");
    const extended = await store.asks.change(ask.id, {
      ...{ kind: "extend", deadline: store.now() + 500, when: "anytime" },
    });
    await clock.advance(499);
    checkEqual(await store.asks.claimDue(10, 30_000), [], "before the new deadline");
    await clock.advance(1);
    checkEqual(await store.asks.claimDue(10, 30_000), [extended?.ask], "at the new deadline");
    checkEqual(await store.asks.claimDue(10, 30_000), [], "once it is claimed again");
  }),

  storeCase("an ask becomes overdue once, and stays pending", async ({ open, clock }) => {
    const store = await open();
    const { ask } = await store.asks.insert(
      sampleNewAsk(store.now(), { timeoutMs: 1_000, onDeadline: "wait" }),
    );
    await clock.advance(1_000);
    const overdue = { ...ask, overdue: true };
    checkEqual(await store.asks.change(ask.id, OVERDUE), { applied: true, ask: overdue }, "once");
    checkEqual(await store.asks.change(ask.id, OVERDUE), { applied: false, ask: overdue }, "a second time");
    checkEqual(await store.asks.claimDue(10, 1_000), [], "what is claimed");
    checkEqual(await store.asks.nextDeadline(), undefined, "the next deadline");
    const won = await store.asks.change(ask.id, { ...settle(answered("late")), when: "anytime" });
    checkEqual(won?.applied, true, "an answer after that");
    checkEqual(won?.ask.overdue, true, "that it was overdue");
    const events = await store.logs.read(EVENT_LOG, { after: 0, limit: 10 });
    checkEqual(
      events.map(({ type }) => type),
      ["ask.created", "ask.overdue", "ask.answered"],
      "the events",
    );
  }),

  storeCase("an ask does not become overdue before its deadline", async ({ open, clock }) => {
    const store = await open();
    const { ask: open_ } = await store.asks.insert(sampleNewAsk(store.now()));
    const { ask } = await store.asks.insert(
      sampleNewAsk(store.now(), { timeoutMs: 1_000, onDeadline: "wait" }),
    );
    await clock.advance(1_000);
    checkEqual(
      await store.asks.change(open_.id, OVERDUE),
      { applied: false, ask: open_ },
      "without a deadline",
    );
    checkEqual(await store.asks.claimDue(10, 1_000), [ask], "what is claimed");
    const deadline = store.now() + 500;
    const later = { ...ask, deadline };
    await store.asks.change(ask.id, { kind: "extend", deadline, when: "anytime" });
    checkEqual(await store.asks.change(ask.id, OVERDUE), { applied: false, ask: later }, "once extended");
    await clock.advance(499);
    checkEqual(
      await store.asks.change(ask.id, OVERDUE),
      { applied: false, ask: later },
      "a millisecond before",
    );
    checkEqual(await store.asks.nextDeadline(), deadline, "the next deadline");
    checkEqual((await store.logs.bounds(EVENT_LOG)).head, 3, "events before the deadline");
    await clock.advance(1);
    checkEqual(
      await store.asks.change(ask.id, OVERDUE),
      { applied: true, ask: { ...later, overdue: true } },
      "at the deadline",
    );
  }),

  storeCase("a settled ask does not become overdue", async ({ open, clock }) => {
    const store = await open();
    const { ask } = await store.asks.insert(sampleNewAsk(store.now(), { timeoutMs: 1_000 }));
    const won = await store.asks.change(ask.id, settle(answered("x")));
    await clock.advance(1_000);
    const changed = await store.asks.change(ask.id, OVERDUE);
    checkEqual(changed, { applied: false, ask: won?.ask }, "the result");
  }),

  storeCase("only due asks are claimed, the earliest deadline first", async ({ open, clock }) => {
    const store = await open();
    const insert = async (timeoutMs: number) =>
      (await store.asks.insert(sampleNewAsk(store.now(), { timeoutMs }))).ask;
    const third = await insert(300);
    const first = await insert(100);
    const second = await insert(200);
    await insert(301);
    const settled = await insert(50);
    await store.asks.change(settled.id, settle(answered("x")));
    checkEqual(await store.asks.claimDue(10, 1_000), [], "before any deadline");
    await clock.advance(300);
    checkEqual(await store.asks.claimDue(2, 1_000), [first, second], "the first two");
    checkEqual(await store.asks.claimDue(10, 1_000), [third], "the rest");
    checkEqual(await store.asks.claimDue(10, 1_000), [], "once all are claimed");
  }),

  storeCase("a claim lasts exactly as long as its lease", async ({ open, clock }) => {
    const store = await open();
    const { ask } = await store.asks.insert(sampleNewAsk(store.now(), { timeoutMs: 100 }));
    await clock.advance(100);
    checkEqual(await store.asks.claimDue(10, 500), [ask], "the first claim");
    await clock.advance(499);
    checkEqual(await store.asks.claimDue(10, 500), [], "within the lease");
    await clock.advance(1);
    checkEqual(await store.asks.claimDue(10, 500), [ask], "after the lease");
    await clock.advance(500);
    await store.asks.change(ask.id, EXPIRED);
    checkEqual(await store.asks.claimDue(10, 500), [], "once settled");
  }),

  storeCase("concurrent claims never get the same ask", async ({ open, clock }) => {
    const store = await open();
    for (let index = 0; index < 20; index += 1) {
      await store.asks.insert(sampleNewAsk(store.now(), { timeoutMs: 100 + index }));
    }
    await clock.advance(200);
    const claims = await Promise.all(Array.from({ length: 30 }, () => store.asks.claimDue(1, 1_000)));
    const ids = claims.flat().map(({ id }) => id);
    checkEqual(ids.length, 20, "how many were claimed");
    checkEqual(new Set(ids).size, 20, "how many different ones");
  }),

  storeCase("the next deadline is the earliest of all pending asks", async ({ open, clock }) => {
    const store = await open();
    const start = store.now();
    checkEqual(await store.asks.nextDeadline(), undefined, "in an empty store");
    const { ask } = await store.asks.insert(sampleNewAsk(start, { deadline: start + 100 }));
    await store.asks.insert(sampleNewAsk(start, { deadline: start + 200 }));
    await store.asks.insert(sampleNewAsk(start));
    checkEqual(await store.asks.nextDeadline(), start + 100, "with two deadlines");
    await clock.advance(150);
    checkEqual(await store.asks.nextDeadline(), start + 100, "once it has passed");
    await store.asks.change(ask.id, EXPIRED);
    checkEqual(await store.asks.nextDeadline(), start + 200, "once the first is settled");
  }),

  storeCase("now follows the monotonic clock, not wall clock jumps", async ({ open, clock }) => {
    const store = await open();
    const start = store.now();
    checkEqual(start, clock.now(), "the time when it is opened");
    const { ask } = await store.asks.insert(sampleNewAsk(start, { timeoutMs: 1_000 }));
    for (const jump of [DAY, -2 * DAY, DAY]) {
      clock.jumpWall(jump);
      checkEqual(store.now(), start, `after a jump of ${jump} ms`);
      checkEqual(await store.asks.claimDue(10, 1_000), [], "what is due");
      checkEqual((await store.asks.change(ask.id, EXPIRED))?.applied, false, "a settle if due");
    }
    await clock.advance(1_000);
    checkEqual(store.now(), start + 1_000, "once a second has passed");
    checkEqual((await store.asks.claimDue(10, 1_000)).length, 1, "what is due then");
  }),

  durableCase(
    "a deadline that passes while no process runs is due afterwards",
    async ({ open, reopen, clock }) => {
      const store = await open();
      const { ask } = await store.asks.insert(sampleNewAsk(store.now(), { timeoutMs: 60_000 }));
      const early = await reopen(store);
      checkEqual(await early.asks.claimDue(10, 1_000), [], "before the deadline");
      await early.close();
      await clock.advance(60_000);
      const late = await reopen(early);
      check(late.now() >= (ask.deadline ?? 0), "the store's time must have advanced meanwhile");
      checkEqual(await late.asks.claimDue(10, 1_000), [ask], "after the deadline");
      checkEqual((await late.asks.change(ask.id, EXPIRED))?.applied, true, "a settle if due");
    },
  ),

  durableCase("the lease of a claim survives a restart", async ({ open, reopen, clock }) => {
    const store = await open();
    const { ask } = await store.asks.insert(sampleNewAsk(store.now(), { timeoutMs: 100 }));
    await clock.advance(100);
    checkEqual(await store.asks.claimDue(10, 1_000), [ask], "the first claim");
    const again = await reopen(store);
    checkEqual(await again.asks.claimDue(10, 1_000), [], "within the lease");
    await clock.advance(1_000);
    checkEqual(await again.asks.claimDue(10, 1_000), [ask], "after the lease");
  }),
];
