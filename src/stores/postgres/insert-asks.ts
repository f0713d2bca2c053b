import type { Ask } from "../../core/index.js";
import { EVENT_LOG, type Inserted, type LogAppend, type NewAsk } from "../../hub/store.js";
import { type AskRow, type Content, contentOf, type NewEntryRow, snapshot, toAsk } from "../shared/rows.js";
import { askColumns } from "./ask-rows.js";
import { type Batcher, createBatcher } from "./batcher.js";
import type { Context } from "./context.js";
import { type Statement, statement } from "./database.js";
import { appendColumns, entriesSql, lockedSql, logsOf, toWritten, writtenSql } from "./log-sql.js";

export interface Insert {
  readonly ask: Ask;
  readonly content: Content;
  readonly json: string;
  readonly append: readonly NewEntryRow[];
}

export function toInsert({ ask }: NewAsk, append: readonly LogAppend[]): Insert {
  const kept = snapshot(ask);
  const content = contentOf(kept);
  const json = JSON.stringify(content);
  return { ask: kept, content, json, append: toWritten(append) };
}

/** Stores new asks, many in one statement. */
export function createInserter(context: Context): Batcher<Insert, Inserted> {
  const { database, schema } = context;
  const insert = statement(insertSql(schema));
  const find = statement(findSql(schema));
  return createBatcher<Insert, Inserted>({
    limit: 256,
    inFlight: 2,
    sizeOf: ({ json }) => json.length,
    touches: ({ ask }) =>
      ask.key === undefined ? [ask.id] : [ask.id, JSON.stringify([ask.session, ask.key])],
    committed: context.committed,
    run: (items) => database.retry(() => run(context, insert, find, items)),
  });
}

async function run(
  context: Context,
  insert: Statement,
  find: Statement,
  items: readonly Insert[],
): Promise<readonly Inserted[]> {
  const { database, channel, node } = context;
  const results = new Map<Insert, Inserted>();
  // A second round is for what was there when we wrote and had been removed when we looked.
  for (let left = items; left.length > 0; left = items.filter((item) => !results.has(item))) {
    const appends = appendColumns(left.map(({ append }) => append));
    const logs = logsOf(appends, EVENT_LOG);
    await context.requireLogs(logs);
    const stored = await database.query<{ readonly id: string; readonly position: number }>(insert, [
      logs,
      ...columns(left),
      ...[appends.number, appends.place, appends.log, appends.type, appends.subject, appends.data],
      context.now(),
      channel,
      node,
    ]);
    const positions = new Map(stored.map(({ id, position }) => [id, position]));
    for (const item of left) {
      const position = positions.get(item.ask.id);
      if (position === undefined) continue;
      context.contents.keep({ position, content: item.content, size: item.json.length });
      results.set(item, { kind: "created", ask: item.ask });
    }
    const others = left.filter((item) => !results.has(item));
    if (others.length > 0) await recognise(context, find, others, results);
  }
  return items.map((item) => results.get(item) as Inserted);
}

/** Those that were there before: by their id, then it is a retry of our own, or by session and key. */
async function recognise(
  { database }: Context,
  find: Statement,
  items: readonly Insert[],
  results: Map<Insert, Inserted>,
): Promise<void> {
  const keyed = items.filter(({ ask }) => ask.key !== undefined);
  const rows = await database.query<AskRow>(find, [
    items.map(({ ask }) => ask.id),
    keyed.map(({ ask }) => ask.session),
    keyed.map(({ ask }) => ask.key),
  ]);
  const found = rows.map(toAsk);
  for (const item of items) {
    const own = found.find((ask) => ask.id === item.ask.id);
    const known = found.find(
      (ask) => item.ask.key !== undefined && ask.session === item.ask.session && ask.key === item.ask.key,
    );
    if (own !== undefined) results.set(item, { kind: "created", ask: own });
    else if (known !== undefined) results.set(item, { kind: "known", ask: known });
  }
}

function columns(items: readonly Insert[]): unknown[] {
  const asks = items.map(({ ask }) => ask);
  return [
    asks.map(({ id }) => id),
    asks.map(({ session }) => session),
    asks.map(({ key }) => key ?? null),
    asks.map(({ agentId }) => agentId ?? null),
    asks.map(({ asker }) => asker ?? null),
    asks.map(({ recipients }) => recipients.length === 0),
    asks.map(({ createdAt }) => createdAt),
    asks.map(({ deadline }) => deadline ?? null),
    items.map(({ json }) => json),
    asks.map(({ recipients }) => (recipients.length === 0 ? null : JSON.stringify([...new Set(recipients)]))),
    items.map(({ append }) => 1 + append.filter(({ log }) => log === EVENT_LOG).length),
  ];
}

/**
 * Whoever is new gets its position before anything is stored: that of its event, after the entries that those
 * before it write to the event log.
 */
export function insertSql(schema: string): string {
  const source = `
    select number, 0 as place, '${EVENT_LOG}' as log, 'ask.created' as type, id as subject,
      null as data, null as write_id
    from fresh
    union all
    select extra.number, extra.place, extra.log, extra.type, extra.subject, extra.data, null
    from unnest($13::bigint[], $14::int[], $15::text[], $16::text[], $17::text[], $18::text[])
      as extra (number, place, log, type, subject, data)
    join fresh on fresh.number = extra.number`;
  return `
with ${lockedSql(schema)}, input as materialized (
  select * from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::boolean[], $8::bigint[],
    $9::bigint[], $10::text[], $11::text[], $12::int[]) with ordinality
    as input (id, session, key, agent_id, asker, everyone, created_at, deadline, content, recipients, entries,
      number)
), fresh as materialized (
  select input.*, locked.head + sum(input.entries) over (order by input.number) - input.entries + 1 as position
  from input cross join ready join locked on locked.log = '${EVENT_LOG}'
  where not exists (select from ${schema}.asks where asks.id = input.id)
    and not exists (select from ${schema}.asks where asks.session = input.session and asks.key = input.key)
), stored as (
  insert into ${schema}.asks (position, id, session, key, agent_id, asker, everyone, status, created_at,
    deadline, content)
  select position, id, session, key, agent_id, asker, everyone, 'pending', created_at, deadline, content
  from fresh
  on conflict do nothing
  returning id, position
), addressed as (
  insert into ${schema}.ask_recipients (position, person, status)
  select fresh.position, person, 'pending'
  from fresh cross join lateral json_array_elements_text(fresh.recipients::json) as person
  where not fresh.everyone
), ${entriesSql(source)}, ${writtenSql(schema, {
    at: "$19::bigint",
    channel: "$20",
    node: "$21",
    guard: "(select count(*) from stored) = (select count(*) from fresh)",
  })}
select id, position from stored cross join notified`;
}

function findSql(schema: string): string {
  const wanted = askColumns("asks");
  return `
select ${wanted} from ${schema}.asks where id = any($1::text[])
union
select ${wanted} from unnest($2::text[], $3::text[]) as wanted (session, key)
join ${schema}.asks on asks.session = wanted.session and asks.key = wanted.key`;
}
