import { randomUUID } from "node:crypto";
import type { RecordPut } from "../../../seam/store.js";
import { requireStorable } from "../database/storable.js";
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

/** A write of a record, as columns of the statement. A delete has no value. */
export interface RecordWrite {
  readonly namespace: string;
  readonly key: string;
  readonly value: string | null;
  readonly expiresAt: number | null;
  readonly availableAt: number | null;
  readonly expect: number;
  readonly writeId: string;
}

/** Throws if a name cannot be stored. */
export function toRecordWrite({ namespace, key, value, ...options }: RecordPut): RecordWrite {
  requireStorable(namespace, key);
  const { expect, expiresAt, availableAt } = options;
  return {
    namespace,
    key,
    value: JSON.stringify(value),
    expiresAt: wholeOf(expiresAt),
    availableAt: wholeOf(availableAt),
    expect: expect === undefined ? ANY_VERSION : (expect ?? NO_RECORD),
    writeId: randomUUID(),
  };
}

/** A bigint takes no fraction of a millisecond. */
function wholeOf(time: number | undefined): number | null {
  return time === undefined ? null : Math.ceil(time);
}

/** In the order of {@link RecordWrite}. */
export function writeColumns(writes: readonly RecordWrite[]): unknown[] {
  return [
    writes.map(({ namespace }) => namespace),
    writes.map(({ key }) => key),
    writes.map(({ value }) => value),
    writes.map(({ expiresAt }) => expiresAt),
    writes.map(({ availableAt }) => availableAt),
    writes.map(({ expect }) => expect),
    writes.map(({ writeId }) => writeId),
  ];
}

/**
 * Puts and deletes records. A deleted record keeps its row without a value, and every write stores its id in the row,
 * so that a retried write can detect that it was already made. `$1`: logs, `$2` to `$9`: the writes, `$10` to `$15`:
 * the entries they append, `$16`: the time, `$17`: the channel, `$18`: the node.
 */
export function writeSql(schema: string): string {
  const now = "$16::bigint";
  const source = `
    select extra.number, extra.place, extra.log, extra.type, extra.subject, extra.data, null as write_id
    from unnest($10::bigint[], $11::int[], $12::text[], $13::text[], $14::text[], $15::text[])
      as extra (number, place, log, type, subject, data)
    join writes on writes.number = extra.number
    join written on written.namespace = writes.namespace and written.key = writes.key`;
  return `
with ${lockedSql(schema)}, writes as materialized (
  select * from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::bigint[], $7::bigint[],
    $8::bigint[], $9::text[]) with ordinality
    as writes (kind, namespace, key, value, expires_at, available_at, expect, write_id, number)
), ${writtenRecordsSql(schema, now)}, ${entriesSql(source)}, ${writtenSql(schema, { at: now, channel: "$17", node: "$18", guard: "true" })}
select namespace, key, version from written cross join notified`;
}

/** Makes each of `writes` whose `expect` matches. `written` has the names and versions of those. */
export function writtenRecordsSql(schema: string, now: string): string {
  const alive = aliveSql("records", now);
  const insertInto = (expect: number, guard: string): string => `
  insert into ${schema}.records (namespace, key, value, version, expires_at, available_at, write_id)
  select namespace, key, value, 1, expires_at, available_at, write_id
  from writes cross join ready where kind = 'put' and expect = ${expect}
  order by namespace, key
  on conflict (namespace, key) do update set
    value = excluded.value,
    version = case when ${alive} then records.version + 1 else 1 end,
    expires_at = excluded.expires_at,
    available_at = excluded.available_at,
    write_id = excluded.write_id
  where records.write_id <> excluded.write_id and ${guard}
  returning namespace, key, version`;
  return `replaced as (
  update ${schema}.records set
    value = writes.value,
    version = case writes.kind when 'put' then records.version + 1 else records.version end,
    expires_at = case writes.kind when 'put' then writes.expires_at else ${now} end,
    available_at = writes.available_at,
    write_id = writes.write_id
  from writes cross join ready
  where records.namespace = writes.namespace and records.key = writes.key
    and (writes.kind = 'delete' or writes.expect > 0)
    and (writes.expect = ${ANY_VERSION} or writes.expect = records.version)
    and ${alive} and records.write_id <> writes.write_id
  returning records.namespace, records.key, records.version
), overwritten as (${insertInto(ANY_VERSION, "true")}
), created as (${insertInto(NO_RECORD, `not ${alive}`)}
), written as materialized (
  select * from replaced union all select * from overwritten union all select * from created
)`;
}
