// Reads one page of asks. Each status is read from its own range of an index, up to the length of the page, and the
// results are merged. So the cost depends on the length of the page, not on the number of asks.

import { askerIdentities } from "../../../../core/model/visibility.js";
import type { ListPage, ListQuery } from "../../../seam/store.js";
import { type AskRow, statusesOf, toAsk } from "../../shared/rows.js";
import type { Context } from "../database/context.js";
import { askColumns, type Statement, statement } from "../database/database.js";

export function createLister(context: Context): (query: ListQuery) => Promise<ListPage> {
  const statements = new Map<string, Statement>();
  return async (query) => {
    const { text, values } = listSql(context.schema, query);
    const prepared = statements.get(text) ?? statement(text);
    statements.set(text, prepared);
    const { database } = context;
    const rows = await database.retry(() =>
      database.query<AskRow & { readonly found: number }>(prepared, values),
    );
    const page = rows.slice(0, query.limit);
    const last = page.at(-1);
    return {
      asks: page.map(toAsk),
      next: last !== undefined && last.found > page.length ? last.position : undefined,
    };
  };
}

/** The statement for a query, and its parameters. Queries that differ only in values share the same text. */
export function listSql(
  schema: string,
  query: ListQuery,
): { readonly text: string; readonly values: unknown[] } {
  const { session, agentId, asker, owner, person, after, limit, maxSize = Number.MAX_SAFE_INTEGER } = query;
  const newest = query.order === "newest";
  const order = newest ? "desc" : "asc";
  const values: unknown[] = [limit + 1];
  const parameter = (value: unknown, type: string): string => `$${values.push(value)}::${type}`;

  const beyond =
    after === undefined ? "true" : `position ${newest ? "<" : ">"} ${parameter(after, "bigint")}`;
  const own = [
    ...(session === undefined ? [] : [`session = ${parameter(session, "text")}`]),
    ...(agentId === undefined ? [] : [`agent_id = ${parameter(agentId, "text")}`]),
    ...(asker === undefined
      ? []
      : [owner === undefined ? `asker = ${parameter(asker, "text")}` : "asker = identity"]),
  ];
  const scan = (table: string, conditions: readonly string[]): string =>
    `select position from ${schema}.${table} where ${[beyond, ...conditions].join(" and ")}
      order by position ${order} limit $1`;
  const ofStatus = "status = wanted.status";
  // An asker with an owner has two identities, and each is in order within its own range of the index.
  const isOwned = asker !== undefined && owner !== undefined;
  const byIdentity = (): string =>
    isOwned ? ` cross join unnest(${parameter(askerIdentities(query), "text[]")}) as askers (identity)` : "";
  const byStatus = (): string =>
    `unnest(${parameter(statusesOf(query), "text[]")}) as wanted (status)${byIdentity()}`;

  let positions: string;
  if (person !== undefined && own.length > 0) {
    // A session, agent or asker has few asks, so their recipients are checked row by row.
    const who = parameter(person, "text");
    const addressed = `(everyone or exists (select from ${schema}.ask_recipients as recipient
      where recipient.position = asks.position and recipient.person = ${who}))`;
    positions = `select found.position from ${byStatus()} cross join lateral
      (${scan("asks", [ofStatus, ...own, addressed])}) as found`;
  } else if (person !== undefined) {
    const who = `person = ${parameter(person, "text")}`;
    positions = `select found.position from ${byStatus()} cross join lateral (
      (${scan("asks", [ofStatus, "everyone"])}) union all (${scan("ask_recipients", [who, ofStatus])})
    ) as found`;
  } else if (own.length > 0 || query.status !== undefined) {
    positions = `select found.position from ${byStatus()} cross join lateral
      (${scan("asks", [ofStatus, ...own])}) as found`;
  } else {
    positions = scan("asks", []);
  }
  // PostgreSQL knows the length of a long text without reading it, so asks beyond the size are not read.
  const text = `
select ${askColumns("asks")}, sized.found from (
  select asks.position, row_number() over page as number, count(*) over () as found,
    sum(octet_length(content) + coalesce(octet_length(outcome), 0)) over page as total
  from (
    select position from (${positions}) as found order by position ${order} limit $1
  ) as page join ${schema}.asks on asks.position = page.position
  window page as (order by asks.position ${order})
) as sized join ${schema}.asks on asks.position = sized.position
where sized.number = 1 or sized.total <= ${parameter(maxSize, "bigint")}
order by sized.position ${order}`;
  return { text, values };
}
