import { existsSync } from "node:fs";
import { link, open, rename, rm } from "node:fs/promises";
import { AsklineError } from "../../core/index.js";
import { messageOf } from "../../core/kit.js";
import { unlessBusy } from "./busy.js";
import { openDatabase } from "./driver.js";
import { toStoreError } from "./errors.js";

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
    throw error instanceof AsklineError ? error : unavailable(target, error);
  } finally {
    for (const suffix of ["", "-journal", "-wal", "-shm"]) await rm(part + suffix, { force: true });
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
    `there is already a file ${target}: a backup replaces nothing, choose another path`,
  );
}

function unavailable(target: string, cause: unknown): AsklineError {
  const reason = messageOf(cause);
  return new AsklineError("store_unavailable", `the backup ${target} could not be written: ${reason}`, {
    cause,
  });
}
