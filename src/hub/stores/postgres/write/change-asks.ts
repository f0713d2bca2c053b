import type { Ask } from "../../../../core/model/ask.js";
import {
  type AskChange,
  type Changed,
  EVENT_LOG,
  type LogAppend,
  type RecordPut,
} from "../../../seam/store.js";
import { changeEvent } from "../../../seam/store-kit.js";
import type { ShortAskRow } from "../../shared/contents.js";
import { type AskRow, type NewEntryRow, toAsk } from "../../shared/rows.js";
import type { Context } from "../database/context.js";
import { askColumns, type Statement, statement } from "../database/database.js";
import { type Batcher, createBatcher } from "./batcher.js";
import { appendColumns, entriesSql, lockedSql, logsOf, toWritten, writtenSql } from "./log-sql.js";
import {
  ANY_VERSION,
  aliveSql,
  NO_RECORD,
  type RecordWrite,
  toRecordWrite,
  writeColumns,
  writtenRecordsSql,
} from "./records-sql.js";

export interface Change {
  readonly id: string;
  readonly change: AskChange;
  /** The outcome of a settle, as JSON. */
  readonly outcome: string | null;
  readonly eventType: string;
  readonly eventData: string | null;
  readonly append: readonly NewEntryRow[];
  readonly records: readonly RecordWrite[];
}

export function toChange(
  id: string,
  change: AskChange,
  append: readonly LogAppend[],
  records: readonly RecordPut[],
): Change {
  const { type, data } = changeEvent(change);
  return {
    id,
    change,
    outcome: change.kind === "settle" ? JSON.stringify(change.outcome) : null,
    eventType: type,
    eventData: data === undefined ? null : JSON.stringify(data),
    append: toWritten(append),
    records: records.map(toRecordWrite),
  };
}

type Result = Changed | undefined;
type ChangedRow = AskRow & { readonly settlement_id: string | null };

/** Settles, extends and marks asks overdue, many in one statement. */
export function createChanger(context: Context): Batcher<Change, Result> {
  const { database, schema } = context;
  const statements: Statements = {
    change: statement(changeSql(schema)),
    changeWithRecords: statement(changeSql(schema, true)),
    find: statement(
      `select ${askColumns("asks")}, settlement_id from ${schema}.asks where id = any($1::text[])`,
    ),
    versions: statement(`
select namespace, key, version from unnest($1::text[], $2::text[]) as wanted (namespace, key)
join ${schema}.records using (namespace, key) where ${aliveSql("records", "$3::bigint")}`),
  };
  return createBatcher<Change, Result>({
    limit: 256,
    inFlight: 2,
    sizeOf: ({ outcome, records }) =>
      records.reduce((size, { value }) => size + (value?.length ?? 0), outcome?.length ?? 0),
    touches: ({ id, records }) => [id, ...records.map(nameOf)],
    committed: context.committed,
    run: (items) => database.retry((again) => run(context, statements, items, again)),
  });
}

interface Statements {
  readonly change: Statement;
  readonly changeWithRecords: Statement;
  readonly find: Statement;
  readonly versions: Statement;
}

async function run(
  context: Context,
  statements: Statements,
  items: readonly Change[],
  again: boolean,
): Promise<readonly Result[]> {
  const results = new Map<Change, Result>();
  // Another round is needed for an ask or a record that was stored between our write and our read.
  for (let left = items; left.length > 0; left = items.filter((item) => !results.has(item))) {
    const now = context.now();
    const changed = await write(context, statements, left, now);
    for (const item of left) {
      const ask = changed.get(item.id);
      if (ask !== undefined) results.set(item, { applied: true, ask });
    }
    const others = left.filter((item) => !results.has(item));
    if (others.length === 0) break;
    const ids = others.map(({ id }) => id);
    const rows = await context.database.query<ChangedRow>(statements.find, [ids]);
    const found = new Map(rows.map((row) => [row.id, row]));
    const matches = await versionCheck(context, statements, others, now);
    for (const item of others) {
      const row = found.get(item.id);
      if (row === undefined) results.set(item, undefined);
      else if (!holds(toAsk(row), item.change, now) || !item.records.every(matches)) {
        results.set(item, { applied: wasMadeByEarlierTry(row, item.change, again), ask: toAsk(row) });
      }
    }
  }
  return items.map((item) => results.get(item));
}

/** Makes the changes whose guard holds. Returns the changed asks by id. */
async function write(
  { database, contents, channel, node, requireLogs }: Context,
  { change, changeWithRecords }: Statements,
  items: readonly Change[],
  now: number,
): Promise<ReadonlyMap<string, Ask>> {
  const records = items.flatMap(({ records }) => records);
  const appends = appendColumns(items.map(({ append }) => append));
  const logs = logsOf(appends, EVENT_LOG);
  await requireLogs(logs);
  const keptById = new Map(items.map(({ id }) => [id, contents.of(id)]));
  const rows = await database.query<ShortAskRow>(records.length === 0 ? change : changeWithRecords, [
    logs,
    ...columns(items),
    ...[appends.number, appends.place, appends.log, appends.type, appends.subject, appends.data],
    now,
    channel,
    node,
    items.map(({ id }) => keptById.get(id)?.position ?? null),
    items.map((item) =>
      item.change.kind === "escalate" ? JSON.stringify([...new Set(item.change.to)]) : null,
    ),
    ...(records.length === 0
      ? []
      : [items.flatMap(({ records }, index) => records.map(() => index + 1)), ...writeColumns(records)]),
  ]);
  return new Map(rows.map((row) => [row.id, contents.toAsk(row, keptById.get(row.id))]));
}

function nameOf({ namespace, key }: Pick<RecordWrite, "namespace" | "key">): string {
  return JSON.stringify([namespace, key]);
}

/** Reads the versions that changes expect. The result is whether a record has the version that a write expects. */
async function versionCheck(
  { database }: Context,
  { versions }: Statements,
  items: readonly Change[],
  now: number,
): Promise<(write: RecordWrite) => boolean> {
  const wanted = items.flatMap(({ records }) => records.filter(({ expect }) => expect !== ANY_VERSION));
  if (wanted.length === 0) return () => true;
  const [namespaces, keys] = writeColumns(wanted);
  const rows = await database.query<Pick<RecordWrite, "namespace" | "key"> & { readonly version: number }>(
    versions,
    [namespaces, keys, now],
  );
  const current = new Map(rows.map((row) => [nameOf(row), row.version]));
  return (write) =>
    write.expect === ANY_VERSION || write.expect === (current.get(nameOf(write)) ?? NO_RECORD);
}

/** The same guard as in `changeSql`, for an ask that was read. */
function holds(ask: Ask, change: AskChange, now: number): boolean {
  if (ask.status !== "pending") return false;
  switch (change.kind) {
    case "settle":
      return (
        change.when === "anytime" ||
        (ask.deadline !== undefined && ask.deadline <= now) === (change.when === "due")
      );
    case "extend":
      return (
        ask.deadline !== undefined &&
        ask.deadline < change.deadline &&
        (change.when === "anytime" || ask.deadline > now)
      );
    case "overdue":
      return !ask.overdue && ask.deadline !== undefined && ask.deadline <= now;
    case "escalate":
      return ask.recipients.length > 0 && change.to.some((person) => !ask.recipients.includes(person));
  }
}

/** Whether an earlier try of this change wrote the current state. */
function wasMadeByEarlierTry(row: ChangedRow, change: AskChange, again: boolean): boolean {
  switch (change.kind) {
    case "settle":
      return row.settlement_id === change.settlementId;
    case "extend":
      return again && row.deadline === change.deadline;
    case "overdue":
      return again && row.overdue === true;
    case "escalate":
      return again && change.to.every((person) => toAsk(row).recipients.includes(person));
  }
}

function columns(items: readonly Change[]): unknown[] {
  const changes = items.map(({ change }) => change);
  const settles = changes.map((change) => (change.kind === "settle" ? change : undefined));
  return [
    items.map(({ id }) => id),
    changes.map(({ kind }) => kind),
    settles.map((settle) => settle?.settlementId ?? null),
    items.map(({ change, eventType }) => (change.kind === "settle" ? eventType.slice("ask.".length) : null)),
    items.map(({ outcome }) => outcome),
    // Null if it does not matter whether the deadline has passed.
    changes.map((change) =>
      change.kind === "overdue" || change.kind === "escalate" || change.when === "anytime"
        ? null
        : change.when === "due",
    ),
    changes.map((change) => (change.kind === "extend" ? change.deadline : null)),
    items.map(({ eventType }) => eventType),
    items.map(({ eventData }) => eventData),
  ];
}

/**
 * `is true` keeps the planner from using a status index for the guard. A plan made while the table is empty would
 * otherwise scan all pending asks, past and present, instead of finding asks by id.
 *
 * With records (`$22` to `$29`), the rows of expected versions are locked before they are compared. A record that did
 * not exist then cannot be locked: if another writer creates it first, the guard on the head fails.
 */
export function changeSql(schema: string, withRecords = false): string {
  const source = `
    select number, 0 as place, '${EVENT_LOG}' as log, type, id as subject, data, null as write_id
    from changed
    union all
    select extra.number, extra.place, extra.log, extra.type, extra.subject, extra.data, null
    from unnest($11::bigint[], $12::int[], $13::text[], $14::text[], $15::text[], $16::text[])
      as extra (number, place, log, type, subject, data)
    join changed on changed.number = extra.number`;
  const newcomers = `from json_array_elements_text(input.people::json) as newcomer (person) where not exists (
      select from ${schema}.ask_recipients as known
      where known.position = asks.position and known.person = newcomer.person)`;
  return `
with ${lockedSql(schema)}, ${withRecords ? "given" : "input"} as materialized (
  select * from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::boolean[],
    $8::bigint[], $9::text[], $10::text[], $20::bigint[], $21::text[]) with ordinality
    as input (id, kind, settlement_id, status, outcome, due, deadline, type, data, kept, people, number)
), ${withRecords ? matchingSql(schema) : ""} changed as (
  update ${schema}.asks set
    status = coalesce(input.status, asks.status),
    outcome = input.outcome,
    settlement_id = input.settlement_id,
    settled_at = case when input.kind = 'settle' then $17::bigint end,
    deadline = coalesce(input.deadline, asks.deadline),
    leased_until = case when input.kind = 'extend' then 0 else asks.leased_until end,
    overdue = asks.overdue or input.kind = 'overdue',
    added = case when input.kind = 'escalate'
      then (coalesce(asks.added::jsonb, '[]') || (select jsonb_agg(newcomer.person) ${newcomers}))::text
      else asks.added end
  from input cross join ready
  where asks.id = input.id and (asks.status = 'pending') is true and case input.kind
    when 'settle' then input.due is null or input.due = coalesce(asks.deadline <= $17::bigint, false)
    when 'escalate' then not asks.everyone and exists (select 1 ${newcomers})
    when 'extend' then asks.deadline < input.deadline and (input.due is null or asks.deadline > $17::bigint)
    else not asks.overdue and asks.deadline <= $17::bigint end
  returning input.number, input.type, input.data, input.people, ${askColumns("asks", "input.kept")}
), readdressed as (
  update ${schema}.ask_recipients set status = changed.status from changed
  where ask_recipients.position = changed.position and changed.status <> 'pending'
), addressed as (
  insert into ${schema}.ask_recipients (position, person, status)
  select changed.position, newcomer.person, 'pending'
  from changed cross join lateral json_array_elements_text(changed.people::json) as newcomer (person)
  where changed.people is not null
  on conflict do nothing
), ${withRecords ? `${putSql(schema)},` : ""} ${entriesSql(source)}, ${writtenSql(schema, {
    at: "$17::bigint",
    channel: "$18",
    node: "$19",
    guard: withRecords ? "(select count(*) from written) = (select count(*) from writes)" : "true",
  })}
select ${askColumns("changed")} from changed cross join notified`;
}

/** `input`: the changes that were given, without those that expect another version of a record. */
function matchingSql(schema: string): string {
  return `wanted as materialized (
  select * from unnest($22::bigint[], $23::text[], $24::text[], $25::text[], $26::bigint[], $27::bigint[],
    $28::bigint[], $29::text[]) as wanted (number, namespace, key, value, expires_at, available_at, expect, write_id)
), held as materialized (
  select records.namespace, records.key, records.version
  from wanted cross join ready join ${schema}.records using (namespace, key)
  where wanted.expect <> ${ANY_VERSION} and ${aliveSql("records", "$17::bigint")}
  order by records.namespace, records.key for update of records
), input as materialized (
  select * from given where not exists (
    select from wanted left join held using (namespace, key) where wanted.number = given.number
      and wanted.expect not in (${ANY_VERSION}, coalesce(held.version, ${NO_RECORD})))
),`;
}

/** Puts the records of the changes that were made. */
function putSql(schema: string): string {
  return `writes as materialized (
  select 'put' as kind, wanted.* from wanted join changed on changed.number = wanted.number
), ${writtenRecordsSql(schema, "$17::bigint")}`;
}
