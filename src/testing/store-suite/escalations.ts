import { EVENT_LOG } from "../../hub/seam/store.js";
import { checkEqual } from "../check.js";
import { answered, sampleNewAsk, settle } from "../samples.js";
import { durableCase, type StoreCase, storeCase } from "./harness.js";

const escalate = (...to: readonly string[]) => ({ kind: "escalate", to }) as const;

/** People who are added to the recipients of an ask. */
export const escalationCases: readonly StoreCase[] = [
  storeCase(
    "people who are added to the recipients find the ask, before and after its end",
    async ({ open }) => {
      const store = await open();
      const { ask } = await store.asks.insert(sampleNewAsk(store.now(), { recipients: ["ana"] }));
      const found = async (person: string, status: "pending" | "settled"): Promise<readonly string[]> =>
        (await store.asks.list({ person, status, limit: 10 })).asks.map(({ id }) => id);
      checkEqual(await found("ben", "pending"), [], "before");
      const changed = await store.asks.change(ask.id, escalate("ben", "ana", "đức"));
      checkEqual(changed?.applied, true, "the change");
      checkEqual(changed?.ask.recipients, ["ana", "ben", "đức"], "the recipients");
      checkEqual(await store.asks.get(ask.id), changed?.ask, "the stored ask");
      checkEqual(await found("ben", "pending"), [ask.id], "pending");
      const again = await store.asks.change(ask.id, escalate("cy"));
      checkEqual(again?.ask.recipients, ["ana", "ben", "đức", "cy"], "a second time");
      await store.asks.change(ask.id, settle(answered("yes")));
      for (const person of ["ana", "ben", "đức", "cy"]) {
        checkEqual(await found(person, "pending"), [], `pending for ${person} after its end`);
        checkEqual(await found(person, "settled"), [ask.id], `settled for ${person}`);
      }
      const events = await store.logs.read(EVENT_LOG, { after: 0, limit: 10, subject: ask.id });
      checkEqual(
        events.map(({ type, data }) => [type, type === "ask.escalated" ? data : undefined]),
        [
          ["ask.created", undefined],
          ["ask.escalated", { to: ["ben", "ana", "đức"] }],
          ["ask.escalated", { to: ["cy"] }],
          ["ask.answered", undefined],
        ],
        "the events",
      );
      checkEqual(await store.asks.prune(store.now() + 1, 10, []), 1, "pruned");
      checkEqual(await found("ben", "settled"), [], "after the prune");
    },
  ),

  storeCase("nobody is added twice, to an ask for everyone, or after the end", async ({ open }) => {
    const store = await open();
    const { ask: named } = await store.asks.insert(sampleNewAsk(store.now(), { recipients: ["ana", "ben"] }));
    checkEqual(
      await store.asks.change(named.id, escalate("ben")),
      { applied: false, ask: named },
      "known people",
    );
    const { ask: open_ } = await store.asks.insert(sampleNewAsk(store.now()));
    checkEqual(
      await store.asks.change(open_.id, escalate("ben")),
      { applied: false, ask: open_ },
      "everyone",
    );
    const ended = await store.asks.change(named.id, settle(answered("yes")));
    const late = await store.asks.change(named.id, escalate("cy"));
    checkEqual(late, { applied: false, ask: ended?.ask }, "after the end");
    checkEqual(await store.asks.change("ask_unknown", escalate("cy")), undefined, "an unknown ask");
    checkEqual((await store.logs.bounds(EVENT_LOG)).head, 3, "the events");
  }),

  durableCase("people who were added are still there after a restart", async ({ open, reopen }) => {
    const store = await open();
    const { ask } = await store.asks.insert(sampleNewAsk(store.now(), { recipients: ["ana"] }));
    await store.asks.change(ask.id, escalate("ben"));
    const later = await reopen(store);
    checkEqual((await later.asks.get(ask.id))?.recipients, ["ana", "ben"], "the recipients");
  }),
];
