// Opens the file of a store and kills itself when the migration is at a statement: node killed-migration.mjs PATH STATEMENT
import { openDatabase } from "../../../../dist/hub/stores/sqlite/file/driver.js";
import { createSqliteStore } from "../../../../dist/hub/stores/sqlite/sqlite-store.js";
import { fakeClock } from "../../../../dist/testing/index.js";
import { MIGRATIONS } from "./older-schema.mjs";

const [path, statement] = process.argv.slice(2);
const faulty = (at) => {
  const database = openDatabase(at);
  let migrating = false;
  return {
    ...database,
    get inTransaction() {
      return database.inTransaction;
    },
    exec(sql) {
      migrating ||= sql.includes("CREATE INDEX asks_by_end");
      if (!migrating || !sql.includes(statement)) return database.exec(sql);
      process.kill(process.pid, "SIGKILL");
    },
  };
};
const store = createSqliteStore({ path }, faulty, MIGRATIONS);
await store.open({ clock: fakeClock(), logger: { warn: () => undefined, error: () => undefined } });
