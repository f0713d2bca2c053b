import { EVENT_LOG } from "../../../seam/store.js";
import { prefixEnd } from "../../../seam/store-kit.js";
import type { AskRow } from "../../shared/rows.js";
import { recipientsIn } from "./ask-writes.js";
import type { Transaction } from "./transaction.js";

// Rows are removed in small transactions, because one large transaction would block all writers.
const MOST_AT_ONCE = 100;

export const SETTLED_BEFORE: string = `
  SELECT position, id, everyone, status, added, content FROM asks
  WHERE settled_at < ? ORDER BY settled_at, position LIMIT ?`;
const DELETE_ASK = "DELETE FROM asks WHERE position = ?";
const DELETE_RECIPIENT = "DELETE FROM ask_recipients WHERE person = ? AND status = ? AND position = ?";
export const LAST_EVENT: string =
  "SELECT max(position) AS last FROM log_entries WHERE subject = ? AND log = ?";
// Without INDEXED BY, SQLite scans the whole log for each ask.
export const DELETE_EVENTS: string =
  "DELETE FROM log_entries INDEXED BY log_entries_by_subject WHERE subject = ? AND log = ?";
export const DELETE_RECORDS: string = "DELETE FROM records WHERE namespace = ? AND key >= ? AND key < ?";
export const DELETE_EXPIRED: string = `
  DELETE FROM records WHERE (namespace, key) IN (
    SELECT namespace, key FROM records WHERE expires_at IS NOT NULL AND expires_at <= ? LIMIT ${MOST_AT_ONCE})`;

export interface PruneRequest {
  readonly settledBefore: number;
  readonly limit: number;
  readonly namespaces: readonly string[];
}

export interface Pruned {
  readonly asks: number;
  /** Whether nothing is left to remove. */
  readonly isLast: boolean;
}

type OldRow = Pick<AskRow, "position" | "id" | "status" | "added" | "content"> & {
  readonly everyone: number;
};

/** Removes one batch of old asks and expired records. */
export function prune(transaction: Transaction, request: PruneRequest): Pruned {
  const most = Math.max(0, Math.min(MOST_AT_ONCE, request.limit));
  const asks = removeAsks(transaction, request, most);
  const records = transaction.database.sql(DELETE_EXPIRED).run(transaction.now).changes;
  return { asks, isLast: (asks < most || asks >= request.limit) && records < MOST_AT_ONCE };
}

function removeAsks(
  transaction: Transaction,
  { settledBefore, namespaces }: PruneRequest,
  most: number,
): number {
  const { database } = transaction;
  const old = database.sql(SETTLED_BEFORE).all<OldRow>(settledBefore, most);
  for (const { id, position, status, everyone, added, content } of old) {
    for (const person of everyone === 0 ? recipientsIn(content, added) : [])
      database.sql(DELETE_RECIPIENT).run(person, status, position);
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
