import { entriesSql, lockedSql, writtenSql } from "./log-sql.js";

/** How long a deleted record leaves a tombstone. Must be longer than all retries of a delete together. */
export const TOMBSTONE_MS = 600_000;

/** A condition: the row has a value (it is not a tombstone) and has not expired. */
export function aliveSql(table: string, now: string): string {
  return `(${table}.value is not null and (${table}.expires_at is null or ${table}.expires_at > ${now}))`;
}

/** `$1` is the time. Tombstones from before `$2` are removed too. Locked rows are left for later. */
export function removeExpiredSql(schema: string): string {
  return `
with gone as materialized (
  select namespace, key from ${schema}.records
  where expires_at <= case when value is null then $2::bigint else $1::bigint end and expires_at <= $1::bigint
  for update skip locked
)
delete from ${schema}.records using gone
where records.namespace = gone.namespace and records.key = gone.key`;
}

/** Removes tombstones from before `$1`. */
export function forgetDeletedSql(schema: string): string {
  return `
with gone as materialized (
  select namespace, key from ${schema}.records where expires_at <= $1::bigint and value is null
  limit 10000 for update skip locked
)
delete from ${schema}.records using gone
where records.namespace = gone.namespace and records.key = gone.key`;
}

/** A write's `expect` is a version, or one of these. */
export const ANY_VERSION = -1;
export const NO_RECORD = 0;

/**
 * Puts and deletes records. A deleted record keeps its row without a value, and every write stores its id in the row,
 * so that a retried write can detect that it was already made. `$1`: logs, `$2` to `$9`: the writes, `$10` to `$15`:
 * the entries they append, `$16`: the time, `$17`: the channel, `$18`: the node.
 */
export function writeSql(schema: string): string {
  const now = "$16::bigint";
  const alive = aliveSql("records", now);
  const insertInto = (expect: number, guard: string): string => `
  insert into ${schema}.records (namespace, key, value, version, expires_at, available_at, write_id)
  select namespace, key, value, 1, expires_at, available_at, write_id
  from input cross join ready where kind = 'put' and expect = ${expect}
  order by namespace, key
  on conflict (namespace, key) do update set
    value = excluded.value,
    version = case when ${alive} then records.version + 1 else 1 end,
    expires_at = excluded.expires_at,
    available_at = excluded.available_at,
    write_id = excluded.write_id
  where records.write_id <> excluded.write_id and ${guard}
  returning namespace, key, version`;
  const source = `
    select extra.number, extra.place, extra.log, extra.type, extra.subject, extra.data, null as write_id
    from unnest($10::bigint[], $11::int[], $12::text[], $13::text[], $14::text[], $15::text[])
      as extra (number, place, log, type, subject, data)
    join input on input.number = extra.number
    join written on written.namespace = input.namespace and written.key = input.key`;
  return `
with ${lockedSql(schema)}, input as materialized (
  select * from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::bigint[], $7::bigint[],
    $8::bigint[], $9::text[]) with ordinality
    as input (kind, namespace, key, value, expires_at, available_at, expect, write_id, number)
), changed as (
  update ${schema}.records set
    value = input.value,
    version = case input.kind when 'put' then records.version + 1 else records.version end,
    expires_at = case input.kind when 'put' then input.expires_at else ${now} end,
    available_at = input.available_at,
    write_id = input.write_id
  from input cross join ready
  where records.namespace = input.namespace and records.key = input.key
    and (input.kind = 'delete' or input.expect > 0)
    and (input.expect = ${ANY_VERSION} or input.expect = records.version)
    and ${alive} and records.write_id <> input.write_id
  returning records.namespace, records.key, records.version
), overwritten as (${insertInto(ANY_VERSION, "true")}
), created as (${insertInto(NO_RECORD, `not ${alive}`)}
), written as materialized (
  select * from changed union all select * from overwritten union all select * from created
), ${entriesSql(source)}, ${writtenSql(schema, { at: now, channel: "$17", node: "$18", guard: "true" })}
select namespace, key, version from written cross join notified`;
}
