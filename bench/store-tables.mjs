// The file of an SQLite store with nothing in it, for those who write its rows by hand: the very tables, made by it.
import { importAskline, importDependency } from "./askline.mjs";

/** Makes the file, and opens it with the store's own copy of SQLite. */
export async function openTables(path) {
  const { createHub } = await importAskline("./hub");
  const { sqliteStore } = await importAskline("./sqlite");
  const hub = await createHub({ store: sqliteStore({ path }) });
  await hub.close();
  const { DatabaseSync } = await importDependency("@photostructure/sqlite");
  return new DatabaseSync(path);
}
