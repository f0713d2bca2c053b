import { existsSync } from "node:fs";
import { link, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { messageOf } from "../../../../core/kit/tools.js";
import { AsklineError } from "../../../../core/model/error.js";
import { openDatabase } from "./driver.js";
import { toStoreError, unlessBusy } from "./errors.js";

/**
 * Copies a store while it is in use, on a separate thread and connection. The connection holds one snapshot for the
 * whole copy; without it, every commit would restart the copy.
 */
export async function backupFile(path: string, target: string, busyTimeoutMs: number): Promise<void> {
  refuseExisting(target);
  const part = `${target}.part-${process.pid}-${Math.random().toString(36).slice(2, 8)}`;
  try {
    await createPrivate(part);
    await copy(path, part, busyTimeoutMs);
    await moveIntoPlace(part, target);
  } catch (error) {
    throw error instanceof AsklineError ? error : unavailable(`the backup ${target}`, error);
  } finally {
    await removeFile(part);
  }
}

/**
 * Copies a store. The caller must hold the write lock, so that only one process copies at a time. An existing copy
 * comes from a migration that did not finish; it is older than the store, so it is replaced.
 */
export async function copyBeforeMigration(
  path: string,
  target: string,
  busyTimeoutMs: number,
): Promise<void> {
  const part = `${target}.part`;
  try {
    await removeFile(part);
    await createPrivate(part);
    await copy(path, part, busyTimeoutMs);
    await rename(part, target);
    await syncFolder(dirname(target));
  } catch (error) {
    const what = `the store ${path} was not migrated: its copy ${target}`;
    throw unavailable(what, error);
  } finally {
    await removeFile(part);
  }
}

async function removeFile(path: string): Promise<void> {
  for (const suffix of ["", "-journal", "-wal", "-shm"]) await rm(path + suffix, { force: true });
}

/** Makes the rename durable: the migration must not survive a power cut that loses the copy's name. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

async function copy(path: string, part: string, busyTimeoutMs: number): Promise<void> {
  const source = await unlessBusy(path, busyTimeoutMs, () => openDatabase(path));
  try {
    await unlessBusy(path, busyTimeoutMs, () => {
      if (!source.inTransaction) source.exec("BEGIN");
      // SQLite takes the snapshot at the first read, not at BEGIN.
      source.exec("SELECT version FROM meta");
    });
    await source.copyTo(part).catch((error: unknown) => {
      throw toStoreError(error, part);
    });
  } finally {
    source.close();
  }
}

// A backup holds people's answers, so only its owner may read it.
async function createPrivate(path: string): Promise<void> {
  const file = await open(path, "wx", 0o600);
  await file.close();
}

// Unlike a rename, a link does not replace a file that appeared meanwhile. Not every file system supports links.
async function moveIntoPlace(part: string, target: string): Promise<void> {
  try {
    await link(part, target);
  } catch {
    refuseExisting(target);
    await rename(part, target);
  }
}

function refuseExisting(target: string): void {
  if (!existsSync(target)) return;
  throw new AsklineError(
    "store_unavailable",
    `the file ${target} exists already: choose another path for the backup`,
  );
}

function unavailable(what: string, cause: unknown): AsklineError {
  const code = cause instanceof AsklineError ? cause.code : "store_unavailable";
  return new AsklineError(code, `${what} could not be written: ${messageOf(cause)}`, { cause });
}
