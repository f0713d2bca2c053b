import { prefixEnd } from "../../hub/key-range.js";
import type { PutOptions, RecordQuery, RecordStore, StoredRecord } from "../../hub/store.js";
import type { Connection } from "./connection.js";
import type { Database, Value } from "./driver.js";
import { toEntryRows } from "./logs.js";

interface RecordRow {
  readonly key: string;
  readonly value: string;
  readonly version: number;
  readonly expires_at: number | null;
  readonly available_at: number | null;
}

// A record past its expiry is not there, whether or not its row has been removed yet.
const LIVE = "(expires_at IS NULL OR expires_at > ?)";
const COLUMNS = "key, value, version, expires_at, available_at";
const GET = `SELECT ${COLUMNS} FROM records WHERE namespace = ? AND key = ? AND ${LIVE}`;
const PUT = `
  INSERT INTO records (namespace, key, value, version, expires_at, available_at) VALUES (?, ?, ?, ?, ?, ?)
  ON CONFLICT (namespace, key) DO UPDATE SET value = excluded.value, version = excluded.version,
    expires_at = excluded.expires_at, available_at = excluded.available_at`;
const DELETE = `DELETE FROM records WHERE namespace = ? AND key = ? AND ${LIVE} AND (? IS NULL OR version = ?)`;
export const CLAIM: string = `
  SELECT ${COLUMNS} FROM records
  WHERE namespace = ? AND ${LIVE} AND (available_at IS NULL OR available_at <= ?) ORDER BY key LIMIT ?`;
const LEASE = "UPDATE records SET available_at = ? WHERE namespace = ? AND key = ?";

export function createRecords(connection: Connection, now: () => number): RecordStore {
  return {
    get: (namespace, key) =>
      connection.read((database) => {
        const row = find(database, namespace, key, now());
        return row && toRecord(row);
      }),
    async put(namespace, key, value, options: PutOptions = {}) {
      const { expect, expiresAt = null, availableAt = null, append = [] } = options;
      const json = JSON.stringify(value);
      const entries = toEntryRows(append);
      return connection.write((transaction) => {
        const { database } = transaction;
        const current = find(database, namespace, key, transaction.now);
        if (expect !== undefined && (current?.version ?? null) !== expect) {
          return { ok: false, ...(current !== undefined && { current: toRecord(current) }) };
        }
        const version = (current?.version ?? 0) + 1;
        database.sql(PUT).run(namespace, key, json, version, expiresAt, availableAt);
        transaction.append(entries);
        return { ok: true, version };
      });
    },
    delete: (namespace, key, { expect = null } = {}) =>
      connection.write(
        ({ database, now: at }) => database.sql(DELETE).run(namespace, key, at, expect, expect).changes > 0,
      ),
    list: (namespace, query) =>
      connection.read((database) => {
        const { sql, values } = listStatement(namespace, query, now());
        return database
          .sql(sql)
          .all<RecordRow>(...values)
          .map(toRecord);
      }),
    claim: (namespace, limit, leaseMs) =>
      connection.write(({ database, now: at }) => {
        const rows = database.sql(CLAIM).all<RecordRow>(namespace, at, at, Math.max(0, limit));
        const availableAt = at + leaseMs;
        for (const { key } of rows) database.sql(LEASE).run(availableAt, namespace, key);
        return rows.map((row) => toRecord({ ...row, available_at: availableAt }));
      }),
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
    sql: `SELECT ${COLUMNS} FROM records WHERE ${conditions.join(" AND ")} ORDER BY key LIMIT ?`,
    values: [...values, Math.max(0, limit)],
  };
}

function find(database: Database, namespace: string, key: string, now: number): RecordRow | undefined {
  return database.sql(GET).get<RecordRow>(namespace, key, now);
}

function toRecord({ key, value, version, expires_at, available_at }: RecordRow): StoredRecord {
  return {
    key,
    value: JSON.parse(value),
    version,
    ...(expires_at !== null && { expiresAt: expires_at }),
    ...(available_at !== null && { availableAt: available_at }),
  };
}
