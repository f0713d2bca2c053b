// The only file that knows the SQLite driver. Its API is that of `node:sqlite`, which takes its place once
// Node 20 is no longer supported.

import { backup, DatabaseSync } from "@photostructure/sqlite";

export type Value = string | number | null;

export interface Statement {
  /** The first row, or undefined. The caller names the columns it selected. */
  get<Row>(...values: readonly Value[]): Row | undefined;
  all<Row>(...values: readonly Value[]): readonly Row[];
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
  close(): void;
}

// Pages a step of a copy: between two steps it can be stopped.
const COPY_PAGES = 1_000;

/** Opens a file, and creates it where there is none. A locked file is an error at once: nothing waits in here. */
export function openDatabase(path: string): Database {
  const driver = new DatabaseSync(path, { timeout: 0, enableForeignKeyConstraints: false });
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
    close: () => driver.close(),
  };
}

/** SQLite's primary result code, where an error is one of SQLite's. */
export function resultCode(error: unknown): number | undefined {
  return error instanceof Error && "errcode" in error && typeof error.errcode === "number"
    ? error.errcode & 0xff
    : undefined;
}
