import type { Database } from "./driver.js";
import type { Transaction } from "./transaction.js";

/** How asks, logs and records reach the file. Both reject with `closed` when the store is not open. */
export interface Connection {
  /** Reads at once what has been committed. */
  read<T>(task: (database: Database) => T): Promise<T>;
  /** Writes with whatever else is written in this turn; resolves after the commit. `task` may run again. */
  write<T>(task: (transaction: Transaction) => T): Promise<T>;
}

/** Runs reads that belong together on one state of the file, whatever other processes commit meanwhile. */
export function inSnapshot<T>(database: Database, task: () => T): T {
  // Within a write, that is so already.
  if (database.inTransaction) return task();
  database.sql("BEGIN").run();
  try {
    return task();
  } finally {
    // Some faults have ended it already.
    if (database.inTransaction) database.sql("ROLLBACK").run();
  }
}
