import { resolve } from "node:path";
import type { Logger } from "../../../core/kit/logger.js";
import { AsklineError } from "../../../core/model/error.js";
import type { Committed, Store, StoreObserver } from "../../seam/store.js";
import { steadyNow } from "../../seam/store-kit.js";
import { backupFile } from "./file/backup.js";
import type { Database } from "./file/driver.js";
import { isBusy, toStoreError, unlessBusy } from "./file/errors.js";
import { type OpenDatabase, openFile } from "./file/open-file.js";
import { type Migrations, requireUsable } from "./file/schema.js";
import { createAsks } from "./ports/asks.js";
import { createLogs } from "./ports/logs.js";
import { createRecords } from "./ports/records.js";
import type { Connection } from "./write/connection.js";
import { threadWriter, writerProgram } from "./write/thread-writer.js";
import { createTurns } from "./write/turns.js";
import { createWriteTrouble, type FreeSpace } from "./write/write-trouble.js";
import { localWriter, type Writer } from "./write/writer.js";

export interface SqliteStoreOptions {
  /** Path of the file. A missing file or folder is created, readable by its owner only. */
  readonly path: string;
  /** How long a call waits for a locked file before it fails with `store_busy`. Default: 15 s. */
  readonly busyTimeoutMs?: number;
}

interface OpenStore {
  readonly database: Database;
  readonly writer: Writer;
}

const BUSY_TIMEOUT_MS = 15_000;

/**
 * Like {@link sqliteStore}, but tests can pass `openWith` and `freeSpace` to inject faults, and migrations of their own. With `openWith`
 * the store has only that connection, and writes on this thread.
 */
export function createSqliteStore(
  options: SqliteStoreOptions,
  openWith?: OpenDatabase,
  migrations?: Migrations,
  freeSpace?: FreeSpace,
): Store {
  const path = requirePath(options.path);
  const busyTimeoutMs = options.busyTimeoutMs ?? BUSY_TIMEOUT_MS;
  const program = openWith === undefined ? writerProgram() : undefined;
  const listeners = new Set<{ readonly call: (events: readonly Committed[]) => void }>();
  const brokenListeners = new Set<(reason: AsklineError) => void>();
  const trouble = createWriteTrouble(path, freeSpace);
  const longTurn = createTurns();
  /** Operations that outlast a turn of the event loop; `close` waits for them. */
  const inProgress = new Set<Promise<unknown>>();
  let state: OpenStore | undefined;
  let opening: Promise<void> | undefined;
  let closing: Promise<void> | undefined;
  let now = (): number => 0;
  let observer: StoreObserver | undefined;

  const notOpen = (): AsklineError => new AsklineError("closed", `the store ${path} is not open`);
  function requireOpen(): OpenStore {
    if (state === undefined || closing !== undefined) throw notOpen();
    return state;
  }

  async function trackUntilDone<T>(task: Promise<T>): Promise<T> {
    inProgress.add(task);
    try {
      return await task;
    } finally {
      inProgress.delete(task);
    }
  }

  const connection: Connection = {
    async read(task) {
      const { database } = requireOpen();
      const turn = longTurn();
      if (turn === undefined) {
        try {
          return task(database);
        } catch (error) {
          if (!isBusy(error)) throw toStoreError(error, path);
        }
      }
      const later = async (): Promise<ReturnType<typeof task>> => {
        await turn;
        return unlessBusy(path, busyTimeoutMs, () => task(database));
      };
      return trackUntilDone(later());
    },
    // Not async: that would create another promise for every write.
    write(name, request, toEvent) {
      if (state === undefined || closing !== undefined) return Promise.reject(notOpen());
      return state.writer.write(name, request, toEvent);
    },
  };

  async function open(logger: Logger): Promise<void> {
    const database = await openFile(path, busyTimeoutMs, logger, openWith, migrations);
    try {
      state = { database, writer: await openWriter(database) };
    } catch (error) {
      database.close();
      throw toStoreError(error, path);
    }
  }

  async function close(): Promise<void> {
    // A store that is still opening is closed once it is open.
    await opening?.catch(() => undefined);
    if (state === undefined) return;
    const { database, writer } = state;
    await writer.drained();
    await Promise.allSettled(inProgress);
    state = undefined;
    listeners.clear();
    await writer.close();
    database.close();
  }

  async function openWriter(database: Database): Promise<Writer> {
    const onCommit = (events: readonly Committed[]): void => {
      for (const { call } of listeners) call(events);
    };
    const committed: StoreObserver["committed"] = (...batch) => observer?.committed(...batch);
    const broken = (reason: AsklineError): void => {
      for (const listener of brokenListeners) listener(reason);
    };
    const options = {
      path,
      busyTimeoutMs,
      now: () => now(),
      onCommit,
      committed,
      broken,
      failed: trouble.failed,
    };
    if (program === undefined) return localWriter(database, options);
    database.exec("PRAGMA query_only = ON");
    return threadWriter(program, options);
  }

  const records = createRecords(connection, () => now());
  return {
    name: "sqlite",
    asks: createAsks(connection),
    logs: createLogs(connection),
    records,
    open({ clock, logger }) {
      now = steadyNow(clock);
      opening = open(logger);
      return opening;
    },
    close() {
      closing ??= close();
      return closing;
    },
    now: () => now(),
    watch: (listener) => requireOpen().writer.watch(listener),
    onCommit(listener) {
      const entry = { call: listener };
      listeners.add(entry);
      return () => void listeners.delete(entry);
    },
    async check() {
      const { ended } = requireOpen().writer;
      if (ended !== undefined) throw ended;
      await connection.read((database) => void requireUsable(database));
      await trouble.check(records, now());
    },
    onBroken(listener) {
      const ended = state?.writer.ended;
      if (ended === undefined) brokenListeners.add(listener);
      else listener(ended);
    },
    observe(newObserver) {
      observer = newObserver;
    },
    async backup(target) {
      requireOpen();
      await trackUntilDone(backupFile(path, resolve(target), busyTimeoutMs));
    },
  };
}

// Makes the path absolute, so that a later `process.chdir` does not select another file, and SQLite does not read a
// path that starts with `file:` as a URI.
function requirePath(path: string): string {
  if (path === "" || path === ":memory:") {
    throw new AsklineError(
      "store_unavailable",
      "sqliteStore needs the path of a file; use memoryStore() to store nothing on disk",
    );
  }
  return resolve(path);
}
