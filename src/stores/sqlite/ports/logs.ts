import type { LogStore, LogSummary } from "../../../hub/seam/store.js";
import { prefixEnd } from "../../../hub/seam/store-kit.js";
import { type EntryRow, toEntry, toEntryRow } from "../../shared/rows.js";
import type { Connection } from "../write/connection.js";
import { readLog } from "../write/transaction.js";

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
