import type { LogStore, LogSummary } from "../../../seam/store.js";
import { fitPage, prefixEnd } from "../../../seam/store-kit.js";
import { type EntryRow, toEntry, toEntryRow } from "../../shared/rows.js";
import type { Connection } from "../write/connection.js";
import { readLog } from "../write/transaction.js";

const COLUMNS = "position, at, type, subject, data";
export const READ: string = `
  SELECT ${COLUMNS} FROM log_entries WHERE log = ? AND position > ? ORDER BY position LIMIT ?`;
export const READ_SUBJECT: string = `
  SELECT ${COLUMNS} FROM log_entries INDEXED BY log_entries_by_subject
  WHERE subject = ? AND log = ? AND position > ? ORDER BY position LIMIT ?`;

/** Lists logs by prefix (`?1`), after a name (`?2`). `?4` is the first name beyond the prefix, if `bounded`. */
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
    read: (log, { after, limit, subject, maxSize }) =>
      read((database) => {
        const most = Math.max(0, limit);
        const statement = database.sql(subject === undefined ? READ : READ_SUBJECT);
        const values = subject === undefined ? [log, after, most] : [subject, log, after, most];
        // Iterating is slower than `all`, and only needed to stop at a size.
        if (maxSize === undefined) return statement.all<EntryRow>(...values).map(toEntry);
        const rows = statement.iterate<EntryRow>(...values);
        return fitPage(rows, ({ data }) => data?.length ?? 0, maxSize).map(toEntry);
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
