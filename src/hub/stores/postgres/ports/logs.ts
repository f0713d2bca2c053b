import { randomUUID } from "node:crypto";
import { EVENT_LOG, type LogBounds, type LogStore } from "../../../seam/store.js";
import { type EntryRow, type NewEntryRow, toEntry } from "../../shared/rows.js";
import type { Context, Part } from "../database/context.js";
import { type Statement, statement } from "../database/database.js";
import { isStorable, requireStorable } from "../database/storable.js";
import { createBatcher } from "../write/batcher.js";
import { appendColumns, entriesSql, lockedSql, logsOf, toWritten, writtenSql } from "../write/log-sql.js";
import { createLogKeeping } from "./keep-logs.js";

interface Append {
  readonly writeId: string;
  readonly entries: readonly NewEntryRow[];
}

export function createLogs(context: Context): Part<LogStore> {
  const { database, schema } = context;
  const append = statement(appendSql(schema));
  const find = statement(
    `select write_id, log, position from ${schema}.log_entries where write_id = any($1::text[])`,
  );
  const appender = createBatcher<Append, readonly number[]>({
    limit: 256,
    inFlight: 1,
    sizeOf: ({ entries }) => entries.reduce((size, { data }) => size + (data?.length ?? 0), 0),
    committed: context.committed,
    run: (items) => database.retry((again) => run(context, append, find, items, again)),
  });
  // PostgreSQL knows the length of a long text without reading it, so entries beyond the size are not read.
  const entries = (condition: string): string => `
select position, at, type, subject, data from (
  select *, sum(octet_length(data)) over (order by position) as total, row_number() over (order by position) as number
  from (
    select position, at, type, subject, data from ${schema}.log_entries
    where log = $1 and position > $2::bigint${condition} order by position limit $3
  ) as found
) as sized where total is null or total <= $4::bigint or number = 1 order by position`;
  const read = statement(entries(""));
  const readSubject = statement(entries(" and subject = $5"));
  const bounds = statement(`select first, head from ${schema}.logs where log = $1`);
  return {
    drained: () => appender.drained(),
    port: {
      async append(wanted) {
        const written = toWritten(wanted);
        return written.length === 0 ? [] : appender.add({ writeId: randomUUID(), entries: written });
      },
      async read(log, { after, limit, subject, maxSize = Number.MAX_SAFE_INTEGER }) {
        if (!isStorable(log) || !isStorable(subject ?? "")) return [];
        const rows = await database.retry(() =>
          subject === undefined
            ? database.query<EntryRow>(read, [log, after, limit, maxSize])
            : database.query<EntryRow>(readSubject, [log, after, limit, maxSize, subject]),
        );
        return rows.map(toEntry);
      },
      async bounds(log) {
        requireStorable(log);
        const [row] = await database.retry(() => database.query<LogBounds>(bounds, [log]));
        return row ?? { first: 1, head: 0 };
      },
      ...createLogKeeping(context),
    },
  };
}

/**
 * Creates the rows that writers lock. The row of the event log is created with the tables. Rows are never removed, so
 * known logs need no query.
 */
export function createRequireLogs({
  database,
  schema,
}: Pick<Context, "database" | "schema">): Context["requireLogs"] {
  const create = statement(
    `insert into ${schema}.logs (log) select log from unnest($1::text[]) as log order by log collate "C" on conflict do nothing`,
  );
  const known = new Set([EVENT_LOG]);
  return async (logs) => {
    const unknown = logs.filter((log) => !known.has(log));
    if (unknown.length === 0) return;
    await database.query(create, [unknown]);
    if (known.size > MOST_KNOWN) known.clear();
    for (const log of unknown) known.add(log);
  };
}

const MOST_KNOWN = 10_000;

async function run(
  context: Context,
  append: Statement,
  find: Statement,
  items: readonly Append[],
  again: boolean,
): Promise<readonly (readonly number[])[]> {
  const { database, channel, node } = context;
  const first = again ? await findWritten(context, find, items) : new Map<string, number>();
  const left = items.filter((item) => !first.has(placeOf(item, item.entries[0]?.log)));
  if (left.length > 0) {
    const columns = appendColumns(left.map(({ entries }) => entries));
    const logs = logsOf(columns);
    await context.requireLogs(logs);
    const rows = await database.query<{ readonly write_id: string; log: string; position: number }>(append, [
      logs,
      ...[columns.number, columns.place, columns.log, columns.type, columns.subject, columns.data],
      left.flatMap(writeIds),
      context.now(),
      channel,
      node,
    ]);
    for (const { write_id, log, position } of rows) first.set(JSON.stringify([write_id, log]), position);
  }
  return items.map((item) => positionsOf(item, first));
}

/** Finds the first entry in each log of appends that an earlier try committed although its result was lost. */
async function findWritten(
  { database }: Context,
  find: Statement,
  items: readonly Append[],
): Promise<Map<string, number>> {
  const rows = await database.query<{ readonly write_id: string; log: string; position: number }>(find, [
    items.map(({ writeId }) => writeId),
  ]);
  return new Map(rows.map(({ write_id, log, position }) => [JSON.stringify([write_id, log]), position]));
}

function placeOf({ writeId }: Append, log: string | undefined): string {
  return JSON.stringify([writeId, log]);
}

/** The entries of one append have consecutive positions in each log. */
function positionsOf(item: Append, first: ReadonlyMap<string, number>): readonly number[] {
  const counts = new Map<string, number>();
  return item.entries.map(({ log }) => {
    const count = counts.get(log) ?? 0;
    counts.set(log, count + 1);
    return (first.get(placeOf(item, log)) ?? 0) + count;
  });
}

/** The id of the append for its first entry in each log, null for the others. */
function writeIds({ writeId, entries }: Append): readonly (string | null)[] {
  const seen = new Set<string>();
  return entries.map(({ log }) => {
    if (seen.has(log)) return null;
    seen.add(log);
    return writeId;
  });
}

function appendSql(schema: string): string {
  const source = `
    select extra.number, extra.place, extra.log, extra.type, extra.subject, extra.data, extra.write_id
    from unnest($2::bigint[], $3::int[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[])
      as extra (number, place, log, type, subject, data, write_id)`;
  return `
with ${lockedSql(schema)}, ${entriesSql(source)}, ${writtenSql(schema, {
    at: "$9::bigint",
    channel: "$10",
    node: "$11",
    guard: "true",
  })}
select write_id, log, position from entries cross join notified where write_id is not null`;
}
