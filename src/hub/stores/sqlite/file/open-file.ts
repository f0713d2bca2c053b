import { closeSync, existsSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "../../../../core/kit/logger.js";
import { messageOf } from "../../../../core/kit/tools.js";
import { AsklineError } from "../../../../core/model/error.js";
import { type Database, openDatabase } from "./driver.js";
import { toStoreError, unlessBusy } from "./errors.js";
import { makeFolder } from "./make-folder.js";
import { createTables, type Migrations, migrate, requireUsable } from "./schema.js";
import { isDamaged, logOf } from "./write-ahead-log.js";

// synchronous is FULL because with NORMAL a power cut can undo acknowledged writes. The cache fits the upper levels of
// all indexes of a million asks. Checkpoints run every 16 MB: they block all writes, and many pages change repeatedly
// between two of them.
const SETTINGS = `
  PRAGMA synchronous = FULL;
  PRAGMA cache_size = -16000;
  PRAGMA temp_store = MEMORY;
  PRAGMA wal_autocheckpoint = 4000;
  PRAGMA journal_size_limit = 67108864;
`;

const LOOK_AGAIN_MS = 50;

const PERMISSION: ReadonlySet<unknown> = new Set(["EACCES", "EPERM", "EROFS"]);

export type OpenDatabase = (path: string) => Database;

/** Opens a file for writing and creates or migrates its tables. Rejects with a coded error. */
export async function openFile(
  path: string,
  busyTimeoutMs: number,
  logger: Logger,
  openWith: OpenDatabase = openDatabase,
  migrations?: Migrations,
): Promise<Database> {
  createFile(path);
  await warnOfDamagedLog(path, logger);
  const database = await unlessBusy(path, busyTimeoutMs, () => openWith(path));
  try {
    await unlessBusy(path, busyTimeoutMs, () => {
      requireUsable(database, migrations);
      requireWal(database);
      database.exec(SETTINGS);
      createTables(database, migrations);
    });
    await migrate(database, busyTimeoutMs, logger, migrations);
    await unlessBusy(path, busyTimeoutMs, () => requireWritable(database));
    return database;
  } catch (error) {
    database.close();
    throw toStoreError(error, path);
  }
}

/** Must run before the file is opened: SQLite then replaces a damaged log silently. */
async function warnOfDamagedLog(path: string, logger: Logger): Promise<void> {
  if (!isDamaged(logOf(path))) return;
  // Another process may be replacing the log at this moment.
  await delay(LOOK_AGAIN_MS);
  const log = logOf(path);
  if (!isDamaged(log)) return;
  logger.warn(
    `the write-ahead log ${log.path} is damaged: it has ${log.size} bytes and no valid entry, so commits that were only in it are lost; compare the store with your last backup`,
  );
}

/** Opens another connection to a file that {@link openFile} has opened. */
export async function connectToFile(path: string, busyTimeoutMs: number): Promise<Database> {
  const database = await unlessBusy(path, busyTimeoutMs, () => openDatabase(path));
  try {
    await unlessBusy(path, busyTimeoutMs, () => database.exec(SETTINGS));
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

// A store holds people's answers, so only its owner may access the file and folder. Existing modes are not changed.
function createFile(path: string): void {
  try {
    makeFolder(dirname(path));
    closeSync(openSync(path, "a", 0o600));
  } catch (error) {
    const reason = messageOf(error);
    const [code, what] =
      isPermission(error) && existsSync(path)
        ? (["store_readonly", "cannot be written: make the file writable for this user"] as const)
        : (["store_unavailable", "cannot be created or opened: check its path and folder"] as const);
    throw new AsklineError(code, `the store ${path} ${what} (${reason})`, { cause: error });
  }
}

function isPermission(error: unknown): boolean {
  return error instanceof Error && "code" in error && PERMISSION.has(error.code);
}

function requireWal(database: Database): void {
  const mode = database.sql("PRAGMA journal_mode = WAL").get<{ readonly journal_mode: string }>();
  if (mode?.journal_mode === "wal") return;
  throw new AsklineError(
    "store_unavailable",
    `the store ${database.path} is on a file system without shared memory (a network drive?): ` +
      "put it on a local disk",
  );
}

/** Fails at startup, not at the first ask, if the store cannot be written. */
function requireWritable(database: Database): void {
  database.exec("BEGIN IMMEDIATE");
  try {
    database.exec("UPDATE meta SET version = version");
  } finally {
    if (database.inTransaction) database.exec("ROLLBACK");
  }
}
