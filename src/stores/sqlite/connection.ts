import type { Committed } from "../../hub/store.js";
import type { Database } from "./driver.js";
import type { OperationName, Operations } from "./operations.js";

/** How asks, logs and records reach the file. Both reject with `closed` when the store is not open. */
export interface Connection {
  /** Reads at once what has been committed. */
  read<T>(task: (database: Database) => T): Promise<T>;
  /** {@link Connection.read} for who has begun with a write: the store waits for them when it closes. */
  readOn<T>(task: (database: Database) => T): Promise<T>;
  /** Reads at once, between a commit and its acknowledgement; undefined where that cannot be. */
  readNow<T>(task: (database: Database) => T): T | undefined;
  /** Writes with whatever else is written at the time; resolves after the commit. */
  write<Name extends OperationName>(
    name: Name,
    request: Operations[Name]["request"],
    toEvent?: ToEvent<Name>,
  ): Promise<Operations[Name]["result"]>;
}

/**
 * The event that a write has put into the event log, to be told before the write is acknowledged; undefined
 * where it cannot be said. Called where the write has changed something.
 */
export type ToEvent<Name extends OperationName> = (
  result: NonNullable<Operations[Name]["result"]>,
) => Committed | undefined;

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
