// Opens the file of a store and kills itself when the migration is at a statement: node killed-migration.mjs PATH STATEMENT
import { openDatabase } from "../../../dist/stores/sqlite/file/driver.js";
import { createSqliteStore } from "../../../dist/stores/sqlite/sqlite-store.js";
import { fakeClock } from "../../../dist/testing/index.js";

const [path, statement] = process.argv.slice(2);
const store = createSqliteStore({ path }, (at) => {
  const database = openDatabase(at);
  let migrating = false;
  return {
    ...database,
    get inTransaction() {
      return database.inTransaction;
    },
    exec(sql) {
      migrating ||= sql.includes("RENAME TO asks_of_version_3");
      const place = migrating ? sql.indexOf(statement) : -1;
      if (place < 0) return database.exec(sql);
      database.exec(sql.slice(0, place));
      process.kill(process.pid, "SIGKILL");
    },
  };
});
await store.open({ clock: fakeClock(), logger: { warn: () => undefined, error: () => undefined } });
