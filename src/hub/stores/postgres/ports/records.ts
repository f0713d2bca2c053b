import { randomUUID } from "node:crypto";
import type { Put, RecordStore, StoredRecord } from "../../../seam/store.js";
import { prefixEnd } from "../../../seam/store-kit.js";
import { type NewEntryRow, type RecordRow, toRecord } from "../../shared/rows.js";
import type { Context, Part } from "../database/context.js";
import { type Statement, statement } from "../database/database.js";
import { isStorable } from "../database/storable.js";
import { createBatcher } from "../write/batcher.js";
import { appendColumns, logsOf, toWritten } from "../write/log-sql.js";
import {
  ANY_VERSION,
  aliveSql,
  type RecordWrite,
  toRecordWrite,
  writeColumns,
  writeSql,
} from "../write/records-sql.js";

/** Above every key that is used. A constant, so that a claim without an upper bound also ends in the index. */
const ABOVE_ALL = "repeat(chr(1114111), 8)";

interface Write extends RecordWrite {
  readonly kind: "put" | "delete";
  readonly append: readonly NewEntryRow[];
}

export function createRecords(context: Context): Part<RecordStore> {
  const { database, schema } = context;
  const columns = "key, value, version, expires_at, available_at";
  const table = `${schema}.records`;
  const write = statement(writeSql(schema));
  const find = statement(`
select namespace, ${columns}, write_id from unnest($1::text[], $2::text[]) as wanted (namespace, key)
join ${table} using (namespace, key)`);
  const writer = createBatcher<Write, Put>({
    limit: 256,
    inFlight: 1,
    sizeOf: ({ value }) => value?.length ?? 0,
    touches: ({ namespace, key }) => [JSON.stringify([namespace, key])],
    committed: context.committed,
    run: (items) => database.retry(() => run(context, write, find, items)),
  });

  const get = statement(
    `select ${columns} from ${table} where namespace = $1 and key = $2 and ${aliveSql("records", "$3::bigint")}`,
  );
  const list = statement(`
select ${columns} from ${table}
where namespace = $1 and key >= $2 and ($3::text is null or key < $3) and ($4::text is null or key > $4)
  and ${aliveSql("records", "$5::bigint")}
order by key limit $6`);
  const claim = statement(`
with free as materialized (
  select key from ${table} where namespace = $1 and key >= $5 and key < coalesce($6, ${ABOVE_ALL})
    and (available_at is null or available_at <= $2::bigint) and ${aliveSql("records", "$2::bigint")}
  order by key limit $3 for update skip locked
), claimed as (
  update ${table} set available_at = $2::bigint + $4::bigint from free
  where records.namespace = $1 and records.key = free.key
  returning records.key, value, version, expires_at, available_at
)
select ${columns} from claimed order by key`);
  const read = async (sql: Statement, values: unknown[]): Promise<readonly StoredRecord[]> =>
    (await database.retry(() => database.query<RecordRow>(sql, values))).map(toRecord);

  return {
    drained: () => writer.drained(),
    port: {
      async get(namespace, key) {
        if (!isStorable(namespace) || !isStorable(key)) return undefined;
        const [record] = await read(get, [namespace, key, context.now()]);
        return record;
      },
      async put(namespace, key, value, { append = [], ...options } = {}) {
        const put = toRecordWrite({ namespace, key, value, ...options });
        return writer.add({ kind: "put", ...put, append: toWritten(append) });
      },
      async delete(namespace, key, { expect } = {}) {
        if (!isStorable(namespace) || !isStorable(key)) return false;
        const { ok } = await writer.add({
          kind: "delete",
          namespace,
          key,
          value: null,
          expiresAt: null,
          availableAt: null,
          expect: expect ?? ANY_VERSION,
          writeId: randomUUID(),
          append: [],
        });
        return ok;
      },
      async list(namespace, { prefix = "", after, limit }) {
        if (![namespace, prefix, after ?? ""].every(isStorable)) return [];
        return read(list, [
          namespace,
          prefix,
          prefixEnd(prefix) ?? null,
          after ?? null,
          context.now(),
          limit,
        ]);
      },
      // If the result of a claim is lost, the records can be claimed again when the lease ends.
      async claim(namespace, limit, leaseMs, { from = "", before } = {}) {
        if (![namespace, from, before ?? ""].every(isStorable)) return [];
        return read(claim, [namespace, context.now(), limit, leaseMs, from, before ?? null]);
      },
    },
  };
}

async function run(
  context: Context,
  write: Statement,
  find: Statement,
  items: readonly Write[],
): Promise<readonly Put[]> {
  const { database, channel, node } = context;
  const appends = appendColumns(items.map(({ append }) => append));
  const logs = logsOf(appends);
  await context.requireLogs(logs);
  const now = context.now();
  const written = await database.query<Named & { readonly version: number }>(write, [
    logs,
    items.map(({ kind }) => kind),
    ...writeColumns(items),
    ...[appends.number, appends.place, appends.log, appends.type, appends.subject, appends.data],
    now,
    channel,
    node,
  ]);
  const versions = new Map(written.map((row) => [nameOf(row), row.version]));
  const others = items.filter((item) => !versions.has(nameOf(item)));
  const rows = others.length === 0 ? [] : await database.query<FoundRow>(find, namesOf(others));
  const found = new Map(rows.map((row) => [nameOf(row), row]));
  return items.map((item) => {
    const version = versions.get(nameOf(item));
    return version === undefined
      ? resultOfSkipped(item, found.get(nameOf(item)), now)
      : { ok: true as const, version };
  });
}

interface Named {
  readonly namespace: string;
  readonly key: string;
}

interface FoundRow extends Named, Omit<RecordRow, "value"> {
  readonly value: string | null;
  readonly write_id: string;
}

/** The result of a write that the statement did not make: an earlier try made it, or `expect` did not match. */
function resultOfSkipped({ writeId }: Write, row: FoundRow | undefined, now: number): Put {
  if (row?.write_id === writeId) return { ok: true, version: row.version };
  if (row === undefined || row.value === null) return { ok: false };
  if (row.expires_at !== null && row.expires_at <= now) return { ok: false };
  return { ok: false, current: toRecord({ ...row, value: row.value }) };
}

function nameOf({ namespace, key }: Named): string {
  return JSON.stringify([namespace, key]);
}

function namesOf(items: readonly Named[]): unknown[] {
  return [items.map(({ namespace }) => namespace), items.map(({ key }) => key)];
}
