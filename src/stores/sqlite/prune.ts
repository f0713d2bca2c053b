import { prefixEnd } from "../../hub/key-range.js";
import { EVENT_LOG } from "../../hub/store.js";
import type { AskRow, AskRows } from "./ask-rows.js";
import type { Connection } from "./connection.js";
import type { Transaction } from "./transaction.js";

// Removed in small transactions: one large one would hold up everybody.
const MOST_AT_ONCE = 100;

export const SETTLED_BEFORE: string = `
  SELECT position, id, everyone, status FROM asks
  WHERE settled_at IS NOT NULL AND settled_at < ? ORDER BY settled_at, position LIMIT ?`;
const DELETE_ASK = "DELETE FROM asks WHERE position = ?";
const DELETE_RECIPIENT = "DELETE FROM ask_recipients WHERE person = ? AND status = ? AND position = ?";
export const LAST_EVENT: string =
  "SELECT max(position) AS last FROM log_entries WHERE subject = ? AND log = ?";
export const DELETE_EVENTS: string = "DELETE FROM log_entries WHERE subject = ? AND log = ?";
export const DELETE_RECORDS: string = "DELETE FROM records WHERE namespace = ? AND key >= ? AND key < ?";
export const DELETE_EXPIRED: string = `
  DELETE FROM records WHERE (namespace, key) IN (
    SELECT namespace, key FROM records WHERE expires_at IS NOT NULL AND expires_at <= ? LIMIT ${MOST_AT_ONCE})`;

export interface PruneRequest {
  readonly settledBefore: number;
  readonly limit: number;
  readonly namespaces: readonly string[];
}

type OldRow = Pick<AskRow, "position" | "id" | "status"> & { readonly everyone: number };

export async function prune(connection: Connection, rows: AskRows, request: PruneRequest): Promise<number> {
  let pruned = 0;
  for (;;) {
    const most = Math.min(MOST_AT_ONCE, request.limit - pruned);
    const removed = await connection.write((transaction) => ({
      asks: most > 0 ? removeAsks(transaction, rows, request, most) : 0,
      records: transaction.database.sql(DELETE_EXPIRED).run(transaction.now).changes,
    }));
    pruned += removed.asks;
    if ((most <= 0 || removed.asks < most) && removed.records < MOST_AT_ONCE) return pruned;
  }
}

function removeAsks(
  transaction: Transaction,
  rows: AskRows,
  { settledBefore, namespaces }: PruneRequest,
  most: number,
): number {
  const { database } = transaction;
  const old = database.sql(SETTLED_BEFORE).all<OldRow>(settledBefore, most);
  for (const row of old) {
    const { id, position, status } = row;
    const recipients = row.everyone === 0 ? rows.contentOf(database, row)?.recipients : [];
    for (const person of recipients ?? []) database.sql(DELETE_RECIPIENT).run(person, status, position);
    database.sql(DELETE_ASK).run(position);
    const event = database.sql(LAST_EVENT).get<{ readonly last: number | null }>(id, EVENT_LOG);
    transaction.trim(EVENT_LOG, (event?.last ?? 0) + 1);
    database.sql(DELETE_EVENTS).run(id, EVENT_LOG);
    const prefix = `${id}/`;
    for (const namespace of namespaces) {
      database.sql(DELETE_RECORDS).run(namespace, prefix, prefixEnd(prefix) ?? prefix);
    }
  }
  return old.length;
}
