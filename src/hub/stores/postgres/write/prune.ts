import { type AskStore, EVENT_LOG } from "../../../seam/store.js";
import type { Context } from "../database/context.js";
import { statement } from "../database/database.js";
import { removeExpiredSql, TOMBSTONE_MS } from "./records-sql.js";

export function createPrune(context: Context): AskStore["prune"] {
  const { database, schema } = context;
  const prune = statement(pruneSql(schema));
  const removeExpired = statement(removeExpiredSql(schema));
  return async (settledBefore, limit, namespaces) => {
    const [row] = await database.retry(() =>
      database.query<{ readonly removed: number }>(prune, [settledBefore, limit, namespaces]),
    );
    const now = context.now();
    await database.retry(() => database.query(removeExpired, [now, now - TOMBSTONE_MS]));
    return row?.removed ?? 0;
  };
}

// Locks the head of the event log first, as every writer does.
function pruneSql(schema: string): string {
  return `
with locked as materialized (
  select log from ${schema}.logs where log = '${EVENT_LOG}' for update
), ready as materialized (select count(*) as logs from locked), old as materialized (
  select asks.position from ready cross join lateral (
    select position from ${schema}.asks where settled_at < $1::bigint
    order by settled_at, position limit $2
  ) as asks
), removed as (
  delete from ${schema}.asks using old where asks.position = old.position
  returning asks.position, asks.id
), unaddressed as (
  delete from ${schema}.ask_recipients using removed where ask_recipients.position = removed.position
), unlogged as (
  delete from ${schema}.log_entries using removed
  where log_entries.log = '${EVENT_LOG}' and log_entries.subject = removed.id
  returning log_entries.position
), forgotten as (
  delete from ${schema}.records using removed cross join unnest($3::text[]) as wanted (namespace)
  where records.namespace = wanted.namespace
    and records.key >= removed.id || '/' and records.key < removed.id || '0'
), trimmed as (
  update ${schema}.logs set first = greatest(first, last.position + 1)
  from (select max(position) as position from unlogged) as last
  where log = '${EVENT_LOG}' and last.position is not null
)
select count(*) as removed from removed`;
}
