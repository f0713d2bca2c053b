import { prefixEnd } from "../../hub/key-range.js";
import type { LogStore, LogSummary } from "../../hub/store.js";
import { type EntryRow, type NewEntryRow, toEntry, toEntryRow } from "../shared/rows.js";
import type { Connection } from "./connection.js";
import { readLog, type Transaction } from "./transaction.js";

const COLUMNS = "position, at, type, subject, data";
export const READ: string = `
  SELECT ${COLUMNS} FROM log_entries WHERE log = ? AND position > ? ORDER BY position LIMIT ?`;
export const READ_SUBJECT: string = `
  SELECT ${COLUMNS} FROM log_entries INDEXED BY log_entries_by_subject
  WHERE subject = ? AND log = ? AND position > ? ORDER BY position LIMIT ?`;

/** Logs from a prefix on and after a name, to where the names no longer begin with it. */
export function listSql(bounded: boolean): string {
  return `
  SELECT logs.log, first, head, at AS lastAt FROM logs CROSS JOIN log_entries AS last
    ON last.log = logs.log AND last.position = head
  WHERE logs.log >= max(?1, ?2) AND logs.log <> ?2${bounded ? " AND logs.log < ?4" : ""} AND first <= head
  ORDER BY logs.log LIMIT ?3`;
}

export function createLogs({ read, write }: Connection): LogStore {
  return {
    async append(entries) {
      return write("append", entries.map(toEntryRow));
    },
    read: (log, { after, limit, subject }) =>
      read((database) => {
        const most = Math.max(0, limit);
        const rows =
          subject === undefined
            ? database.sql(READ).all<EntryRow>(log, after, most)
            : database.sql(READ_SUBJECT).all<EntryRow>(subject, log, after, most);
        return rows.map(toEntry);
      }),
    bounds: (log) => read((database) => readLog(database, log)),
    list: ({ prefix, after = "", limit }) =>
      read((database) => {
        const end = prefixEnd(prefix);
        const values = [prefix, after, Math.max(0, limit), ...(end === undefined ? [] : [end])];
        return database.sql(listSql(end !== undefined)).all<LogSummary>(...values);
      }),
    async remove(log, head) {
      for (let begun = false; ; begun = true) {
        const removed = await write("removeLog", { log, head, begun });
        if (removed !== "part") return removed === "whole";
      }
    },
    restore: (log, { head, first, entries }) =>
      write("restoreLog", {
        ...{ log, head, first },
        entries: entries.map((entry) => ({ ...toEntryRow({ ...entry, log }), at: entry.at })),
      }),
  };
}

export function appendEntries(transaction: Transaction, entries: readonly NewEntryRow[]): readonly number[] {
  return transaction.append(entries);
}

// Removed in small transactions: one large one would hold up everybody.
const MOST_AT_ONCE = 1_000;

export const LOWEST: string = "SELECT min(position) AS lowest FROM log_entries WHERE log = ?";
export const DELETE_BELOW: string = "DELETE FROM log_entries WHERE log = ? AND position < ?";

export interface RemoveLogRequest {
  readonly log: string;
  readonly head: number;
  /** Whether a part of it has been removed: what was written since does not keep the rest. */
  readonly begun: boolean;
}

/** Removes a part of a log, from its beginning; `other` where it has another head. */
export function removeLog(
  transaction: Transaction,
  { log, head, begun }: RemoveLogRequest,
): "other" | "part" | "whole" {
  const { database } = transaction;
  if (!begun && transaction.bounds(log).head !== head) return "other";
  const found = database.sql(LOWEST).get<{ readonly lowest: number | null }>(log);
  const end = Math.min((found?.lowest ?? head) + MOST_AT_ONCE, head + 1);
  database.sql(DELETE_BELOW).run(log, end);
  transaction.trim(log, end);
  return end > head ? "whole" : "part";
}

export interface RestoreLogRequest {
  readonly log: string;
  readonly head: number;
  readonly first: number;
  readonly entries: readonly NewEntryRow[];
}

/** Whether the entries were stored: not where something else is at the head. */
export function restoreLog(transaction: Transaction, request: RestoreLogRequest): boolean {
  const { log, head, first, entries } = request;
  const bounds = transaction.bounds(log);
  if (bounds.head !== head) return false;
  if (bounds.first > head) transaction.begin(log, first);
  transaction.append(entries);
  return true;
}
