import type { RecordQuery, RecordStore } from "../../../hub/seam/store.js";
import { prefixEnd } from "../../../hub/seam/store-kit.js";
import { type RecordRow, toEntryRow, toRecord } from "../../shared/rows.js";
import type { Value } from "../file/driver.js";
import type { Connection } from "../write/connection.js";
import { findRecord, LIVE, RECORD_COLUMNS } from "../write/record-writes.js";

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

/** Exported for the test that checks its query plan. */
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
