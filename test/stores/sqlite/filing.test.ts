import { beforeEach, describe, expect, it } from "vitest";
import { memoryStore } from "../../../src/hub/index.ts";
import { type AskChange, EVENT_LOG, type ListQuery, type Store } from "../../../src/hub/store.ts";
import type { Database } from "../../../src/stores/sqlite/driver.ts";
import { isFilingDue } from "../../../src/stores/sqlite/file-asks.ts";
import { fakeClock } from "../../../src/testing/index.ts";
import { ANA } from "../../../src/testing/samples.ts";
import { logger, newAsk, sqliteTests } from "./open-sqlite.ts";

const { open, other } = sqliteTests();

const FIRST_FILING = 512;
const OUTCOMES = [{ kind: "declined", by: ANA }, { kind: "expired" }, { kind: "withdrawn" }] as const;

const filters: readonly Omit<ListQuery, "limit">[] = [
  ...[undefined, "pending", "settled", "declined", "expired"].flatMap((status) =>
    [{}, { session: "s1" }, { session: "" }, { agentId: "a1" }, { asker: "k1" }, { person: "ana" }].flatMap(
      (filter) => [
        { ...filter, ...(status !== undefined && { status }) },
        { ...filter, ...(status !== undefined && { status }), order: "newest" },
      ],
    ),
  ),
  { session: "s1", agentId: "a1", asker: "k0", person: "ana", status: "settled" },
] as readonly Omit<ListQuery, "limit">[];

let store: Store;
let database: Database;
beforeEach(async () => {
  ({ store, database } = await open());
});

function settle(number: number): AskChange {
  const outcome = OUTCOMES[number % OUTCOMES.length] ?? OUTCOMES[0];
  return { kind: "settle", settlementId: `s${number}`, outcome };
}

/** So many events that are nobody's. */
async function passEvents(count: number, of: Store = store): Promise<void> {
  await of.logs.append(Array.from({ length: count }, () => ({ log: EVENT_LOG, type: "test.passed" })));
}

function countOf(where: string): number | undefined {
  return database.sql(`SELECT count(*) AS count FROM ${where}`).get<{ readonly count: number }>()?.count;
}

describe("asks", () => {
  it("are filed by whoever writes the event that says so, in whichever process", async () => {
    expect(isFilingDue(FIRST_FILING)).toBe(true);
    const [answered, pending] = [newAsk(), newAsk()];
    await store.asks.insert(answered);
    await store.asks.insert(pending);
    await store.asks.change(answered.ask.id, settle(0));
    await passEvents(FIRST_FILING - 4);
    expect(countOf("asks WHERE filed = 0")).toBe(2);
    const { store: another } = await open();
    await passEvents(1, another);
    expect(countOf("asks WHERE filed = 0")).toBe(0);
    await store.asks.change(pending.ask.id, settle(0));
    expect(countOf("asks WHERE filed = 0")).toBe(1);
  });

  it("are filed neither before nor without the commit that is to do so", async () => {
    await store.asks.insert(newAsk());
    await passEvents(FIRST_FILING - 2);
    other().exec("CREATE TRIGGER refuse BEFORE INSERT ON asks BEGIN SELECT raise(FAIL, 'refused'); END");
    await expect(store.asks.insert(newAsk())).rejects.toThrow();
    expect(countOf("asks WHERE filed = 0")).toBe(1);
    await passEvents(1);
    expect(countOf("asks WHERE filed = 0")).toBe(0);
  });

  it("that are not filed are counted and pruned as all others, with their contents", async () => {
    const asks = [newAsk({ recipients: ["ana"] }), newAsk(), newAsk()];
    for (const ask of asks) await store.asks.insert(ask);
    for (const [number, { ask }] of asks.slice(0, 2).entries())
      await store.asks.change(ask.id, settle(number));
    const later = store.now() + 1;
    expect(await store.asks.countSettled(later)).toBe(2);
    expect(await store.asks.pendingSummary()).toMatchObject({ count: 1 });
    expect(await store.asks.prune(later, 10, [])).toBe(2);
    expect(await store.asks.countSettled(later)).toBe(0);
    expect(await store.asks.pendingSummary()).toMatchObject({ count: 1 });
    expect(countOf("ask_contents")).toBe(1);
    expect(countOf("ask_recipients")).toBe(0);
  });
});

describe("every list", () => {
  it("is that of a store that files nothing, however much is filed", async () => {
    const model = memoryStore();
    await model.open({ clock: fakeClock(), logger });
    const both = [store, model];
    const ids: string[] = [];
    const compare = async (): Promise<void> => {
      for (const filter of filters) {
        const query = { ...filter, limit: 1_000 };
        const [got, expected] = await Promise.all(both.map(({ asks }) => asks.list(query)));
        const idsOf = (page: typeof got): readonly string[] => page?.asks.map(({ id }) => id) ?? [];
        expect(idsOf(got), JSON.stringify(filter)).toEqual(idsOf(expected));
      }
      expect((await store.asks.pendingSummary()).count).toBe((await model.asks.pendingSummary()).count);
    };
    const insert = async (number: number): Promise<void> => {
      const ask = newAsk({
        session: ["", "s1", "s2"][number % 3] ?? "",
        agentId: `a${number % 2}`,
        asker: `k${number % 5}`,
        key: `key-${number}`,
        recipients: number % 4 === 0 ? ["ana", "ben"] : [],
      });
      ids.push(ask.ask.id);
      for (const { asks } of both) await asks.insert(ask);
    };
    const end = async (number: number): Promise<void> => {
      for (const { asks } of both) await asks.change(ids[number] ?? "", settle(number));
    };
    for (let number = 0; number < 60; number += 1) await insert(number);
    for (let number = 0; number < 60; number += 2) await end(number);
    await compare();
    for (const one of both) await passEvents(FIRST_FILING, one);
    expect(countOf("asks WHERE filed = 0")).toBe(0);
    await compare();
    for (let number = 1; number < 60; number += 4) await end(number);
    for (let number = 60; number < 80; number += 1) await insert(number);
    for (let number = 60; number < 80; number += 3) await end(number);
    expect(countOf("asks WHERE filed = 0")).toBe(35);
    await compare();
    for (const one of both) await passEvents(FIRST_FILING, one);
    expect(countOf("asks WHERE filed = 0")).toBe(0);
    await compare();
    await model.close();
  });
});
