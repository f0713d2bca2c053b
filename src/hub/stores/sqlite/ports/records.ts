import type { RecordPut, RecordQuery, RecordStore } from "../../../seam/store.js";
import { prefixEnd } from "../../../seam/store-kit.js";
import { type RecordRow, toEntryRow, toRecord } from "../../shared/rows.js";
import type { Value } from "../file/driver.js";
import type { Connection } from "../write/connection.js";
import { findRecord, LIVE, type PutRequest, RECORD_COLUMNS } from "../write/record-writes.js";

export function createRecords({ read, write }: Connection, now: () => number): RecordStore {
  return {
    get: (namespace, key) =>
      read((database) => {
        const row = findRecord(database, namespace, key, now());
        return row && toRecord(row);
      }),
    async put(namespace, key, value, { append = [], ...options } = {}) {
      const request = putRequest({ namespace, key, value, ...options });
      const written = await write("put", { ...request, entries: append.map(toEntryRow) });
      if (written.ok) return written;
      return { ok: false, current: written.current && toRecord(written.current) };
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
    claim: async (namespace, limit, leaseMs, range = {}) =>
      (await write("claim", { namespace, limit, leaseMs, ...range })).map(toRecord),
  };
}

export function putRequest({ namespace, key, value, expect, expiresAt, availableAt }: RecordPut): PutRequest {
  return {
    namespace,
    key,
    json: JSON.stringify(value),
    expect,
    expiresAt: expiresAt ?? null,
    availableAt: availableAt ?? null,
  };
}

/** Exported for the test that checks its query plan. */
export function listStatement(
  namespace: string,
  { prefix = "", after, limit }: RecordQuery,
  now: number,
): { readonly sql: string; readonly values: readonly Value[] } {
  const end = prefixEnd(prefix);
  const conditions = ["namespace = ?"];
  const values: Value[] = [namespace];
  const add = (condition: string, value: Value | undefined): void => {
    if (value === undefined) return;
    conditions.push(condition);
    values.push(value);
  };
  // Of two lower bounds, SQLite seeks to the first and then reads all rows up to the other.
  add("key >= ?", after?.startsWith(prefix) ? undefined : prefix);
  add("key > ?", after);
  add("key < ?", end);
  add(LIVE, now);
  return {
    sql: `SELECT ${RECORD_COLUMNS} FROM records WHERE ${conditions.join(" AND ")} ORDER BY key LIMIT ?`,
    values: [...values, Math.max(0, limit)],
  };
}
