import type { Store } from "../../hub/seam/store.js";
import { createSqliteStore, type SqliteStoreOptions } from "./sqlite-store.js";

export type { SqliteStoreOptions } from "./sqlite-store.js";

/**
 * A store in one SQLite file, which several processes may share. What it acknowledges survives a crash and a
 * power cut: writes that come together are committed together, in a thread of their own, and acknowledged
 * after that.
 *
 * @example
 * const hubStore = sqliteStore({ path: "askline.db" });
 */
export function sqliteStore(options: SqliteStoreOptions): Store {
  return createSqliteStore(options);
}
