// Inserts asks that are new to this store: just created, or restored from another store.

import type { Ask } from "../../../../core/model/ask.js";
import { askerIdentity } from "../../../../core/model/visibility.js";
import { EVENT_LOG, type LogAppend, type RestoredAsk } from "../../../seam/store.js";
import {
  type AskRow,
  type Content,
  contentOf,
  type NewEntryRow,
  snapshot,
  toAsk,
  toEntryRow,
} from "../../shared/rows.js";
import type { Context } from "../database/context.js";
import { askColumns, type Statement, statement } from "../database/database.js";
import { requireStorable } from "../database/storable.js";
import { type Batcher, createBatcher } from "./batcher.js";
import { appendColumns, entriesSql, lockedSql, logsOf, toWritten, writtenSql } from "./log-sql.js";

export interface Insert {
  readonly ask: Ask;
  readonly content: Content;
  readonly json: string;
  /** The first entry is the ask's `ask.created` event. */
  readonly entries: readonly NewEntryRow[];
}

export interface InsertResult {
  readonly stored: boolean;
  /** The stored ask, or the existing ask that prevented the insert. */
  readonly ask: Ask;
}

export function toInsert(ask: Ask, append: readonly LogAppend[]): Insert {
  return withEntries(ask, toWritten([{ log: EVENT_LOG, type: "ask.created", subject: ask.id }, ...append]));
}

export function toRestore({ ask, events }: RestoredAsk): Insert {
  requireStorable(...events.map(({ type }) => type));
  return withEntries(
    ask,
    events.map((event) => ({
      ...toEntryRow({ ...event, log: EVENT_LOG, subject: ask.id }),
      at: event.at,
    })),
  );
}

function withEntries(input: Ask, entries: readonly NewEntryRow[]): Insert {
  const { id, session, key, agentId, recipients } = input;
  requireStorable(id, session, key, agentId, askerIdentity(input), ...recipients);
  const ask = snapshot(input);
  const content = contentOf(ask);
  return { ask, content, json: JSON.stringify(content), entries };
}

/** Stores new asks, many in one statement. With `inFlight` 1, they are stored in the order of the calls. */
export function createInserter(context: Context, inFlight: number): Batcher<Insert, InsertResult> {
  const { database, schema } = context;
  const insert = statement(insertSql(schema));
  const find = statement(findSql(schema));
  return createBatcher<Insert, InsertResult>({
    limit: 256,
    inFlight,
    sizeOf: ({ json, ask }) =>
      json.length + (ask.outcome === undefined ? 0 : JSON.stringify(ask.outcome).length),
    touches: ({ ask }) =>
      ask.key === undefined ? [ask.id] : [ask.id, keyName(askerIdentity(ask), ask.session, ask.key)],
    committed: context.committed,
    run: (items) => database.retry(() => run(context, insert, find, items)),
  });
}

async function run(
  context: Context,
  insert: Statement,
  find: Statement,
  items: readonly Insert[],
): Promise<readonly InsertResult[]> {
  const { database, channel, node } = context;
  const results = new Map<Insert, InsertResult>();
  // Another round is needed for an ask that conflicted with our write but was removed before our read.
  for (let left = items; left.length > 0; left = items.filter((item) => !results.has(item))) {
    const entries = appendColumns(left.map((item) => item.entries));
    const logs = logsOf(entries, EVENT_LOG);
    await context.requireLogs(logs);
    const stored = await database.query<{ readonly id: string; readonly position: number }>(insert, [
      logs,
      ...columns(left),
      ...[
        entries.number,
        entries.place,
        entries.log,
        entries.type,
        entries.subject,
        entries.data,
        entries.at,
      ],
      context.now(),
      channel,
      node,
    ]);
    const positions = new Map(stored.map(({ id, position }) => [id, position]));
    for (const item of left) {
      const position = positions.get(item.ask.id);
      if (position === undefined) continue;
      context.contents.keep({ position, content: item.content, size: item.json.length });
      results.set(item, { stored: true, ask: item.ask });
    }
    const others = left.filter((item) => !results.has(item));
    if (others.length > 0) await findExisting(context, find, others, results);
  }
  return items.map((item) => results.get(item) as InsertResult);
}

/** Finds the existing ask of each item: by id, or else by asker, session and key. */
async function findExisting(
  { database }: Context,
  find: Statement,
  items: readonly Insert[],
  results: Map<Insert, InsertResult>,
): Promise<void> {
  const keyed = items.filter(({ ask }) => ask.key !== undefined);
  const rows = await database.query<KeyedRow>(find, [
    items.map(({ ask }) => ask.id),
    keyed.map(({ ask }) => askerIdentity(ask) ?? ""),
    keyed.map(({ ask }) => ask.session),
    keyed.map(({ ask }) => ask.key),
  ]);
  const byId = new Map(rows.map((row) => [row.id, toAsk(row)]));
  // Uses the key column, not the content: the column is null once the key was released.
  const byKey = new Map(rows.map((row) => [keyName(row.asker, row.session, row.key), byId.get(row.id)]));
  for (const item of items) {
    const { id, session, key } = item.ask;
    const present =
      byId.get(id) ??
      (key === undefined ? undefined : byKey.get(keyName(askerIdentity(item.ask), session, key)));
    if (present !== undefined) results.set(item, { stored: false, ask: present });
  }
}

interface KeyedRow extends AskRow {
  readonly asker: string | null;
  readonly session: string;
  readonly key: string | null;
}

function keyName(asker: string | null | undefined, session: string, key: string | null): string {
  return JSON.stringify([asker ?? "", session, key]);
}

function columns(items: readonly Insert[]): unknown[] {
  const asks = items.map(({ ask }) => ask);
  return [
    asks.map(({ id }) => id),
    asks.map(({ session }) => session),
    asks.map(({ key }) => key ?? null),
    asks.map(({ agentId }) => agentId ?? null),
    asks.map((ask) => askerIdentity(ask) ?? null),
    asks.map(({ status }) => status),
    asks.map(({ createdAt }) => createdAt),
    asks.map(({ deadline }) => deadline ?? null),
    asks.map(({ overdue }) => overdue ?? false),
    asks.map(({ settledAt }) => settledAt ?? null),
    items.map(({ json }) => json),
    asks.map(({ outcome }) => (outcome === undefined ? null : JSON.stringify(outcome))),
    asks.map(({ recipients }) => (recipients.length === 0 ? null : JSON.stringify([...new Set(recipients)]))),
    items.map(({ entries }) => entries.filter(({ log }) => log === EVENT_LOG).length),
  ];
}

/**
 * The position of a new ask, which is that of its first event, is computed before anything is stored: it follows the
 * event log entries of the asks before it in the batch.
 */
export function insertSql(schema: string): string {
  const source = `
    select extra.number, extra.place, extra.log, extra.type, extra.subject, extra.data, null as write_id, extra.at
    from unnest($16::bigint[], $17::int[], $18::text[], $19::text[], $20::text[], $21::text[], $22::bigint[])
      as extra (number, place, log, type, subject, data, at)
    join fresh on fresh.number = extra.number`;
  return `
with ${lockedSql(schema)}, input as materialized (
  select * from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::bigint[],
    $9::bigint[], $10::boolean[], $11::bigint[], $12::text[], $13::text[], $14::text[], $15::int[]) with ordinality
    as input (id, session, key, agent_id, asker, status, created_at, deadline, overdue, settled_at,
      content, outcome, recipients, entries, number)
), fresh as materialized (
  select input.*, locked.head + sum(input.entries) over (order by input.number) - input.entries + 1 as position
  from input cross join ready join locked on locked.log = '${EVENT_LOG}'
  where not exists (select from ${schema}.asks where asks.id = input.id)
    and not exists (select from ${schema}.asks 
      where coalesce(asks.asker, '') = coalesce(input.asker, '') and asks.session = input.session
        and asks.key = input.key)
), stored as (
  insert into ${schema}.asks (position, id, session, key, agent_id, asker, everyone, status, created_at,
    deadline, overdue, settled_at, content, outcome)
  select position, id, session, key, agent_id, asker, recipients is null, status, created_at, deadline, overdue,
    settled_at, content, outcome
  from fresh
  on conflict do nothing
  returning id, position
), addressed as (
  insert into ${schema}.ask_recipients (position, person, status)
  select fresh.position, person, fresh.status
  from fresh cross join lateral json_array_elements_text(fresh.recipients::json) as person
  where fresh.recipients is not null
), ${entriesSql(source)}, ${writtenSql(schema, {
    at: "coalesce(at, $23::bigint)",
    channel: "$24",
    node: "$25",
    guard: "(select count(*) from stored) = (select count(*) from fresh)",
  })}
select id, position from stored cross join notified`;
}

function findSql(schema: string): string {
  const wanted = `${askColumns("asks")}, asks.asker, asks.session, asks.key`;
  return `
select ${wanted} from ${schema}.asks where id = any($1::text[])
union
select ${wanted} from unnest($2::text[], $3::text[], $4::text[]) as wanted (asker, session, key)
join ${schema}.asks on coalesce(asks.asker, '') = wanted.asker and asks.session = wanted.session
  and asks.key = wanted.key`;
}
