// Inspects a file without opening it as a store: nothing is created, migrated or written.

import { statSync } from "node:fs";
import { AsklineError } from "../../../../core/model/error.js";
import { EVENT_LOG } from "../../../seam/store.js";
import { type Database, hasLog, openReadOnly } from "./driver.js";
import { toStoreError } from "./errors.js";
import { requireUsable, VERSION } from "./schema.js";
import { isDamaged, logOf } from "./write-ahead-log.js";

export interface SqliteInspection {
  /** The schema of the file; 0 if it has no tables yet. */
  readonly version: number;
  /** The newest schema that this version of askline knows. */
  readonly known: number;
  /** The first fault found, if any. */
  readonly damage?: string;
  /** Whether the file was checked for damage. Large files are not: that takes too long. */
  readonly lookedThrough: boolean;
  readonly newestEventAt?: number;
  /** The write-ahead log beside the file. */
  readonly log: { readonly path: string; readonly size: number; readonly damaged: boolean };
  /** The value of a record, expired or not. */
  record(namespace: string, key: string): Promise<unknown>;
  close(): void;
}

const BUSY_MS = 1_000;
const LARGEST_CHECKED = 512 * 1024 * 1024;

/** Rejects with a coded error if the file cannot be read or is not a store. */
export async function inspectFile(path: string): Promise<SqliteInspection> {
  const wasImmutable = !hasLog(path);
  try {
    const inspection = inspectOnce(path);
    if (inspection.damage === undefined || !wasImmutable || !hasLog(path)) return inspection;
    inspection.close();
  } catch (error) {
    if (!wasImmutable || !hasLog(path)) throw toStoreError(error, path);
  }
  // A process started to write while the file was opened as immutable, so the read may mix two states.
  try {
    return inspectOnce(path);
  } catch (error) {
    throw toStoreError(error, path);
  }
}

function inspectOnce(path: string): SqliteInspection {
  const log = logOf(path);
  const damagedLog = isDamaged(log);
  const database = openReadOnly(path, BUSY_MS);
  try {
    const { version } = requireUsable(database);
    const lookedThrough = statSync(path).size <= LARGEST_CHECKED;
    const damage = lookedThrough ? damageOf(database) : undefined;
    const newest = version === 0 || damage !== undefined ? undefined : newestEvent(database);
    return {
      version,
      known: VERSION,
      lookedThrough,
      log: { ...log, damaged: damagedLog },
      ...(damage !== undefined && { damage }),
      ...(newest !== undefined && { newestEventAt: newest }),
      async record(namespace, key) {
        if (version === 0) return undefined;
        const row = database
          .sql("SELECT value FROM records WHERE namespace = ? AND key = ?")
          .get<{ readonly value: string }>(namespace, key);
        return row && (JSON.parse(row.value) as unknown);
      },
      close: () => database.close(),
    };
  } catch (error) {
    database.close();
    throw error;
  }
}

export interface VerifiedFile {
  readonly asks: number;
  readonly events: number;
}

/** Checks a whole file, however long that takes. Throws a coded error if it is damaged or not a store. */
export function verifyFile(path: string): VerifiedFile {
  const database = openReadOnly(path, BUSY_MS);
  try {
    requireUsable(database);
    const check = database.sql("PRAGMA integrity_check(1)").get<{ readonly integrity_check: string }>();
    if (check?.integrity_check !== "ok") {
      throw new AsklineError("store_corrupt", `${path} is damaged: ${check?.integrity_check ?? "no result"}`);
    }
    const count = (sql: string, ...values: readonly string[]): number =>
      database.sql(sql).get<{ readonly count: number }>(...values)?.count ?? 0;
    return {
      asks: count("SELECT count(*) AS count FROM asks"),
      events: count("SELECT count(*) AS count FROM log_entries WHERE log = ?", EVENT_LOG),
    };
  } catch (error) {
    throw toStoreError(error, path);
  } finally {
    database.close();
  }
}

function damageOf(database: Database): string | undefined {
  const row = database.sql("PRAGMA quick_check(1)").get<{ readonly quick_check: string }>();
  return row?.quick_check === "ok" ? undefined : (row?.quick_check ?? "it gave no result");
}

function newestEvent(database: Database): number | undefined {
  return database
    .sql("SELECT at FROM log_entries WHERE log = ? ORDER BY position DESC LIMIT 1")
    .get<{ readonly at: number }>(EVENT_LOG)?.at;
}
