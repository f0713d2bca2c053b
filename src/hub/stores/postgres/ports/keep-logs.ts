// Lists, removes and restores whole logs. Like every writer, a change locks the log's row first, so that the head
// cannot change between the check and the commit.

import type { LogStore, LogSummary, RestoredEntries } from "../../../seam/store.js";
import { prefixEnd } from "../../../seam/store-kit.js";
import type { Context } from "../database/context.js";
import { statement } from "../database/database.js";
import { isStorable, requireStorable } from "../database/storable.js";

type LogMethods = Pick<LogStore, "list" | "remove" | "restore">;

/** Entries are removed in small transactions, because one large transaction would block writers of the log. */
const MOST_AT_ONCE = 1_000;

export function createLogKeeping({ database, schema, channel, node, requireLogs }: Context): LogMethods {
  const list = statement(listSql(schema));
  const remove = statement(removeSql(schema));
  const restore = statement(restoreSql(schema));
  const bounds = statement(`select head from ${schema}.logs where log = $1`);

  const headOf = async (log: string): Promise<number> => {
    const [row] = await database.query<{ readonly head: number }>(bounds, [log]);
    return row?.head ?? 0;
  };

  return {
    async list({ prefix, after = "", limit }) {
      if (!isStorable(prefix) || !isStorable(after)) return [];
      const values = [prefix, prefixEnd(prefix) ?? null, after, limit];
      return database.retry(() => database.query<LogSummary>(list, values));
    },
    async remove(log, head) {
      requireStorable(log);
      for (let begun = false; ; begun = true) {
        const [row] = await database.retry(() =>
          database.query<{ readonly other: boolean; readonly removed: number }>(remove, [log, head, begun]),
        );
        if (row === undefined) return head === 0;
        if (row.other) return false;
        if (row.removed < MOST_AT_ONCE) return true;
      }
    },
    async restore(log, { head, first, entries }: RestoredEntries) {
      requireStorable(log, ...entries.flatMap(({ type, subject }) => [type, subject]));
      const values = [
        ...[log, head, first],
        entries.map(({ at }) => at),
        entries.map(({ type }) => type),
        entries.map(({ subject }) => subject ?? null),
        entries.map(({ data }) => (data === undefined ? null : JSON.stringify(data))),
        ...[channel, node],
      ];
      return database.retry(async (again) => {
        await requireLogs([log]);
        const rows = await database.query(restore, values);
        // If an earlier try was committed but its result was lost, its last entry is the head.
        return rows.length > 0 || (again && (await headOf(log)) === first + entries.length - 1);
      });
    },
  };
}

/** `$1`: the prefix, `$2`: the first name beyond it or null, `$3`: the name to continue after, empty at first. */
function listSql(schema: string): string {
  return `
select logs.log, logs.first, logs.head, last.at as "lastAt" from ${schema}.logs
join ${schema}.log_entries as last on last.log = logs.log and last.position = logs.head
where logs.log >= greatest($1::text collate "C", $3::text) and logs.log <> $3::text
  and ($2::text is null or logs.log < $2) and logs.first <= logs.head
order by logs.log limit $4`;
}

/** `$1`: the log, `$2`: its expected head, `$3`: whether an earlier call removed a part. */
function removeSql(schema: string): string {
  return `
with locked as materialized (
  select head <> $2::bigint and not $3::boolean as other from ${schema}.logs where log = $1 for update
), part as materialized (
  select entry.position from locked cross join lateral (
    select position from ${schema}.log_entries where log = $1 and position <= $2::bigint
    order by position limit ${MOST_AT_ONCE}
  ) as entry
  where not locked.other
), removed as (
  delete from ${schema}.log_entries using part where log_entries.log = $1 and log_entries.position = part.position
), trimmed as (
  update ${schema}.logs set first = greatest(first, last.position + 1)
  from (select max(position) as position from part) as last
  where log = $1 and last.position is not null
)
select other, (select count(*) from part) as removed from locked`;
}

/** `$1`: the log, `$2`: its head, `$3`: the first position, `$4` to `$7`: the entries. Returns a row if stored. */
function restoreSql(schema: string): string {
  return `
with locked as materialized (
  select log, first, head from ${schema}.logs where log = $1 for update
), ready as materialized (select * from locked where head = $2::bigint), entries as materialized (
  select ready.log, $3::bigint + entry.number - 1 as position, entry.at, entry.type, entry.subject, entry.data
  from ready cross join unnest($4::bigint[], $5::text[], $6::text[], $7::text[]) with ordinality
    as entry (at, type, subject, data, number)
), logged as (
  insert into ${schema}.log_entries (log, position, at, type, subject, data)
  select log, position, at, type, subject, data from entries
), moved as (
  update ${schema}.logs set head = last.position,
    first = case when ready.first > ready.head then $3::bigint else ready.first end
  from (select max(position) as position from entries) as last cross join ready
  where logs.log = ready.log and last.position is not null
)
select pg_notify($8, $9) from ready`;
}
