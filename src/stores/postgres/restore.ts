import type { Ask } from "../../core/index.js";
import { EVENT_LOG, type Restored, type RestoredAsk } from "../../hub/store.js";
import { type AskRow, contentOf, snapshot, toAsk } from "../shared/rows.js";
import { askColumns } from "./ask-rows.js";
import { type Batcher, createBatcher } from "./batcher.js";
import type { Context } from "./context.js";
import { type Statement, statement } from "./database.js";
import { entriesSql, lockedSql, writtenSql } from "./log-sql.js";
import { requireStorable } from "./storable.js";

export interface Restore {
  readonly ask: Ask;
  readonly content: string;
  readonly outcome: string | null;
  readonly events: readonly { readonly at: number; readonly type: string; readonly data: string | null }[];
}

export function toRestore({ ask, events }: RestoredAsk): Restore {
  const { id, session, key, agentId, asker, recipients } = ask;
  requireStorable(id, session, key, agentId, asker, ...recipients);
  requireStorable(...events.map(({ type }) => type));
  const kept = snapshot(ask);
  return {
    ask: kept,
    content: JSON.stringify(contentOf(kept)),
    outcome: kept.outcome === undefined ? null : JSON.stringify(kept.outcome),
    events: events.map(({ at, type, data }) => ({
      ...{ at, type },
      data: data === undefined ? null : JSON.stringify(data),
    })),
  };
}

/** Stores asks that another store has kept, with their events, many in one statement, in the order of the calls. */
export function createRestorer(context: Context): Batcher<Restore, Restored> {
  const { database, schema } = context;
  const restore = statement(restoreSql(schema));
  const find = statement(findSql(schema));
  return createBatcher<Restore, Restored>({
    limit: 128,
    inFlight: 1,
    sizeOf: ({ content, outcome }) => content.length + (outcome?.length ?? 0),
    touches: ({ ask }) =>
      ask.key === undefined ? [ask.id] : [ask.id, JSON.stringify([ask.session, ask.key])],
    run: (items) => database.retry(() => run(context, restore, find, items)),
  });
}

async function run(
  { database, channel, node }: Context,
  restore: Statement,
  find: Statement,
  items: readonly Restore[],
): Promise<readonly Restored[]> {
  const results = new Map<Restore, Restored>();
  // A second round is for what was there when we wrote and had been removed when we looked.
  for (let left = items; left.length > 0; left = items.filter((item) => !results.has(item))) {
    const stored = await database.query<{ readonly id: string }>(restore, [
      [EVENT_LOG],
      ...askValues(left),
      ...eventValues(left),
      channel,
      node,
    ]);
    const ids = new Set(stored.map(({ id }) => id));
    for (const item of left) {
      if (ids.has(item.ask.id)) results.set(item, { kind: "restored", ask: item.ask });
    }
    const others = left.filter((item) => !results.has(item));
    if (others.length === 0) break;
    const rows = await database.query<AskRow>(find, [
      others.map(({ ask }) => ask.id),
      others.map(({ ask }) => ask.session),
      others.map(({ ask }) => ask.key ?? null),
    ]);
    const found = rows.map(toAsk);
    for (const item of others) {
      const { id, session, key } = item.ask;
      const known = found.find((ask) => ask.id === id);
      const taken = found.find((ask) => key !== undefined && ask.session === session && ask.key === key);
      if (known !== undefined) results.set(item, { kind: "known", ask: known });
      else if (taken !== undefined) results.set(item, { kind: "taken", ask: taken });
    }
  }
  return items.map((item) => results.get(item) as Restored);
}

function askValues(items: readonly Restore[]): unknown[] {
  const asks = items.map(({ ask }) => ask);
  return [
    asks.map(({ id }) => id),
    asks.map(({ session }) => session),
    asks.map(({ key }) => key ?? null),
    asks.map(({ agentId }) => agentId ?? null),
    asks.map(({ asker }) => asker ?? null),
    asks.map(({ status }) => status),
    asks.map(({ createdAt }) => createdAt),
    asks.map(({ deadline }) => deadline ?? null),
    asks.map(({ overdue }) => overdue ?? false),
    asks.map(({ settledAt }) => settledAt ?? null),
    items.map(({ content }) => content),
    items.map(({ outcome }) => outcome),
    asks.map(({ recipients }) => (recipients.length === 0 ? null : JSON.stringify([...new Set(recipients)]))),
    items.map(({ events }) => events.length),
  ];
}

function eventValues(items: readonly Restore[]): unknown[] {
  const events = items.flatMap(({ events: own }, index) =>
    own.map((event, place) => ({ ...event, number: index + 1, place })),
  );
  return [
    events.map(({ number }) => number),
    events.map(({ place }) => place),
    events.map(({ at }) => at),
    events.map(({ type }) => type),
    events.map(({ data }) => data),
  ];
}

/** As an insert does it; but each event brings its time, and the ask its end. */
export function restoreSql(schema: string): string {
  const source = `
    select event.number, event.place, '${EVENT_LOG}' as log, event.type, fresh.id as subject, event.data,
      null as write_id, event.at
    from unnest($16::bigint[], $17::int[], $18::bigint[], $19::text[], $20::text[])
      as event (number, place, at, type, data)
    join fresh on fresh.number = event.number`;
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
    and not exists (select from ${schema}.asks where asks.session = input.session and asks.key = input.key)
), stored as (
  insert into ${schema}.asks (position, id, session, key, agent_id, asker, everyone, status, created_at,
    deadline, overdue, settled_at, content, outcome)
  select position, id, session, key, agent_id, asker, recipients is null, status, created_at, deadline, overdue,
    settled_at, content, outcome
  from fresh
  on conflict do nothing
  returning id
), addressed as (
  insert into ${schema}.ask_recipients (position, person, status)
  select fresh.position, person, fresh.status
  from fresh cross join lateral json_array_elements_text(fresh.recipients::json) as person
  where fresh.recipients is not null
), ${entriesSql(source)}, ${writtenSql(schema, {
    at: "at",
    channel: "$21",
    node: "$22",
    guard: "(select count(*) from stored) = (select count(*) from fresh)",
  })}
select id from stored cross join notified`;
}

function findSql(schema: string): string {
  const wanted = askColumns("asks");
  return `
select ${wanted} from ${schema}.asks where id = any($1::text[])
union
select ${wanted} from unnest($2::text[], $3::text[]) as wanted (session, key)
join ${schema}.asks on asks.session = wanted.session and asks.key = wanted.key`;
}

export function countSettledSql(schema: string): string {
  return `select count(*) as count from ${schema}.asks where settled_at < $1::bigint`;
}
