// The only file that knows the SQLite driver. Its API is that of `node:sqlite`, which takes its place once
// Node 20 is no longer supported.

import { pathToFileURL } from "node:url";
import { backup, DatabaseSync } from "@photostructure/sqlite";
import { logOf, realPath } from "./write-ahead-log.js";

export type Value = string | number | null;

export interface Statement {
  /** The first row, or undefined. The caller names the columns it selected. */
  get<Row>(...values: readonly Value[]): Row | undefined;
  all<Row>(...values: readonly Value[]): readonly Row[];
  /** Row by row; leaving the loop ends the read. */
  iterate<Row>(...values: readonly Value[]): Iterable<Row>;
  run(...values: readonly Value[]): { readonly changes: number };
}

/** One connection to a file. Every call blocks until it is done. */
export interface Database {
  readonly path: string;
  /** Whether a transaction is open; some faults end one by themselves. */
  readonly inTransaction: boolean;
  exec(sql: string): void;
  /** The statement, compiled once and kept. Only for texts of which there are few. */
  sql(text: string): Statement;
  /** Copies everything to another file, on another thread. */
  copyTo(path: string): Promise<void>;
  /** Writes what is still apart back into the file, and closes it. */
  close(): void;
}

// Pages a step of a copy: between two steps it can be stopped.
const COPY_PAGES = 1_000;

/** Opens a file, and creates it where there is none. A locked file is an error at once: nothing waits in here. */
export function openDatabase(path: string): Database {
  return connected(
    new DatabaseSync(path, { timeout: 0, enableForeignKeyConstraints: false }),
    path,
    (driver) => {
      if (driver.isTransaction) driver.exec("ROLLBACK");
      try {
        driver.exec("PRAGMA wal_checkpoint(TRUNCATE)");
      } catch {
        // A full disk, say: the next to open the file finds the log and goes on from it.
      }
    },
  );
}

/**
 * Opens a file to look at it, and leaves nothing behind. SQLite would make the two files of a log even to read
 * one that was closed in order; told that nobody writes, it does not.
 */
export function openReadOnly(path: string, timeoutMs: number): Database {
  const location = hasLog(path) ? path : `${pathToFileURL(realPath(path)).href}?immutable=1`;
  const driver = new DatabaseSync(location, { readOnly: true, timeout: timeoutMs });
  return connected(driver, path, () => undefined);
}

/** Whether there is something beside the file that is not in it yet: a process has it open, or had. */
export function hasLog(path: string): boolean {
  return logOf(path).size > 0;
}

/** Runs reads that belong together on one state of the file, whatever other processes commit meanwhile. */
export function inSnapshot<T>(database: Database, task: () => T): T {
  // Within a write, that is so already.
  if (database.inTransaction) return task();
  database.sql("BEGIN").run();
  try {
    return task();
  } finally {
    // Some faults have ended it already.
    if (database.inTransaction) database.sql("ROLLBACK").run();
  }
}

type Driver = InstanceType<typeof DatabaseSync>;

function connected(driver: Driver, path: string, beforeClose: (driver: Driver) => void): Database {
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
      // The driver keeps the connection half open until the garbage collector has taken the last statement.
      // So nothing is left to its end: neither a transaction, which would hold on to old pages for as long,
      // nor the log beside the file.
      statements.clear();
      beforeClose(driver);
      driver.close();
    },
  };
}

// Not every error of the driver carries SQLite's code (those of `all` do not); its text tells as much.
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

/** SQLite's primary result code, where an error is one of SQLite's. */
export function resultCode(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined;
  if ("errcode" in error && typeof error.errcode === "number") return error.errcode & 0xff;
  return "code" in error && error.code === "ERR_SQLITE_ERROR" ? CODES_BY_TEXT[error.message] : undefined;
}
