// A list merges ordered streams of positions. Each stream reads one index, up to the limit. An index is in order
// within one status only, so each status has its own stream. Asks for everyone and asks for one person are in
// different tables, so they have separate streams too. The cost depends on the limit, not on the size of the store.

import type { Ask, AskStatus } from "../../../../core/model/ask.js";
import { askerIdentities } from "../../../../core/model/visibility.js";
import { askSize } from "../../../seam/ask-size.js";
import type { ListPage, ListQuery } from "../../../seam/store.js";
import { fitPage } from "../../../seam/store-kit.js";
import { type AskRow, statusesOf, toAsk } from "../../shared/rows.js";
import { type Database, inSnapshot, type Value } from "../file/driver.js";
import { ASK_COLUMNS } from "../write/ask-writes.js";

const BY_POSITION = `SELECT ${ASK_COLUMNS} FROM asks WHERE position = ?`;

/** The columns that a stream can search by, with the index of each. */
const INDEXES = {
  session: "asks_by_session",
  agent_id: "asks_by_agent",
  asker: "asks_by_asker",
  everyone: "asks_by_status",
} as const;

/** A statement that selects positions, without its cursor, order and limit. */
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
    const positions = found.map(({ position }) => position).sort((a, b) => direction * (a - b));
    const asks = fitPage(asksAt(database, positions.slice(0, limit)), askSize, query.maxSize);
    const last = positions[asks.length - 1];
    return { asks, next: positions.length > asks.length ? last : undefined };
  });
}

/** Reads asks one by one, so that asks beyond the size of the page are never read. */
function* asksAt(database: Database, positions: readonly number[]): Generator<Ask, void, void> {
  for (const position of positions) {
    const row = database.sql(BY_POSITION).get<AskRow>(position);
    if (row !== undefined) yield toAsk(row);
  }
}

/** The statements of a list. Exported for the test that checks their query plans. */
export function listStatements(
  query: ListQuery,
): readonly { readonly sql: string; readonly values: readonly Value[] }[] {
  const newest = query.order === "newest";
  const after = query.after ?? (newest ? Number.MAX_SAFE_INTEGER : 0);
  return streamsOf(query).map(({ from, values }) => ({
    sql: `SELECT position FROM ${from} AND position ${newest ? "<" : ">"} ? ORDER BY position ${newest ? "DESC" : "ASC"} LIMIT ?`,
    // One more than the page needs, to know whether another page follows.
    values: [...values, after, query.limit + 1],
  }));
}

function streamsOf(query: ListQuery): readonly Stream[] {
  const { status, session, agentId, asker, person } = query;
  if ([status, session, agentId, asker, person].every((filter) => filter === undefined)) {
    return [{ from: "asks WHERE true", values: [] }];
  }
  return statusesOf(query).flatMap((eachStatus) => streamsOfStatus(query, eachStatus));
}

// With several filters, the most selective one uses its index, and the others are checked row by row. A session is one
// conversation, an agent has several, an asker may run many agents, and a person may answer all of them. The exception
// is the empty session: all asks without a session share it.
function streamsOfStatus(query: ListQuery, status: AskStatus): readonly Stream[] {
  const { session, agentId, person } = query;
  const asker = query.asker === undefined ? undefined : askerIdentities(query);
  const onlySession = agentId === undefined && asker === undefined && person === undefined;
  if (session !== undefined && (session !== "" || onlySession)) {
    return [asksWhere("session", session, status, { agentId, asker, person })];
  }
  if (agentId !== undefined) return [asksWhere("agent_id", agentId, status, { session, asker, person })];
  if (asker !== undefined) return asker.map((one) => asksWhere("asker", one, status, { session, person }));
  return [
    asksWhere("everyone", 1, status, { session }),
    person === undefined ? asksWhere("everyone", 0, status, {}) : streamOfPerson(person, status, session),
  ];
}

function streamOfPerson(person: string, status: AskStatus, session: string | undefined): Stream {
  const own = { from: "ask_recipients WHERE person = ? AND status = ?", values: [person, status] };
  if (session === undefined) return own;
  return {
    from: `${own.from} AND (SELECT session FROM asks WHERE asks.position = ask_recipients.position) = ?`,
    values: [...own.values, session],
  };
}

interface OtherFilters {
  readonly session?: string | undefined;
  readonly agentId?: string | undefined;
  /** One of these. */
  readonly asker?: readonly string[] | undefined;
  readonly person?: string | undefined;
}

/** Names the index, because SQLite may otherwise choose a less selective one. */
function asksWhere(
  column: keyof typeof INDEXES,
  value: Value,
  status: AskStatus,
  rest: OtherFilters,
): Stream {
  const conditions = [`asks INDEXED BY ${INDEXES[column]} WHERE ${column} = ? AND status = ?`];
  const values: Value[] = [value, status];
  const add = (condition: string, filter: string | undefined): void => {
    if (filter === undefined) return;
    conditions.push(condition);
    values.push(filter);
  };
  add("session = ?", rest.session);
  add("agent_id = ?", rest.agentId);
  if (rest.asker !== undefined) {
    conditions.push(`asker IN (${rest.asker.map(() => "?").join(", ")})`);
    values.push(...rest.asker);
  }
  add(
    `(everyone = 1 OR EXISTS (SELECT 1 FROM ask_recipients AS own
      WHERE own.person = ? AND own.status = asks.status AND own.position = asks.position))`,
    rest.person,
  );
  return { from: conditions.join(" AND "), values };
}
