// Asks and answers at full speed on one SQLite file until it is killed. A line on stdout is an
// acknowledgement: it is written, synchronously, only after the hub has said that the thing is done.
//
//   node kill-worker.mjs <file> <name>
//   asked <ask id> <key>
//   settled <ask id> <person>

import { writeSync } from "node:fs";
import { createHub } from "askline/hub";
import { sqliteStore } from "askline/sqlite";

const [file, name] = process.argv.slice(2);
const LOOPS = 16;

const hub = await createHub({ store: sqliteStore({ path: file }) });
let count = 0;

/** Two persons answer the same ask differently at the same moment: at most one may be told that it counts. */
async function answer(id) {
  await Promise.all(
    ["p1", "p2"].map(async (person, index) => {
      const by = { kind: "person", id: `${name}-${person}`, surface: "worker" };
      try {
        await hub.answer(id, { answers: [{ question: "q1", selected: [`o${index + 1}`] }] }, { by });
        writeSync(1, `settled ${id} ${by.id}\n`);
      } catch (error) {
        if (error.code !== "already_settled") throw error;
      }
    }),
  );
}

async function loop() {
  for (;;) {
    count += 1;
    const key = `${name}-${count}`;
    const ask = await hub.post({ questions: [{ question: `Go on, ${key}?`, options: ["Yes", "No"] }], key });
    writeSync(1, `asked ${ask.id} ${key}\n`);
    // Every third is left to the process that finds it first, so that two processes race for it.
    if (count % 3 > 0) await answer(ask.id);
    else for (const { id } of (await hub.list({ status: "pending" }, { limit: 4 })).asks) await answer(id);
  }
}

await Promise.all(Array.from({ length: LOOPS }, loop));
