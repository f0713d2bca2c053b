import type { StoreObserver } from "../../../seam/store.js";
import type { Contents } from "../../shared/contents.js";
import type { Database } from "./database.js";

/** What the parts of the store share while it is open. */
export interface Context {
  readonly database: Database;
  /** The schema's name as a quoted identifier. */
  readonly schema: string;
  readonly channel: string;
  /** The id of this node, used to ignore its own notifications. */
  readonly node: string;
  readonly contents: Contents;
  now(): number;
  /** Reports a commit to the store's observer. */
  readonly committed: StoreObserver["committed"];
  /** Creates the rows that writers of these logs lock. */
  requireLogs(logs: readonly string[]): Promise<void>;
}

/** One of the three ports of the store. */
export interface Part<Port> {
  readonly port: Port;
  /** Resolves when no call is in progress. */
  drained(): Promise<unknown>;
}
