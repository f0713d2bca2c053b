// Whether the file can be written to just now. A disk that is full, read-only or broken still lets everything be
// read, so only a write can tell: where one has failed, another that is made to see. That others were made since
// tells nothing, as many of them change nothing.

import { AsklineError, type ErrorCode } from "../../../core/model/error.js";
import type { RecordStore } from "../../../hub/seam/store.js";

export interface WriteTrouble {
  /** A write has failed. */
  failed(error: unknown): void;
  /** Rejects where nothing can be written. Costs nothing while all is well. */
  check(records: RecordStore, now: number): Promise<void>;
}

// The file's fault, and not that of one write. One that is locked is waited for already.
const FAULTS: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "store_full",
  "store_readonly",
  "store_unavailable",
  "store_corrupt",
]);

export function createWriteTrouble(): WriteTrouble {
  let failures = 0;
  /** As many of them as a write was made after. */
  let overcome = 0;
  return {
    failed(error) {
      if (error instanceof AsklineError && FAULTS.has(error.code)) failures += 1;
    },
    async check(records, now) {
      const known = failures;
      if (known === overcome) return;
      // Nobody looks at it, and it has expired already. Each put changes the row's version, so a page is written.
      await records.put("readiness", "probe", now, { expiresAt: now });
      overcome = known;
    },
  };
}
