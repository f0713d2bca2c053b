// Checks whether the file can be written. Reads still work on a full, read-only or broken disk, so only a write can
// show that. After a failed write, the check makes a test write. Other writes that succeeded since then prove nothing,
// because many writes change nothing.

import { AsklineError, type ErrorCode } from "../../../core/model/error.js";
import type { RecordStore } from "../../../hub/seam/store.js";

export interface WriteTrouble {
  /** Must be called for each failed write. */
  failed(error: unknown): void;
  /** Rejects if the file cannot be written. Does nothing if no write has failed. */
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

export function createWriteTrouble(): WriteTrouble {
  let failures = 0;
  /** How many failures a successful test write has followed. */
  let overcome = 0;
  return {
    failed(error) {
      if (error instanceof AsklineError && FAULTS.has(error.code)) failures += 1;
    },
    async check(records, now) {
      const known = failures;
      if (known === overcome) return;
      // The record is never read, and expired from the start. Each put changes the row's version, so a page is written.
      await records.put("readiness", "probe", `${now}`.padEnd(PROBE_LENGTH), { expiresAt: now });
      overcome = known;
    },
  };
}
