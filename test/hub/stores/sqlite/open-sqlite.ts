import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach } from "vitest";
import type { NewAsk, Store } from "../../../../src/hub/seam/store.js";
import { type Database, openDatabase } from "../../../../src/hub/stores/sqlite/file/driver.js";
import {
  createSqliteStore,
  type SqliteStoreOptions,
} from "../../../../src/hub/stores/sqlite/sqlite-store.ts";
import { AsklineError } from "../../../../src/index.ts";
import { type FakeClock, fakeClock } from "../../../../src/testing/index.ts";
import { sampleNewAsk } from "../../../../src/testing/samples.ts";

export const logger = { warn: () => undefined, error: () => undefined };

export interface OpenSqlite {
  readonly store: Store;
  /** The store's own connection, to bring about its faults. */
  readonly database: Database;
  readonly clock: FakeClock;
  /** Every statement that was run on that connection, in order. */
  readonly statements: string[];
}

/** A folder of its own for each test; what was opened with this is closed and removed after it. */
export function sqliteTests(): {
  path(name?: string): string;
  open(options?: Partial<SqliteStoreOptions>): Promise<OpenSqlite>;
  /** Another connection to the file, as another program has it. */
  other(path?: string): Database;
} {
  let folder: string | undefined;
  const closers: (() => unknown)[] = [];
  const path = (name = "askline.db"): string => {
    folder ??= mkdtempSync(join(tmpdir(), "askline-sqlite-"));
    return join(folder, name);
  };
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close();
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
    folder = undefined;
  });
  return {
    path,
    async open(options = {}) {
      const statements: string[] = [];
      let opened: Database | undefined;
      const clock = fakeClock();
      const store = createSqliteStore({ path: path(), ...options }, (at) => {
        opened = recording(openDatabase(at), statements);
        return opened;
      });
      closers.push(() => store.close());
      await store.open({ clock, logger });
      if (opened === undefined) throw new Error("the store has not opened its file");
      return { store, database: opened, clock, statements };
    },
    other(at = path()) {
      const database = openDatabase(at);
      let open = true;
      const close = (): void => {
        if (open) database.close();
        open = false;
      };
      closers.push(close);
      return {
        ...database,
        get inTransaction() {
          return database.inTransaction;
        },
        close,
      };
    },
  };
}

function recording(database: Database, statements: string[]): Database {
  return {
    ...database,
    get inTransaction() {
      return database.inTransaction;
    },
    sql(text) {
      const statement = database.sql(text);
      return {
        get: (...values) => {
          statements.push(text);
          return statement.get(...values);
        },
        all: (...values) => {
          statements.push(text);
          return statement.all(...values);
        },
        iterate: (...values) => {
          statements.push(text);
          return statement.iterate(...values);
        },
        run: (...values) => {
          statements.push(text);
          return statement.run(...values);
        },
      };
    },
  };
}

/** An ask for a store, with a time that does not matter. */
export function newAsk(input: Parameters<typeof sampleNewAsk>[1] = {}): NewAsk {
  return sampleNewAsk(1_000, input);
}

/** The error that a promise is rejected with, which must be one of ours. */
export async function errorOf(promise: Promise<unknown>): Promise<AsklineError> {
  const error = await promise.then(
    () => new Error("no error"),
    (reason: unknown) => reason,
  );
  if (error instanceof AsklineError) return error;
  throw error;
}
