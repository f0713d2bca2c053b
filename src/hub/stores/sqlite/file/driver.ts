// The only file that imports the SQLite driver. The driver has the API of `node:sqlite`, which replaces it when
// support for Node 20 ends.

import { pathToFileURL } from "node:url";
import { backup, DatabaseSync } from "@photostructure/sqlite";
import { logOf, realPath } from "./write-ahead-log.js";

export type Value = string | number | null;

export interface Statement {
  /** The first row, or undefined. `Row` must match the selected columns; it is not checked. */
  get<Row>(...values: readonly Value[]): Row | undefined;
  all<Row>(...values: readonly Value[]): readonly Row[];
  /** Reads row by row; leaving the loop ends the read. */
  iterate<Row>(...values: readonly Value[]): Iterable<Row>;
  run(...values: readonly Value[]): { readonly changes: number };
}

/** One connection to a file. All calls but `copyTo` are synchronous. */
export interface Database {
  readonly path: string;
  /** Whether a transaction is open. Some SQLite errors end the transaction by themselves. */
  readonly inTransaction: boolean;
  exec(sql: string): void;
  /** The compiled statement. It is cached forever, so use this only for a small, fixed set of texts. */
  sql(text: string): Statement;
  /** Copies the database to another file, on another thread. */
  copyTo(path: string): Promise<void>;
  /** Writes the write-ahead log back into the file, unless opened read-only, and closes the connection. */
  close(): void;
}

// Pages per step of a copy. A copy can be stopped between two steps.
const COPY_PAGES = 1_000;

/** Opens a file; creates it if it is missing. Calls on a locked file fail at once instead of waiting. */
export function openDatabase(path: string): Database {
  return wrapDriver(
    new DatabaseSync(path, { timeout: 0, enableForeignKeyConstraints: false }),
    path,
    (driver) => {
      if (driver.isTransaction) driver.exec("ROLLBACK");
      try {
        driver.exec("PRAGMA wal_checkpoint(TRUNCATE)");
      } catch {
        // For example, the disk is full. The next process that opens the file recovers from the log.
      }
    },
  );
}

/**
 * Opens a file for reading and leaves nothing behind. Without `immutable`, SQLite creates the two log files even to
 * read a database that was closed cleanly.
 */
export function openReadOnly(path: string, timeoutMs: number): Database {
  const location = hasLog(path) ? path : `${pathToFileURL(realPath(path)).href}?immutable=1`;
  const driver = new DatabaseSync(location, { readOnly: true, timeout: timeoutMs });
  return wrapDriver(driver, path, () => undefined);
}

/** Whether the file has a non-empty write-ahead log: a process has the file open, or did not close it cleanly. */
export function hasLog(path: string): boolean {
  return logOf(path).size > 0;
}

/** Runs all reads of `task` on one snapshot, even if other processes commit meanwhile. */
export function inSnapshot<T>(database: Database, task: () => T): T {
  // An open transaction already is a snapshot.
  if (database.inTransaction) return task();
  database.sql("BEGIN").run();
  try {
    return task();
  } finally {
    // Some SQLite errors end the transaction by themselves.
    if (database.inTransaction) database.sql("ROLLBACK").run();
  }
}

type Driver = InstanceType<typeof DatabaseSync>;

function wrapDriver(driver: Driver, path: string, beforeClose: (driver: Driver) => void): Database {
  const statements = new Map<string, Statement>();
  return {
    path,
    get inTransaction() {
      return driver.isTransaction;
    },
    exec: (sql) => driver.exec(sql),
    sql(text) {
      let statement = statements.get(text);
      if (statement === undefined) {
        statement = driver.prepare(text);
        statements.set(text, statement);
      }
      return statement;
    },
    async copyTo(target) {
      await backup(driver, target, { rate: COPY_PAGES });
    },
    close() {
      // The driver keeps the connection half open until the last statement is garbage-collected. So `beforeClose`
      // ends the transaction, which would keep old pages in use until then, and empties the write-ahead log.
      statements.clear();
      beforeClose(driver);
      driver.close();
    },
  };
}

// Not every driver error carries SQLite's result code (errors from `all` do not), so the message is mapped to it.
const CODES_BY_TEXT: Readonly<Record<string, number>> = {
  "access permission denied": 3,
  "database is locked": 5,
  "out of memory": 7,
  "attempt to write a readonly database": 8,
  "disk I/O error": 10,
  "database disk image is malformed": 11,
  "database or disk is full": 13,
  "unable to open database file": 14,
  "locking protocol": 15,
  "string or blob too big": 18,
  "authorization denied": 23,
  "file is not a database": 26,
};

/** SQLite's primary result code; undefined if the error does not come from SQLite. */
export function resultCode(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined;
  if ("errcode" in error && typeof error.errcode === "number") return error.errcode & 0xff;
  return "code" in error && error.code === "ERR_SQLITE_ERROR" ? CODES_BY_TEXT[error.message] : undefined;
}
