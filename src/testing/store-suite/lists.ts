import type { Ask } from "../../core/model/ask.js";
import { matchesFilter } from "../../core/model/visibility.js";
import type { ListQuery, Store } from "../../hub/seam/store.js";
import { checkEqual, SuiteFailure } from "../check.js";
import { answered, newId, type SampleInput, sampleNewAsk, settle } from "../samples.js";
import { durableCase, type StoreCase, storeCase } from "./harness.js";

/** Lists: every filter, both orders, page by page. */
export const listCases: readonly StoreCase[] = [
  storeCase("an empty store lists nothing", async ({ open }) => {
    const store = await open();
    checkEqual(await store.asks.list({ limit: 10 }), { asks: [] }, "the page");
  }),

  storeCase("asks are listed in order of creation, or in reverse", async ({ open, clock }) => {
    const store = await open();
    const asks: Ask[] = [];
    // Ids that sort against the order of creation, and several in the same millisecond.
    for (const id of ["ask_list_9", "ask_list_5", "ask_list_7", "ask_list_1", "ask_list_3"]) {
      asks.push((await store.asks.insert(sampleNewAsk(store.now(), { id }))).ask);
      if (id === "ask_list_7") await clock.advance(1);
    }
    checkEqual(await store.asks.list({ limit: 10 }), { asks }, "by default");
    checkEqual(await store.asks.list({ limit: 10, order: "oldest" }), { asks }, "oldest first");
    const reversed = [...asks].reverse();
    checkEqual(await store.asks.list({ limit: 10, order: "newest" }), { asks: reversed }, "newest first");
  }),

  storeCase("each filter works alone and combined with the others", async ({ open }) => {
    const store = await open();
    const asks = await insertMixture(store);
    for (const query of allQueries()) {
      const expected = asks.filter((ask) => matchesFilter(ask, query)).map(({ id }) => id);
      const { asks: found, next } = await store.asks.list(query);
      const wanted = query.order === "newest" ? expected.reverse() : expected;
      checkEqual(
        found.map(({ id }) => id),
        wanted,
        JSON.stringify(query),
      );
      checkEqual(next, undefined, `the cursor after ${JSON.stringify(query)}`);
    }
  }),

  storeCase("a list shows the current state of asks", async ({ open }) => {
    const store = await open();
    const { ask } = await store.asks.insert(sampleNewAsk(store.now(), { timeoutMs: 100 }));
    const extended = await store.asks.change(ask.id, { kind: "extend", deadline: store.now() + 500 });
    checkEqual(await store.asks.list({ limit: 1 }), { asks: [extended?.ask] }, "once extended");
    const settled = await store.asks.change(ask.id, settle(answered("x")));
    checkEqual(await store.asks.list({ limit: 1 }), { asks: [settled?.ask] }, "once settled");
  }),

  storeCase("the last page has no cursor, even if it is full", async ({ open }) => {
    const store = await open();
    for (let index = 0; index < 4; index += 1) await store.asks.insert(sampleNewAsk(store.now()));
    const first = await store.asks.list({ limit: 2 });
    checkEqual(typeof first.next, "number", "the type of the first cursor");
    const second = await store.asks.list({ limit: 2, after: first.next });
    checkEqual(second.asks.length, 2, "the size of the second page");
    checkEqual(second.next, undefined, "the cursor of the second page");
  }),

  storeCase("paging returns each ask once and in order during inserts", async ({ open }) => {
    const store = await open();
    const asks = await insertMixture(store);
    for (const query of allQueries()) {
      const before = asks.filter((ask) => matchesFilter(ask, query)).map(({ id }) => id);
      const late: string[] = [];
      const found: string[] = [];
      for await (const id of pages(store, { ...query, limit: 2 })) {
        found.push(id);
        if (late.length < 2) {
          const { ask } = await store.asks.insert(sampleNewAsk(store.now(), lateInput(query)));
          late.push(ask.id);
          asks.push(ask);
        }
      }
      const isLate = (id: string): boolean => late.includes(id);
      const wanted = query.order === "newest" ? before.reverse() : before;
      checkEqual(
        found.filter((id) => !isLate(id)),
        wanted,
        JSON.stringify(query),
      );
      const extra = found.filter(isLate);
      const possible = query.order === "newest" ? [] : late.slice(0, extra.length);
      checkEqual(extra, possible, `new asks in ${JSON.stringify(query)}`);
    }
  }),

  storeCase("a page ends before the ask that would make it too large", async ({ open }) => {
    const store = await open();
    const asks: Ask[] = [];
    for (const size of [10_000, 10_000, 10_000, 60_000, 10]) {
      const context = "x".repeat(size);
      asks.push((await store.asks.insert(sampleNewAsk(store.now(), { context }))).ask);
    }
    const found: number[] = [];
    let after: number | undefined;
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const query = { limit: 10, maxSize: 25_000, after };
      const { asks: onPage, next } = await store.asks.list(query);
      found.push(onPage.length);
      after = next;
      if (next === undefined) break;
    }
    checkEqual(found, [2, 1, 1, 1], "how many asks are on each page");
    const ids = asks.map(({ id }) => id);
    const first = await store.asks.getMany([...ids, newId("nobody")], { maxSize: 25_000 });
    checkEqual(first, asks.slice(0, 2), "the first of many by their ids");
    const backwards = await store.asks.getMany([...ids].reverse(), { maxSize: 25_000 });
    checkEqual(backwards, asks.slice(4), "the first of many, in the order of their ids");
    checkEqual(await store.asks.getMany(ids.slice(3), { maxSize: 1 }), [asks[3]], "one is always there");
  }),

  storeCase("paging through pending asks skips none while others are settled", async ({ open }) => {
    const store = await open();
    const ids: string[] = [];
    for (let index = 0; index < 12; index += 1) {
      ids.push((await store.asks.insert(sampleNewAsk(store.now()))).ask.id);
    }
    for (const order of ["oldest", "newest"] as const) {
      const { asks: pending } = await store.asks.list({ status: "pending", order, limit: 100 });
      const found: string[] = [];
      for await (const id of pages(store, { status: "pending", order, limit: 2 })) {
        found.push(id);
        // Settle the asks that were just read, including the one at the cursor.
        if (found.length % 2 === 0) await store.asks.change(id, settle(answered("x")));
      }
      checkEqual(
        found,
        pending.map(({ id }) => id),
        order,
      );
    }
  }),
];

/** The ids on all pages; bounded, so that an endless list cannot hang the suite. */
async function* pages(store: Store, query: ListQuery): AsyncGenerator<string> {
  let after: number | undefined;
  for (let count = 0; count < MAX_PAGES; count += 1) {
    const page = await store.asks.list({ ...query, after });
    for (const { id } of page.asks) yield id;
    if (page.next === undefined) return;
    after = page.next;
  }
  throw new SuiteFailure(`the list did not end after ${MAX_PAGES} pages: ${JSON.stringify(query)}`);
}

const MAX_PAGES = 5_000;

const SESSIONS = ["", "s1", "s2"];
const AGENTS = [undefined, "agent"];
const OWNERS = [undefined, "ana", "ben"];
const RECIPIENTS = [[], ["ana"], ["ben", "ana"], ["ben"], ["anabel"]];

/** Every combination of session, agent and recipients, with several askers, some of them settled. */
async function insertMixture(store: Store): Promise<Ask[]> {
  const asks: Ask[] = [];
  for (const session of SESSIONS) {
    for (const agentId of AGENTS) {
      for (const recipients of RECIPIENTS) {
        const asker = asks.length % 4 === 0 ? undefined : `token_${asks.length % 4}`;
        const input = {
          session,
          recipients,
          ...{ agentId, asker, owner: asks.length % 8 === 1 ? undefined : OWNERS[asks.length % 3] },
        };
        const { ask } = await store.asks.insert(sampleNewAsk(store.now(), input));
        const outcome =
          asks.length % 3 === 0
            ? undefined
            : asks.length % 3 === 1
              ? answered("x")
              : ({ kind: "withdrawn" } as const);
        const changed = outcome && (await store.asks.change(ask.id, settle(outcome)));
        asks.push(changed?.ask ?? ask);
      }
    }
  }
  return asks;
}

function allQueries(): readonly ListQuery[] {
  const statuses = [undefined, "pending", "settled", "answered", "withdrawn", "declined"] as const;
  const queries: ListQuery[] = [];
  for (const status of statuses) {
    for (const session of [undefined, "", "s1", "nowhere"]) {
      for (const agentId of [undefined, "agent"]) {
        for (const person of [undefined, "ana", "ben", "carl"]) {
          const asker = queries.length % 5 === 0 ? `token_${1 + (queries.length % 4)}` : undefined;
          const owner = asker && OWNERS[queries.length % 3];
          queries.push({
            limit: 100,
            order: queries.length % 2 === 0 ? "oldest" : "newest",
            ...{ status, session, agentId, asker, owner, person },
          });
        }
      }
    }
  }
  // Each filter in both orders.
  return [...queries, ...queries.map((query) => ({ ...query, order: flipped(query) }))];
}

function flipped({ order }: ListQuery): "oldest" | "newest" {
  return order === "newest" ? "oldest" : "newest";
}

/** A pending ask that the query would find. */
function lateInput({ session, agentId, asker, owner, person }: ListQuery): SampleInput {
  return { session, agentId, asker, owner, recipients: person === undefined ? [] : [person] };
}

/** The count and age of pending asks, for monitoring. */
export const pendingCases: readonly StoreCase[] = [
  storeCase("pending asks are counted, and settled ones are not", async ({ open }) => {
    const store = await open();
    checkEqual(await store.asks.pendingSummary(), { count: 0 }, "in an empty store");
    const all = [];
    for (const recipients of [[], ["ana"], ["ana", "ben"]]) {
      all.push((await store.asks.insert(sampleNewAsk(store.now(), { recipients }))).ask);
    }
    checkEqual(
      (await store.asks.pendingSummary()).count,
      3,
      "asks for everyone and asks for some people count alike",
    );
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
