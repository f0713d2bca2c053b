import { prefixEnd } from "../../hub/key-range.js";
import { EVENT_LOG } from "../../hub/store.js";
import { type AskRow, recipientsAt } from "./ask-rows.js";
import { fileAsks } from "./file-asks.js";
import type { Pruned, PruneRequest } from "./operations.js";
import type { Transaction } from "./transaction.js";

// Removed in small transactions: one large one would hold up everybody.
const MOST_AT_ONCE = 100;

export const SETTLED_BEFORE: string = `
  SELECT position, id, everyone, status FROM asks
  WHERE filed = 1 AND status <> 'pending' AND settled_at < ? ORDER BY settled_at, position LIMIT ?`;
const DELETE_ASK = "DELETE FROM asks WHERE position = ?";
const DELETE_CONTENT = "DELETE FROM ask_contents WHERE position = ?";
const DELETE_RECIPIENT = "DELETE FROM ask_recipients WHERE person = ? AND status = ? AND position = ?";
export const LAST_EVENT: string =
  "SELECT max(position) AS last FROM log_entries WHERE subject = ? AND log = ?";
// Left to itself, SQLite goes through the whole log for each ask.
export const DELETE_EVENTS: string =
  "DELETE FROM log_entries INDEXED BY log_entries_by_subject WHERE subject = ? AND log = ?";
export const DELETE_RECORDS: string = "DELETE FROM records WHERE namespace = ? AND key >= ? AND key < ?";
export const DELETE_EXPIRED: string = `
  DELETE FROM records WHERE (namespace, key) IN (
    SELECT namespace, key FROM records WHERE expires_at IS NOT NULL AND expires_at <= ? LIMIT ${MOST_AT_ONCE})`;

// An older program that had the file open when it was migrated prunes asks and not their contents. Those before the
// oldest ask are found at once, without going through all.
export const DELETE_LEFT: string = `
  DELETE FROM ask_contents WHERE position IN (
    SELECT position FROM ask_contents
    WHERE position < coalesce((SELECT min(position) FROM asks), ?) ORDER BY position LIMIT ${MOST_AT_ONCE})`;

type OldRow = Pick<AskRow, "position" | "id" | "status"> & { readonly everyone: number };

/** Removes a part of what is old, which is the last part where `isLast` says so. */
export function prune(transaction: Transaction, request: PruneRequest): Pruned {
  const most = Math.min(MOST_AT_ONCE, request.limit);
  return {
    asks: most > 0 ? removeAsks(transaction, request, most) : 0,
    records: transaction.database.sql(DELETE_EXPIRED).run(transaction.now).changes,
    contents: transaction.database.sql(DELETE_LEFT).run(transaction.next(EVENT_LOG)).changes,
  };
}

/** Whether nothing is left to remove after a part. */
export function isLast({ asks, records, contents }: Pruned, limit: number): boolean {
  const few = records < MOST_AT_ONCE && contents < MOST_AT_ONCE;
  return (limit <= 0 || asks < Math.min(MOST_AT_ONCE, limit)) && few;
}

function removeAsks(
  transaction: Transaction,
  { settledBefore, namespaces }: PruneRequest,
  most: number,
): number {
  const { database } = transaction;
  fileAsks(database);
  const old = database.sql(SETTLED_BEFORE).all<OldRow>(settledBefore, most);
  for (const row of old) {
    const { id, position, status } = row;
    for (const person of row.everyone === 0 ? recipientsAt(database, position) : [])
      database.sql(DELETE_RECIPIENT).run(person, status, position);
    database.sql(DELETE_ASK).run(position);
    database.sql(DELETE_CONTENT).run(position);
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
