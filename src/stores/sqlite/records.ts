import { prefixEnd } from "../../hub/key-range.js";
import type { Put, RecordQuery, RecordStore } from "../../hub/store.js";
import { type NewEntryRow, type RecordRow, toEntryRow, toRecord } from "../shared/rows.js";
import type { Connection } from "./connection.js";
import type { Database, Value } from "./driver.js";
import type { Transaction } from "./transaction.js";

// A record past its expiry is not there, whether or not its row has been removed yet.
const LIVE = "(expires_at IS NULL OR expires_at > ?)";
const RECORD_COLUMNS = "key, value, version, expires_at, available_at";
const GET = `SELECT ${RECORD_COLUMNS} FROM records WHERE namespace = ? AND key = ? AND ${LIVE}`;
const PUT = `
  INSERT INTO records (namespace, key, value, version, expires_at, available_at) VALUES (?, ?, ?, ?, ?, ?)
  ON CONFLICT (namespace, key) DO UPDATE SET value = excluded.value, version = excluded.version,
    expires_at = excluded.expires_at, available_at = excluded.available_at`;
const DELETE = `DELETE FROM records WHERE namespace = ? AND key = ? AND ${LIVE} AND (? IS NULL OR version = ?)`;
export const CLAIM: string = `
  SELECT ${RECORD_COLUMNS} FROM records
  WHERE namespace = ? AND ${LIVE} AND (available_at IS NULL OR available_at <= ?) ORDER BY key LIMIT ?`;
const LEASE = "UPDATE records SET available_at = ? WHERE namespace = ? AND key = ?";

export function createRecords({ read, write }: Connection, now: () => number): RecordStore {
  return {
    get: (namespace, key) =>
      read((database) => {
        const row = findRecord(database, namespace, key, now());
        return row && toRecord(row);
      }),
    async put(namespace, key, value, { expect, expiresAt = null, availableAt = null, append = [] } = {}) {
      const written = await write("put", {
        namespace,
        key,
        json: JSON.stringify(value),
        ...(expect !== undefined && { expect }),
        expiresAt,
        availableAt,
        entries: append.map(toEntryRow),
      });
      if (written.ok) return written;
      return { ok: false, ...(written.current !== undefined && { current: toRecord(written.current) }) };
    },
    delete: (namespace, key, { expect = null } = {}) => write("delete", { namespace, key, expect }),
    list: (namespace, query) =>
      read((database) => {
        const { sql, values } = listStatement(namespace, query, now());
        return database
          .sql(sql)
          .all<RecordRow>(...values)
          .map(toRecord);
      }),
    claim: async (namespace, limit, leaseMs) =>
      (await write("claim", { namespace, limit, leaseMs })).map(toRecord),
  };
}

/** Exported for the test that looks at its plan. */
export function listStatement(
  namespace: string,
  { prefix = "", after, limit }: RecordQuery,
  now: number,
): { readonly sql: string; readonly values: readonly Value[] } {
  const end = prefixEnd(prefix);
  const conditions = ["namespace = ? AND key >= ?"];
  const values: Value[] = [namespace, prefix];
  const add = (condition: string, value: Value | undefined): void => {
    if (value === undefined) return;
    conditions.push(condition);
    values.push(value);
  };
  add("key > ?", after);
  add("key < ?", end);
  add(LIVE, now);
  return {
    sql: `SELECT ${RECORD_COLUMNS} FROM records WHERE ${conditions.join(" AND ")} ORDER BY key LIMIT ?`,
    values: [...values, Math.max(0, limit)],
  };
}

function findRecord(database: Database, namespace: string, key: string, now: number): RecordRow | undefined {
  return database.sql(GET).get<RecordRow>(namespace, key, now);
}

export interface PutRequest {
  readonly namespace: string;
  readonly key: string;
  readonly json: string;
  readonly expect?: number | null;
  readonly expiresAt: number | null;
  readonly availableAt: number | null;
  readonly entries: readonly NewEntryRow[];
}

export type PutResult =
  | Extract<Put, { readonly ok: true }>
  | { readonly ok: false; readonly current?: RecordRow };

export function putRecord(transaction: Transaction, request: PutRequest): PutResult {
  const { database, now } = transaction;
  const { namespace, key, json, expect, expiresAt, availableAt, entries } = request;
  const current = findRecord(database, namespace, key, now);
  if (expect !== undefined && (current?.version ?? null) !== expect) {
    return { ok: false, ...(current !== undefined && { current }) };
  }
  const version = (current?.version ?? 0) + 1;
  database.sql(PUT).run(namespace, key, json, version, expiresAt, availableAt);
  transaction.append(entries);
  return { ok: true, version };
}

export function deleteRecord(
  { database, now }: Transaction,
  {
    namespace,
    key,
    expect,
  }: { readonly namespace: string; readonly key: string; readonly expect: number | null },
): boolean {
  return database.sql(DELETE).run(namespace, key, now, expect, expect).changes > 0;
}

export function claimRecords(
  { database, now }: Transaction,
  {
    namespace,
    limit,
    leaseMs,
  }: { readonly namespace: string; readonly limit: number; readonly leaseMs: number },
): readonly RecordRow[] {
  const rows = database.sql(CLAIM).all<RecordRow>(namespace, now, now, Math.max(0, limit));
  const availableAt = now + leaseMs;
  for (const { key } of rows) database.sql(LEASE).run(availableAt, namespace, key);
  return rows.map((row) => ({ ...row, available_at: availableAt }));
}
