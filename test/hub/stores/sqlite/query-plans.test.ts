import { beforeEach, describe, expect, it } from "vitest";
import type { ListQuery } from "../../../../src/hub/seam/store.js";
import type { Database, Value } from "../../../../src/hub/stores/sqlite/file/driver.js";
import { COUNT_SETTLED, PENDING } from "../../../../src/hub/stores/sqlite/ports/asks.js";
import { listStatements } from "../../../../src/hub/stores/sqlite/ports/lists.js";
import { listSql, READ, READ_SUBJECT } from "../../../../src/hub/stores/sqlite/ports/logs.js";
import { listStatement } from "../../../../src/hub/stores/sqlite/ports/records.js";
import {
  BY_ID,
  DUE,
  KEY_USES_ANYWHERE,
  KEY_USES_IN_SESSION,
  NEXT_DEADLINE,
} from "../../../../src/hub/stores/sqlite/write/ask-writes.js";
import { DELETE_BELOW, LOWEST } from "../../../../src/hub/stores/sqlite/write/log-writes.js";
import * as prune from "../../../../src/hub/stores/sqlite/write/prune.js";
import { CLAIM } from "../../../../src/hub/stores/sqlite/write/record-writes.js";
import { newAsk, sqliteTests } from "./open-sqlite.ts";

const { open } = sqliteTests();

// A scan of a table or a sort grows with the store. What is left is a search in an index, which does not.
const GROWS = /\bSCAN\b|TEMP B-TREE|AUTOMATIC/;

let database: Database;
beforeEach(async () => {
  ({ database } = await open());
});

function planOf(sql: string, values: readonly Value[]): string {
  return database
    .sql(`EXPLAIN QUERY PLAN ${sql}`)
    .all<{ readonly detail: string }>(...values)
    .map(({ detail }) => detail)
    .join("\n");
}

function filters(): readonly Omit<ListQuery, "limit">[] {
  const choices: Readonly<
    Record<keyof Omit<ListQuery, "limit" | "maxSize">, readonly (string | number | undefined)[]>
  > = {
    status: [undefined, "pending", "settled", "answered"],
    session: [undefined, "", "s1"],
    agentId: [undefined, "agent"],
    asker: [undefined, "asker"],
    owner: [undefined, "ana"],
    person: [undefined, "ana"],
    after: [undefined, 5],
    order: [undefined, "newest"],
  };
  let all: Record<string, unknown>[] = [{}];
  for (const [name, values] of Object.entries(choices)) {
    all = all.flatMap((one) =>
      values.map((value) => (value === undefined ? one : { ...one, [name]: value })),
    );
  }
  return all as Omit<ListQuery, "limit">[];
}

describe("every list of asks", () => {
  it("is made of searches in indexes that give their order", () => {
    const statements = filters().flatMap((filter) => listStatements({ ...filter, limit: 50 }));
    expect(statements.length).toBeGreaterThan(1_000);
    const plans = new Set(statements.map(({ sql, values }) => planOf(sql, values)));
    for (const plan of plans) expect(plan).not.toMatch(GROWS);
    expect(plans.size).toBeGreaterThan(5);
  });

  it("reads positions from the index alone where one filter is given", () => {
    for (const filter of [
      { status: "pending" },
      { session: "" },
      { agentId: "a" },
      { person: "ana" },
    ] as const) {
      for (const { sql, values } of listStatements({ ...filter, limit: 50 })) {
        expect(planOf(sql, values)).toMatch(/COVERING INDEX|PRIMARY KEY/);
      }
    }
  });

  it("is led by the filter that is likely to leave least", () => {
    const [session, agentId, asker, person] = ["s1", "agent", "asker", "ana"];
    for (const [filter, index] of [
      [{ session, agentId }, "by_session (session=?"],
      [{ session, asker }, "by_session (session=?"],
      [{ session, agentId, asker, person }, "by_session (session=?"],
      [{ agentId, asker }, "by_agent (agent_id=?"],
      [{ session: "", agentId, asker }, "by_agent (agent_id=?"],
      [{ session: "", asker, person }, "by_asker (asker=?"],
    ] as const) {
      for (const { sql, values } of listStatements({ ...filter, limit: 50 })) {
        expect(planOf(sql, values)).toContain(index);
      }
    }
  });

  it("takes no more of each index than its limit and one", () => {
    for (const { sql, values } of listStatements({ status: "settled", person: "ana", limit: 50 })) {
      expect(sql).toMatch(/ LIMIT \?$/);
      expect(values.at(-1)).toBe(51);
    }
  });
});

describe("a page of records", () => {
  it("was read from the beginning of the namespace, since SQLite seeks to the first of two bounds", () => {
    for (const prefix of ["", "k/"]) {
      const bounds = (after?: string): readonly string[] =>
        listStatement("n", { prefix, after, limit: 10 }, 1).sql.match(/key >=? \?/g) ?? [];
      expect(bounds()).toEqual(["key >= ?"]);
      expect(bounds(`${prefix}5`)).toEqual(["key > ?"]);
    }
    expect(listStatement("n", { prefix: "k/", after: "a", limit: 10 }, 1).sql).toContain("key >= ?");
  });
});

describe("every other statement that could see many rows", () => {
  it.each<readonly [name: string, sql: string, values: readonly Value[]]>([
    ["an ask by its id", BY_ID, [1, "ask_1"]],
    ["asks by their key", KEY_USES_ANYWHERE, ["agent", "k", 8]],
    ["asks by their key in a session", KEY_USES_IN_SESSION, ["agent", "k", "s", 8]],
    ["what is due", DUE, [1, 1, 10]],
    ["the next deadline", NEXT_DEADLINE, []],
    ["how much is pending", PENDING, []],
    ["a log", READ, ["events", 0, 10]],
    ["where a log begins", LOWEST, ["events"]],
    ["a part of a log", DELETE_BELOW, ["events", 9]],
    ["what to prune", prune.SETTLED_BEFORE, [1, 10]],
    ["how many to prune", COUNT_SETTLED, [1]],
    ["the records of an ask", prune.DELETE_RECORDS, ["n", "a/", "a0"]],
    ["a claim of records", CLAIM, ["n", "a", "b", 1, 1, 10]],
  ])("%s", (_name, sql, values) => {
    // NEXT_DEADLINE walks its index from the start, and stops at the first entry.
    const plan = planOf(sql, values).replace(/^SCAN asks USING (COVERING )?INDEX asks_by_deadline$/, "");
    expect(plan).not.toMatch(GROWS);
  });

  it("the events of an ask, and not by going through the whole log", () => {
    const subject =
      /^SEARCH log_entries USING (COVERING )?INDEX log_entries_by_subject \(subject=\? AND log=\?/;
    expect(planOf(prune.DELETE_EVENTS, ["ask_1", "events"])).toMatch(subject);
    expect(planOf(prune.LAST_EVENT, ["ask_1", "events"])).toMatch(subject);
    expect(planOf(READ_SUBJECT, ["ask_1", "events", 0, 10])).toMatch(subject);
  });

  it("records by prefix and cursor", () => {
    for (const query of [{}, { prefix: "a/" }, { after: "b" }, { prefix: "a/", after: "a/b" }]) {
      const { sql, values } = listStatement("n", { ...query, limit: 10 }, 1);
      expect(planOf(sql, values)).toMatch(/^SEARCH records USING PRIMARY KEY \(namespace=\? AND key>\?/);
    }
  });

  it("logs by prefix and cursor, each with its last entry", () => {
    for (const bounded of [true, false]) {
      const plan = planOf(listSql(bounded), ["session/", "session/s1", 10, ...(bounded ? ["session0"] : [])]);
      expect(plan).toMatch(/^SEARCH logs USING PRIMARY KEY \(log>\?/);
      expect(plan).toMatch(/SEARCH last USING PRIMARY KEY \(log=\? AND position=\?\)$/);
    }
  });

  it("expired records, found by their expiry", () => {
    const plan = planOf(prune.DELETE_EXPIRED, [1]);
    expect(plan).toContain("SEARCH records USING PRIMARY KEY (namespace=? AND key=?)");
    expect(plan).toContain("SEARCH records USING COVERING INDEX records_by_expiry (");
  });
});

describe("settling an ask", () => {
  it("finds it by its id and its row", async () => {
    const { store, database: own, statements } = await open({});
    const ask = newAsk({ recipients: ["ana", "ben"] });
    await store.asks.insert(ask);
    statements.length = 0;
    await store.asks.change(ask.ask.id, { kind: "settle", settlementId: "s", outcome: { kind: "expired" } });
    const texts = [...new Set(statements)].filter((sql) => /^\s*(SELECT|UPDATE|INSERT|DELETE)/.test(sql));
    expect(texts.length).toBeGreaterThanOrEqual(4);
    for (const sql of texts) {
      const values = Array.from(sql.matchAll(/\?/g), () => null);
      const plan = own.sql(`EXPLAIN QUERY PLAN ${sql}`).all<{ readonly detail: string }>(...values);
      for (const { detail } of plan) expect(detail).not.toMatch(GROWS);
    }
  });
});
