// A process that has nothing to do but what it asks its store for, and closes nothing.
//
//   node lonely-process.mjs <path> write    waits to be told to go on, then for a write, and says so
//   node lonely-process.mjs <path> idle     follows and watches, and waits for nothing
//
// Says at the end how many threads there were.

import { once } from "node:events";
import { systemClock } from "askline";
import { sqliteStore } from "askline/sqlite";

const [path, what] = process.argv.slice(2);
let threads = 0;
process.on("worker", () => {
  threads += 1;
});
process.on("exit", (code) => console.log(`exit ${code}, threads ${threads}`));

const store = sqliteStore({ path });
await store.open({ clock: systemClock, logger: console });
console.log("open");
if (what === "idle") {
  store.watch(() => undefined);
  store.onCommit(() => undefined);
} else {
  await once(process.stdin, "data");
  process.stdin.destroy();
  const written = store.records.put("n", "k", "written");
  console.log("begun");
  await written;
  console.log("acknowledged");
}
