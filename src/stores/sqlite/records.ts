import { prefixEnd } from "../../hub/key-range.js";
import type { PutOptions, RecordQuery, RecordStore, StoredRecord } from "../../hub/store.js";
import type { Connection } from "./connection.js";
import type { Value } from "./driver.js";
import { toEntryRows } from "./logs.js";
import type { RecordRow } from "./operations.js";
import { findRecord, LIVE, RECORD_COLUMNS } from "./record-writes.js";

export function createRecords(connection: Connection, now: () => number): RecordStore {
  return {
    get: (namespace, key) =>
      connection.read((database) => {
        const row = findRecord(database, namespace, key, now());
        return row && toRecord(row);
      }),
    async put(namespace, key, value, options: PutOptions = {}) {
      const { expect, expiresAt = null, availableAt = null, append = [] } = options;
      const written = await connection.write("put", {
        namespace,
        key,
        json: JSON.stringify(value),
        ...(expect !== undefined && { expect }),
        expiresAt,
        availableAt,
        entries: toEntryRows(append),
      });
      if (written.ok) return written;
      return { ok: false, ...(written.current !== undefined && { current: toRecord(written.current) }) };
    },
    delete: (namespace, key, { expect = null } = {}) =>
      connection.write("delete", { namespace, key, expect }),
    list: (namespace, query) =>
      connection.read((database) => {
        const { sql, values } = listStatement(namespace, query, now());
        return database
          .sql(sql)
          .all<RecordRow>(...values)
          .map(toRecord);
      }),
    claim: async (namespace, limit, leaseMs) =>
      (await connection.write("claim", { namespace, limit, leaseMs })).map(toRecord),
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

function toRecord({ key, value, version, expires_at, available_at }: RecordRow): StoredRecord {
  return {
    key,
    value: JSON.parse(value),
    version,
    ...(expires_at !== null && { expiresAt: expires_at }),
    ...(available_at !== null && { availableAt: available_at }),
  };
}
