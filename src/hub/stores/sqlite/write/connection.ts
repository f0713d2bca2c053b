import type { Committed } from "../../../seam/store.js";
import type { Database } from "../file/driver.js";
import type { OperationName, Request, Result } from "./operations.js";

/** How asks, logs and records access the file. Both methods reject with `closed` if the store is not open. */
export interface Connection {
  /** Reads committed data, at once if the file is not locked. */
  read<T>(task: (database: Database) => T): Promise<T>;
  /** Shares a commit with other writes made at the same time. Resolves after the commit. */
  write<Name extends OperationName>(
    name: Name,
    request: Request<Name>,
    toEvent?: ToEvent<Name>,
  ): Promise<Result<Name>>;
}

/**
 * Returns the event that a write appended to the event log, to report before the write is acknowledged; `unreported` if
 * the write changed asks but its events are only in the log; undefined if it changed nothing.
 */
export type ToEvent<Name extends OperationName> = (
  result: Result<Name>,
) => Committed | "unreported" | undefined;
