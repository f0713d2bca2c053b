// Every list is a merge of ordered streams of positions, each read from one index up to the limit. An index
// gives one status at a time in order, so a list over several statuses has a stream for each; and asks for
// everyone and asks for one person are in different places. The work depends on the limit, not on the store.

import type { Ask, AskStatus } from "../../../core/index.js";
import { askSize } from "../../../hub/seam/ask-size.js";
import type { ListPage, ListQuery } from "../../../hub/seam/store.js";
import { fitPage } from "../../../hub/seam/store-kit.js";
import { type AskRow, statusesOf, toAsk } from "../../shared/rows.js";
import { type Database, inSnapshot, type Value } from "../file/driver.js";
import { ASK_COLUMNS } from "../write/ask-writes.js";

const BY_POSITION = `SELECT ${ASK_COLUMNS} FROM asks WHERE position = ?`;

/** The columns that a list can be led by, and the index of each. */
const INDEXES = {
  session: "asks_by_session",
  agent_id: "asks_by_agent",
  asker: "asks_by_asker",
  everyone: "asks_by_status",
} as const;

/** One statement that gives positions in order, without its cursor and limit. */
interface Stream {
  readonly from: string;
  readonly values: readonly Value[];
}

export function listAsks(database: Database, query: ListQuery): ListPage {
  const { limit } = query;
  if (limit <= 0) return { asks: [] };
  return inSnapshot(database, () => {
    const found = listStatements(query).flatMap(({ sql, values }) =>
      database.sql(sql).all<{ readonly position: number }>(...values),
    );
    const direction = query.order === "newest" ? -1 : 1;
    const positions = found.map(({ position }) => position).sort((one, other) => direction * (one - other));
    const asks = fitPage(asksAt(database, positions.slice(0, limit)), askSize, query.maxSize);
    const last = positions[asks.length - 1];
    return { asks, ...(positions.length > asks.length && last !== undefined && { next: last }) };
  });
}

/** Read one after the other, so that what is beyond the page's size stays in the file. */
function* asksAt(database: Database, positions: readonly number[]): Generator<Ask, void, void> {
  for (const position of positions) {
    const row = database.sql(BY_POSITION).get<AskRow>(position);
    if (row !== undefined) yield toAsk(row);
  }
}

/** The statements that a list is made of. Exported for the test that looks at their plans. */
export function listStatements(
  query: ListQuery,
): readonly { readonly sql: string; readonly values: readonly Value[] }[] {
  const newest = query.order === "newest";
  const after = query.after ?? (newest ? Number.MAX_SAFE_INTEGER : 0);
  return streamsOf(query).map(({ from, values }) => ({
    sql: `SELECT position FROM ${from} AND position ${newest ? "<" : ">"} ? ORDER BY position ${newest ? "DESC" : "ASC"} LIMIT ?`,
    // One more than the page, to know whether there is another.
    values: [...values, after, query.limit + 1],
  }));
}

function streamsOf(query: ListQuery): readonly Stream[] {
  const { status, session, agentId, asker, person } = query;
  if ([status, session, agentId, asker, person].every((filter) => filter === undefined)) {
    return [{ from: "asks WHERE true", values: [] }];
  }
  return statusesOf(query).flatMap((one) => streamsOfStatus(query, one));
}

// Where several filters meet, the index of the one that is likely to leave least leads, and the others are
// checked row by row: a session is one conversation, an agent has several, one who asks may run many agents,
// and a person answers them all. Only the session of those that have none leaves much.
function streamsOfStatus(query: ListQuery, status: AskStatus): readonly Stream[] {
  const { session, agentId, asker, person } = query;
  const alone = agentId === undefined && asker === undefined && person === undefined;
  if (session !== undefined && (session !== "" || alone)) {
    return [asksWhere("session", session, status, { agentId, asker, person })];
  }
  if (agentId !== undefined) return [asksWhere("agent_id", agentId, status, { session, asker, person })];
  if (asker !== undefined) return [asksWhere("asker", asker, status, { session, person })];
  return [
    asksWhere("everyone", 1, status, { session }),
    person === undefined ? asksWhere("everyone", 0, status, {}) : ownStream(person, status, session),
  ];
}

function ownStream(person: string, status: AskStatus, session: string | undefined): Stream {
  const own = { from: "ask_recipients WHERE person = ? AND status = ?", values: [person, status] };
  if (session === undefined) return own;
  return {
    from: `${own.from} AND (SELECT session FROM asks WHERE asks.position = ask_recipients.position) = ?`,
    values: [...own.values, session],
  };
}

interface Rest {
  readonly session?: string | undefined;
  readonly agentId?: string | undefined;
  readonly asker?: string | undefined;
  readonly person?: string | undefined;
}

/** The index is named: of several that would do, SQLite takes any. */
function asksWhere(column: keyof typeof INDEXES, value: Value, status: AskStatus, rest: Rest): Stream {
  const conditions = [`asks INDEXED BY ${INDEXES[column]} WHERE ${column} = ? AND status = ?`];
  const values: Value[] = [value, status];
  const add = (condition: string, given: string | undefined): void => {
    if (given === undefined) return;
    conditions.push(condition);
    values.push(given);
  };
  add("session = ?", rest.session);
  add("agent_id = ?", rest.agentId);
  add("asker = ?", rest.asker);
  add(
    `(everyone = 1 OR EXISTS (SELECT 1 FROM ask_recipients AS own
      WHERE own.person = ? AND own.status = asks.status AND own.position = asks.position))`,
    rest.person,
  );
  return { from: conditions.join(" AND "), values };
}
