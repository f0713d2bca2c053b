import { setTimeout as delay } from "node:timers/promises";
import { AsklineError, type ErrorCode } from "../../../../core/model/error.js";
import { resultCode } from "./driver.js";

interface Fault {
  readonly code: ErrorCode;
  /** Says what happened and what to do; follows "the store <path> ". */
  readonly message: string;
}

// Keyed by SQLite's primary result code. Any other code is a bug in askline, and its error is passed on unchanged.
const FAULTS: Readonly<Record<number, Fault>> = {
  3: {
    code: "store_unavailable",
    message: "cannot be accessed: check the permissions of the file and its folder",
  },
  5: {
    code: "store_busy",
    message: "is locked by another process: try again, or find that process with `lsof`",
  },
  7: { code: "store_unavailable", message: "ran out of memory: try again" },
  8: {
    code: "store_readonly",
    message: "cannot be written: make the file and its folder writable for this user; nothing was changed",
  },
  10: {
    code: "store_unavailable",
    message:
      "had an I/O error: check that the disk works and has free space; unacknowledged writes can be sent again",
  },
  11: {
    code: "store_corrupt",
    message: "is damaged: stop all processes that use it and restore a backup",
  },
  13: {
    code: "store_full",
    message: "is out of disk space: free some space and try again; nothing was changed",
  },
  14: {
    code: "store_unavailable",
    message: "cannot be opened: check that its folder exists and is writable, and that it is a file",
  },
  18: { code: "too_large", message: "cannot store a value this large: send less" },
  23: {
    code: "store_unavailable",
    message: "cannot be accessed: check the permissions of the file and its folder",
  },
  26: {
    code: "store_corrupt",
    message: "is not an SQLite database, or is damaged: choose another path, or restore a backup",
  },
};

const LONGEST_PAUSE_MS = 25;

// SQLITE_BUSY, and SQLITE_PROTOCOL: a lock race between processes that open the file at once.
const BUSY = new Set([5, 15]);

/** Whether another process holds a lock, so that a retry can succeed. */
export function isBusy(error: unknown): boolean {
  return BUSY.has(resultCode(error) ?? 0);
}

/** Turns a known SQLite error into a coded one. Returns every other error unchanged. */
export function toStoreError(error: unknown, path: string): unknown {
  const fault = isBusy(error) ? FAULTS[5] : FAULTS[resultCode(error) ?? 0];
  if (fault === undefined) return error;
  return new AsklineError(fault.code, `the store ${path} ${fault.message}`, { cause: error });
}

/**
 * Waits before the next try on a locked file: short at first, and random so that processes do not retry in step.
 * Uses real time, not the injected clock, because the process that holds the lock runs in real time.
 */
export function pauseWhileBusy(attempt: number): Promise<void> {
  return delay(1 + Math.random() * Math.min(LONGEST_PAUSE_MS, 2 ** Math.min(attempt, 10)));
}

/**
 * Runs `task` at once, and again while the file is locked. Does not block the event loop between tries.
 * Rejects with coded errors.
 */
export async function unlessBusy<T>(path: string, busyTimeoutMs: number, task: () => T): Promise<T> {
  const start = performance.now();
  for (let attempt = 1; ; attempt += 1) {
    try {
      return task();
    } catch (error) {
      if (!isBusy(error) || performance.now() - start >= busyTimeoutMs) throw toStoreError(error, path);
    }
    await pauseWhileBusy(attempt);
  }
}
