import type { StoreObserver } from "../../../hub/seam/store.js";
import type { Contents } from "../../shared/contents.js";
import type { Database } from "./database.js";

/** What the parts of the store share while it is open. */
export interface Context {
  readonly database: Database;
  /** The schema's name as an identifier, in quotes. */
  readonly schema: string;
  readonly channel: string;
  /** Who we are among the nodes: our own notifications are not news to us. */
  readonly node: string;
  readonly contents: Contents;
  now(): number;
  /** Tells whoever observes the store of a commit. */
  readonly committed: StoreObserver["committed"];
  /** Sees to it that these logs can be locked. */
  requireLogs(logs: readonly string[]): Promise<void>;
}

/** One of the three ports of the store. */
export interface Part<Port> {
  readonly port: Port;
  /** Resolves when nothing is under way. */
  drained(): Promise<unknown>;
}
