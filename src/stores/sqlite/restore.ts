import type { Ask } from "../../core/index.js";
import { EVENT_LOG, type Restored, type RestoredAsk } from "../../hub/store.js";
import { ASK_COLUMNS, type AskRow, type AskRows, snapshot } from "./ask-rows.js";
import { type Connection, inSnapshot } from "./connection.js";
import type { Database } from "./driver.js";
import type { RestoreRequest } from "./operations.js";

const FIND = `SELECT ${ASK_COLUMNS} FROM asks WHERE id = ?`;
const FIND_BY_KEY = `SELECT ${ASK_COLUMNS} FROM asks WHERE session = ? AND key = ?`;
export const COUNT_SETTLED: readonly string[] = [1, 0].map(
  (filed) =>
    `SELECT count(*) AS count FROM asks WHERE filed = ${filed} AND status <> 'pending' AND settled_at < ?`,
);

/** Stores an ask that another store has kept, with its events. */
export async function restore(
  connection: Connection,
  rows: AskRows,
  { ask: given, events }: RestoredAsk,
): Promise<Restored> {
  const ask = snapshot(given, JSON.stringify(given));
  const request: RestoreRequest = {
    ...requestOf(ask),
    entries: events.map(({ at, type, data }) => ({
      ...{ log: EVENT_LOG, at, type, subject: ask.id },
      data: data === undefined ? null : JSON.stringify(data),
    })),
  };
  for (;;) {
    // Whoever follows the log finds the events there: that there are some is told by saying nothing of them.
    if (await connection.write("restore", request, () => undefined)) return { kind: "restored", ask };
    const there = await connection.readOn((database) => present(database, rows, ask));
    // Otherwise it was in the way then, and has been removed since.
    if (there !== undefined) return there;
  }
}

export async function countSettled(connection: Connection, before: number): Promise<number> {
  return connection.read((database) =>
    inSnapshot(database, () =>
      COUNT_SETTLED.map(
        (sql) => database.sql(sql).get<{ readonly count: number }>(before)?.count ?? 0,
      ).reduce((sum, count) => sum + count),
    ),
  );
}

function requestOf(ask: Ask): Omit<RestoreRequest, "entries"> {
  const { settledAt, outcome, overdue, ...content } = ask;
  return {
    id: ask.id,
    session: ask.session,
    key: ask.key ?? null,
    agentId: ask.agentId ?? null,
    asker: ask.asker ?? null,
    recipients: [...new Set(ask.recipients)],
    status: ask.status,
    createdAt: ask.createdAt,
    deadline: ask.deadline ?? null,
    overdue: overdue ? 1 : 0,
    settledAt: settledAt ?? null,
    outcome: outcome === undefined ? null : JSON.stringify(outcome),
    content: JSON.stringify({ ...content, status: "pending" }),
  };
}

function present(database: Database, rows: AskRows, { id, session, key }: Ask): Restored | undefined {
  const found = (kind: "known" | "taken", row: AskRow | undefined): Restored | undefined => {
    const ask = row && rows.toAsk(database, row);
    return ask && { kind, ask };
  };
  return (
    found("known", database.sql(FIND).get<AskRow>(id)) ??
    (key === undefined ? undefined : found("taken", database.sql(FIND_BY_KEY).get<AskRow>(session, key)))
  );
}
