import type pg from "pg";
import { describe, expect, it } from "vitest";
import type { ListQuery } from "../../../../src/hub/seam/store.js";
import { pendingSql } from "../../../../src/hub/stores/postgres/ports/asks.js";
import { listSql } from "../../../../src/hub/stores/postgres/ports/list-asks.js";
import { changeSql } from "../../../../src/hub/stores/postgres/write/change-asks.js";
import { insertSql } from "../../../../src/hub/stores/postgres/write/insert-asks.js";
import { freshSchema, sharedPostgres } from "../../../support/shared-postgres.ts";
import { connectTo, openStore } from "./open-store.ts";

interface Plan {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly "Index Name"?: string;
  readonly "Actual Rows"?: number;
  readonly "Actual Loops"?: number;
  readonly Plans?: readonly Plan[];
}

const MANY = 20_000;

async function manyAsks(): Promise<{ readonly client: pg.Client; readonly schema: string }> {
  const schema = freshSchema();
  await openStore({ schema });
  const client = await connectTo(await sharedPostgres());
  await client.query(`
    insert into ${schema}.asks (position, id, session, agent_id, asker, everyone, status, created_at, content, settled_at)
    select n, 'ask_' || n, 'session_' || n % 10, 'agent_' || n % 10, 'asker_' || n % 10, n % 4 <> 0,
      (array['pending', 'answered', 'declined', 'expired'])[n % 4 + 1], n, '{}', case when n % 4 > 0 then n end
    from generate_series(1, ${MANY}) as n;
    insert into ${schema}.ask_recipients (position, person, status)
    select n, 'person_' || n % 3, 'pending' from generate_series(4, ${MANY}, 4) as n;
    analyze ${schema}.asks; analyze ${schema}.ask_recipients`);
  return { client, schema };
}

function scansOf(plan: Plan): readonly Plan[] {
  return [...(plan["Relation Name"] === undefined ? [] : [plan]), ...(plan.Plans ?? []).flatMap(scansOf)];
}

async function explain(client: pg.Client, text: string, values: unknown[], analyze: boolean): Promise<Plan> {
  const { rows } = await client.query<{ "QUERY PLAN": readonly { readonly Plan: Plan }[] }>(
    `explain (format json${analyze ? ", analyze" : ""}) ${text}`,
    values,
  );
  const [row] = rows;
  const [found] = row?.["QUERY PLAN"] ?? [];
  if (found === undefined) throw new Error("PostgreSQL explained nothing");
  return found.Plan;
}

describe("a page of a large table", () => {
  const queries: Readonly<Record<string, Omit<ListQuery, "limit">>> = {
    all: {},
    pending: { status: "pending" },
    settled: { status: "settled" },
    "newest first": { status: "settled", order: "newest" },
    "in the middle": { after: MANY / 2 },
    "in the middle, newest first": { status: "settled", after: MANY / 2, order: "newest" },
    "of a session": { session: "session_3" },
    "of a session, settled": { session: "session_3", status: "settled" },
    "of an agent": { agentId: "agent_3", status: "pending", order: "newest" },
    "of an asker": { asker: "asker_3" },
    "of an asker with an owner": { asker: "asker_3", owner: "ana" },
    "of a person": { person: "person_1" },
    "of a person, pending": { person: "person_1", status: "pending" },
    "of a person, newest first": { person: "person_1", order: "newest", after: MANY / 2 },
  };

  it("reads no more rows than the page needs, whatever it is a page of", async () => {
    const { client, schema } = await manyAsks();
    const limit = 10;
    for (const [name, query] of Object.entries(queries)) {
      const { text, values } = listSql(schema, { ...query, limit });
      const scans = scansOf(await explain(client, text, values, true));
      const read = scans.reduce(
        (sum, scan) => sum + (scan["Actual Rows"] ?? 0) * (scan["Actual Loops"] ?? 1),
        0,
      );
      expect(
        scans.map((scan) => scan["Node Type"]),
        name,
      ).not.toContain("Seq Scan");
      // One stretch a status, twice for a person, and the rows themselves.
      expect(read, name).toBeLessThanOrEqual((limit + 1) * (2 * 8 + 1));
    }
  });
});

describe("how much is pending in a large table", () => {
  it("is counted from an index, reading no ask that has ended", async () => {
    const { client, schema } = await manyAsks();
    await client.query(
      `update ${schema}.asks set status = 'answered' where position > 400; analyze ${schema}.asks`,
    );
    const scans = scansOf(await explain(client, pendingSql(schema), [], true));
    expect(scans.map((scan) => scan["Node Type"])).not.toContain("Seq Scan");
    const read = scans.reduce((sum, scan) => sum + (scan["Actual Rows"] ?? 0), 0);
    expect(read).toBe(100 + 1);
  });
});

describe("a statement that was planned on an empty table", () => {
  it.each([
    ["insert", insertSql],
    ["change", changeSql],
  ])("of kind %s still finds its asks by their ids", async (_kind, sql) => {
    const schema = freshSchema();
    await openStore({ schema });
    const client = await connectTo(await sharedPostgres());
    await client.query(`set enable_seqscan = off; set enable_hashjoin = off; set enable_mergejoin = off;
      set plan_cache_mode = force_generic_plan`);
    await client.query(`prepare statement as ${sql(schema)}`);
    const { rows } = await client.query<{ readonly count: number }>(
      "select cardinality(parameter_types) as count from pg_prepared_statements",
    );
    const parameters = Array.from({ length: rows[0]?.count ?? 0 }, () => "null").join(", ");
    const scans = scansOf(await explain(client, `execute statement (${parameters})`, [], false));
    const used = scans.flatMap((scan) =>
      scan["Relation Name"] === "asks" ? (scan["Index Name"] ?? []) : [],
    );
    expect(used.filter((index) => index !== "asks_id_key" && index !== "asks_by_key")).toEqual([]);
    expect(used).toContain("asks_id_key");
  });
});
