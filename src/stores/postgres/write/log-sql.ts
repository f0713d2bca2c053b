// The parts of a statement that writes to logs. Each is one statement and so one transaction:
//
//   locked   the heads of all logs it writes to, in the order of their names: whoever writes waits here, and
//            nobody holds a lock that is taken later. So no two batches block each other, and positions are
//            given in the order of the commits: a reader that has seen 6 never finds a 5 appear.
//   entries  what is to be written, with its position
//   logged   the entries, stored
//   moved    the heads, moved on
//   notified the other nodes, told
//
// A statement sees the tables as they were when it began, but waits for the heads after that. What was
// committed in between it meets only where it writes: `update` looks again at a row that changed meanwhile,
// and what cannot look again fails the check of the head, which undoes the statement to be tried again.

import type { LogAppend } from "../../../hub/seam/store.js";
import { type NewEntryRow, toEntryRow } from "../../shared/rows.js";
import { requireStorable } from "../database/storable.js";

/** `$1`: the names of the logs. */
export function lockedSql(schema: string): string {
  return `locked as materialized (
  select log, head from ${schema}.logs where log = any($1::text[]) order by log for update
), ready as materialized (select count(*) as logs from locked)`;
}

/**
 * Positions for `source`, a query of (number, place, log, type, subject, data): the number of the call that
 * writes the entry, and its place within that.
 */
export function entriesSql(source: string): string {
  return `entries as materialized (
  select entry.*, locked.head + row_number() over (partition by entry.log order by entry.number, entry.place)
    as position
  from (${source}) as entry join locked on locked.log = entry.log
)`;
}

/** `at` and the channel's and the node's name are parameters, as in `$7`; `guard` must hold, or all is undone. */
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

/** The entries that calls append besides their own event, as columns; `number` counts calls from 1. */
export interface AppendColumns {
  readonly number: number[];
  readonly place: number[];
  readonly log: string[];
  readonly type: string[];
  readonly subject: (string | null)[];
  readonly data: (string | null)[];
  readonly at: (number | null)[];
}

/** Refuses entries whose names cannot be stored. */
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

/** The names of all logs that are written to, each once. */
export function logsOf({ log }: AppendColumns, ...others: readonly string[]): string[] {
  return [...new Set([...others, ...log])];
}
