import type { Store } from "../../seam/store.js";
import { createSqliteStore, type SqliteStoreOptions } from "./sqlite-store.js";

export type { SqliteStoreOptions } from "./sqlite-store.js";

/**
 * A store in one SQLite file. Several processes may share the file. Acknowledged writes survive a crash and a
 * power cut: a separate thread commits concurrent writes together, and each write is acknowledged after its commit.
 *
 * @example
 * const hubStore = sqliteStore({ path: "askline.db" });
 */
export function sqliteStore(options: SqliteStoreOptions): Store {
  return createSqliteStore(options);
}
