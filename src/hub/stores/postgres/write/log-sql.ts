// The parts of a statement that writes to logs. Each statement is one transaction:
//
//   locked   locks the heads of all logs it writes to, ordered by name. Every writer takes these locks first, so two
//            batches cannot deadlock, and positions follow the order of commits: a reader that has seen 6 never sees
//            a 5 appear later.
//   entries  the new entries, with their positions
//   logged   inserts the entries
//   moved    advances the heads
//   notified notifies the other nodes
//
// A statement reads a snapshot from its start, and waits for the locks after that. It sees commits made in between only
// where it writes: `update` reads a row again if it changed meanwhile. Where that is not possible, a check on the head
// fails, which rolls back the statement, and it is tried again.

import type { LogAppend } from "../../../seam/store.js";
import { type NewEntryRow, toEntryRow } from "../../shared/rows.js";
import { requireStorable } from "../database/storable.js";

/** `$1` is the names of the logs. */
export function lockedSql(schema: string): string {
  return `locked as materialized (
  select log, head from ${schema}.logs where log = any($1::text[]) order by log for update
), ready as materialized (select count(*) as logs from locked)`;
}

/**
 * Adds positions to `source`, a query of (number, place, log, type, subject, data). `number` is the number of the call
 * that writes the entry, and `place` is the entry's place within that call.
 */
export function entriesSql(source: string): string {
  return `entries as materialized (
  select entry.*, locked.head + row_number() over (partition by entry.log order by entry.number, entry.place)
    as position
  from (${source}) as entry join locked on locked.log = entry.log
)`;
}

/** All options are SQL expressions, such as `$7`. If `guard` is false, the whole statement is rolled back. */
export function writtenSql(
  schema: string,
  { at, channel, node, guard }: Readonly<Record<"at" | "channel" | "node" | "guard", string>>,
): string {
  return `logged as (
  insert into ${schema}.log_entries (log, position, at, type, subject, data, write_id)
  select log, position, ${at}, type, subject, data, write_id from entries
), moved as (
  update ${schema}.logs set head = case when ready.logs = cardinality($1::text[]) and ${guard}
    then last.head else -1 end
  from (select log, max(position) as head from entries group by log) as last cross join ready
  where logs.log = last.log
), notified as materialized (
  select pg_notify(${channel}, ${node})
)`;
}

/** The log entries of several calls, as columns. `number` counts calls from 1. */
export interface AppendColumns {
  readonly number: number[];
  readonly place: number[];
  readonly log: string[];
  readonly type: string[];
  readonly subject: (string | null)[];
  readonly data: (string | null)[];
  readonly at: (number | null)[];
}

/** Throws if a name in an entry cannot be stored. */
export function toWritten(entries: readonly LogAppend[]): readonly NewEntryRow[] {
  for (const { log, type, subject } of entries) requireStorable(log, type, subject);
  return entries.map(toEntryRow);
}

export function appendColumns(appends: readonly (readonly NewEntryRow[])[]): AppendColumns {
  const columns: AppendColumns = { number: [], place: [], log: [], type: [], subject: [], data: [], at: [] };
  for (const [call, entries] of appends.entries()) {
    for (const [place, { log, type, subject, data, at }] of entries.entries()) {
      columns.number.push(call + 1);
      columns.place.push(place + 1);
      columns.log.push(log);
      columns.type.push(type);
      columns.subject.push(subject);
      columns.data.push(data);
      columns.at.push(at ?? null);
    }
  }
  return columns;
}

/** The names of all logs that are written to, without duplicates. */
export function logsOf({ log }: AppendColumns, ...moreLogs: readonly string[]): string[] {
  return [...new Set([...moreLogs, ...log])];
}
