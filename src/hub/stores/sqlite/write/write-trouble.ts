// Checks whether the file can be written. Reads still work on a full, read-only or broken disk. A disk without free space
// is noticed before a write fails; only a write can show the rest, such as a quota. After a failed write, the check makes
// a test write. Other writes that succeeded since then prove nothing, because many writes change nothing.

import { statfs } from "node:fs/promises";
import { dirname } from "node:path";
import { AsklineError, type ErrorCode } from "../../../../core/model/error.js";
import type { RecordStore } from "../../../seam/store.js";

export interface WriteTrouble {
  /** Must be called for each failed write. */
  failed(error: unknown): void;
  /** Rejects if the disk is full or the file cannot be written. Writes only if a write has failed. */
  check(records: RecordStore, now: number): Promise<void>;
}

// Errors that concern the file, not a single write. `store_busy` is left out: writes already wait for a locked file.
const FAULTS: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "store_full",
  "store_readonly",
  "store_unavailable",
  "store_corrupt",
]);

/** As much as a large ask: the last pages of a full disk have room for less. */
const PROBE_LENGTH = 65_536;

/** As large as the write-ahead log usually becomes: it and the file may both have to grow before anything is freed. */
export const NEEDED_BYTES: number = 16 * 1024 * 1024;

/** The free bytes of the disk of a folder; undefined if its file system does not say. */
export type FreeSpace = (folder: string) => Promise<number | undefined>;

const freeSpaceOf: FreeSpace = async (folder) => {
  try {
    const { bavail, blocks, bsize } = await statfs(folder);
    return blocks > 0 ? bavail * bsize : undefined;
  } catch {
    return undefined;
  }
};

export function createWriteTrouble(path: string, freeSpace: FreeSpace = freeSpaceOf): WriteTrouble {
  let failures = 0;
  /** How many failures a successful test write has followed. */
  let overcome = 0;
  return {
    failed(error) {
      if (error instanceof AsklineError && FAULTS.has(error.code)) failures += 1;
    },
    async check(records, now) {
      const free = await freeSpace(dirname(path));
      if (free !== undefined && free < NEEDED_BYTES) {
        throw new AsklineError("store_full", `the disk of ${path} has less than 16 MB left: free some space`);
      }
      const known = failures;
      if (known === overcome) return;
      // The record is never read, and expired from the start. Each put changes the row's version, so a page is written.
      await records.put("readiness", "probe", `${now}`.padEnd(PROBE_LENGTH), { expiresAt: now });
      overcome = known;
    },
  };
}
