import { randomBytes } from "node:crypto";
import { closeSync, openSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";

/** Replaces a file as a whole, readable by its owner alone: no reader finds half of it. */
export function writePrivateFile(path: string, text: string): void {
  const temporary = `${path}.${randomBytes(6).toString("hex")}`;
  try {
    writeFileSync(temporary, text, { mode: 0o600, flag: "wx", flush: true });
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

// Whoever holds the lock does so for a moment. One that is older was left by a process that was killed.
const STALE_MS = 5_000;
const RETRY_MS = 20;

/** Runs one writer of a file at a time, across processes. */
export async function withFileLock(path: string, task: () => void): Promise<void> {
  const lock = `${path}.lock`;
  for (;;) {
    try {
      closeSync(openSync(lock, "wx", 0o600));
      break;
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
      if (Date.now() - modifiedAt(lock) > STALE_MS) rmSync(lock, { force: true });
      else await pause(RETRY_MS);
    }
  }
  try {
    task();
  } finally {
    rmSync(lock, { force: true });
  }
}

function modifiedAt(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
}
