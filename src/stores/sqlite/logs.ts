import { prefixEnd } from "../../hub/key-range.js";
import type { LogAppend, LogEntry, LogStore, LogSummary } from "../../hub/store.js";
import type { Connection } from "./connection.js";
import { type EntryRow, readLog } from "./transaction.js";

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

interface LogRow extends Omit<EntryRow, "log"> {
  readonly position: number;
  readonly at: number;
}

export function createLogs(connection: Connection): LogStore {
  return {
    async append(entries) {
      return connection.write("append", toEntryRows(entries));
    },
    read: (log, { after, limit, subject }) =>
      connection.read((database) => {
        const most = Math.max(0, limit);
        const rows =
          subject === undefined
            ? database.sql(READ).all<LogRow>(log, after, most)
            : database.sql(READ_SUBJECT).all<LogRow>(subject, log, after, most);
        return rows.map(toEntry);
      }),
    bounds: (log) =>
      connection.read((database) => {
        const { first, head } = readLog(database, log);
        return { first, head };
      }),
    list: ({ prefix, after = "", limit }) =>
      connection.read((database) => {
        const end = prefixEnd(prefix);
        const values = [prefix, after, Math.max(0, limit), ...(end === undefined ? [] : [end])];
        return database.sql(listSql(end !== undefined)).all<LogSummary>(...values);
      }),
    async remove(log, head) {
      for (let begun = false; ; begun = true) {
        const removed = await connection.write("removeLog", { log, head, begun });
        if (removed !== "part") return removed === "whole";
      }
    },
    restore: (log, { head, first, entries }) =>
      connection.write("restoreLog", {
        ...{ log, head, first },
        entries: entries.map(({ at, type, subject, data }) => ({
          ...{ log, at, type, subject: subject ?? null },
          data: data === undefined ? null : JSON.stringify(data),
        })),
      }),
  };
}

const NONE: readonly EntryRow[] = [];

export function toEntryRows(entries: readonly LogAppend[]): readonly EntryRow[] {
  if (entries.length === 0) return NONE;
  return entries.map(({ log, type, subject, data }) => ({
    log,
    type,
    subject: subject ?? null,
    data: data === undefined ? null : JSON.stringify(data),
  }));
}

function toEntry({ position, at, type, subject, data }: LogRow): LogEntry {
  return {
    position,
    at,
    type,
    ...(subject !== null && { subject }),
    ...(data !== null && { data: JSON.parse(data) }),
  };
}
