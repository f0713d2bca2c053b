import { existsSync } from "node:fs";
import { link, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { messageOf } from "../../../core/kit/tools.js";
import { AsklineError } from "../../../core/model/error.js";
import { openDatabase } from "./driver.js";
import { toStoreError, unlessBusy } from "./errors.js";

/**
 * Copies a store while it is in use, on a thread and a connection of its own. The connection holds one
 * snapshot for the whole copy; without that, each commit would make it start over.
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
 * Copies a store that its caller has locked, so that one process does this at a time. A copy that is there already
 * is of a migration that was not finished: it is older than what is copied now, and is replaced.
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

/** The new name must not be lost in a power cut that the migration survives. */
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
      // A snapshot begins with the first read.
      source.exec("SELECT version FROM meta");
    });
    await source.copyTo(part).catch((error: unknown) => {
      throw toStoreError(error, part);
    });
  } finally {
    source.close();
  }
}

// Askline's files hold what people said: only their owner reads them.
async function createPrivate(path: string): Promise<void> {
  const file = await open(path, "wx", 0o600);
  await file.close();
}

// A link, unlike a rename, does not replace a file that appeared meanwhile. Not every file system has them.
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
