import type { KeyRange, Put } from "../../../seam/store.js";
import type { NewEntryRow, RecordRow } from "../../shared/rows.js";
import type { Database } from "../file/driver.js";
import type { Transaction } from "./transaction.js";

// An expired record does not exist for callers, even if its row has not been removed yet.
export const LIVE: string = "(expires_at IS NULL OR expires_at > ?)";
export const RECORD_COLUMNS: string = "key, value, version, expires_at, available_at";
const GET = `SELECT ${RECORD_COLUMNS} FROM records WHERE namespace = ? AND key = ? AND ${LIVE}`;
const PUT = `
  INSERT INTO records (namespace, key, value, version, expires_at, available_at) VALUES (?, ?, ?, ?, ?, ?)
  ON CONFLICT (namespace, key) DO UPDATE SET value = excluded.value, version = excluded.version,
    expires_at = excluded.expires_at, available_at = excluded.available_at`;
const DELETE = `DELETE FROM records WHERE namespace = ? AND key = ? AND ${LIVE} AND (? IS NULL OR version = ?)`;
// Every text is below a blob, so a claim without an upper bound also ends in the index.
export const CLAIM: string = `
  SELECT ${RECORD_COLUMNS} FROM records
  WHERE namespace = ? AND key >= ? AND key < COALESCE(?, x'') AND ${LIVE}
    AND (available_at IS NULL OR available_at <= ?) ORDER BY key LIMIT ?`;
const LEASE = "UPDATE records SET available_at = ? WHERE namespace = ? AND key = ?";

export function findRecord(
  database: Database,
  namespace: string,
  key: string,
  now: number,
): RecordRow | undefined {
  return database.sql(GET).get<RecordRow>(namespace, key, now);
}

export interface PutRequest {
  readonly namespace: string;
  readonly key: string;
  readonly json: string;
  readonly expect: number | null | undefined;
  readonly expiresAt: number | null;
  readonly availableAt: number | null;
  readonly entries?: readonly NewEntryRow[];
}

export type PutResult =
  | Extract<Put, { readonly ok: true }>
  | { readonly ok: false; readonly current: RecordRow | undefined };

/** Whether the record has the version that the put expects. */
export function matchesRecord(
  { database, now }: Transaction,
  { namespace, key, expect }: PutRequest,
): boolean {
  return expect === undefined || (findRecord(database, namespace, key, now)?.version ?? null) === expect;
}

export function putRecord(transaction: Transaction, request: PutRequest): PutResult {
  const { database, now } = transaction;
  const { namespace, key, json, expect, expiresAt, availableAt, entries = [] } = request;
  const current = findRecord(database, namespace, key, now);
  if (expect !== undefined && (current?.version ?? null) !== expect) {
    return { ok: false, current };
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
    from = "",
    before,
  }: { readonly namespace: string; readonly limit: number; readonly leaseMs: number } & KeyRange,
): readonly RecordRow[] {
  const rows = database
    .sql(CLAIM)
    .all<RecordRow>(namespace, from, before ?? null, now, now, Math.max(0, limit));
  const availableAt = now + leaseMs;
  for (const { key } of rows) database.sql(LEASE).run(availableAt, namespace, key);
  return rows.map((row) => ({ ...row, available_at: availableAt }));
}
