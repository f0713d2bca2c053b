// Opens a store as a process of its own: `node open-store.mjs <path> [as-nobody | append <count>]`. Prints
// the code of the error where it cannot. Migrates a file of the schema in older-schema.mjs.
import { systemClock } from "askline";
import { createSqliteStore } from "../../../../dist/hub/stores/sqlite/sqlite-store.js";
import { MIGRATIONS } from "./older-schema.mjs";

const [path = "", what, count] = process.argv.slice(2);
// Root may write anything.
if (what === "as-nobody" && process.getuid?.() === 0) {
  process.setgid?.(65_534);
  process.setuid?.(65_534);
}
const store = createSqliteStore({ path }, undefined, MIGRATIONS);
try {
  await store.open({ clock: systemClock, logger: console });
  if (what === "append") {
    for (let index = 0; index < Number(count); index += 1) {
      await store.logs.append([{ log: "started", type: String(process.pid), data: index }]);
    }
  }
  await store.close();
} catch (error) {
  console.log(error.code ?? error);
}
