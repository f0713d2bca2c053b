import type { Committed } from "../../../hub/seam/store.js";
import type { Database } from "../file/driver.js";
import type { OperationName, Request, Result } from "./operations.js";

/** How asks, logs and records reach the file. Both reject with `closed` when the store is not open. */
export interface Connection {
  /** Reads at once what has been committed. */
  read<T>(task: (database: Database) => T): Promise<T>;
  /** Writes with whatever else is written at the time; resolves after the commit. */
  write<Name extends OperationName>(
    name: Name,
    request: Request<Name>,
    toEvent?: ToEvent<Name>,
  ): Promise<Result<Name>>;
}

/**
 * The event that a write has put into the event log, reported before the write is acknowledged; `unreported` where
 * it has changed asks and only the log says how; undefined where it has changed nothing.
 */
export type ToEvent<Name extends OperationName> = (
  result: Result<Name>,
) => Committed | "unreported" | undefined;
