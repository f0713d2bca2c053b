import type { LogAppend, LogEntry, LogStore } from "../../hub/store.js";
import type { Connection } from "./connection.js";
import { type EntryRow, readLog } from "./transaction.js";

const COLUMNS = "position, at, type, subject, data";
export const READ: string = `
  SELECT ${COLUMNS} FROM log_entries WHERE log = ? AND position > ? ORDER BY position LIMIT ?`;
export const READ_SUBJECT: string = `
  SELECT ${COLUMNS} FROM log_entries INDEXED BY log_entries_by_subject
  WHERE subject = ? AND log = ? AND position > ? ORDER BY position LIMIT ?`;

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
