// A program of its own, started with --expose-gc by suites/pending-heap.mjs: how many bytes of heap and of
// buffers a hub needs for each ask that is pending, with an agent that waits for it. Prints the number.
import { join } from "node:path";
import { importAskline } from "./askline.mjs";
import { oneQuestion } from "./sample-ask.mjs";
import { endInOrder, temporaryFolder } from "./temporary-folder.mjs";

const ASKS = 100_000;
const TOGETHER = 1_000;

let lastKey = 0;

const [kind] = process.argv.slice(2);
endInOrder();
const folder = temporaryFolder();
const hub = await openHub();
try {
  await ask(TOGETHER);
  const before = used();
  await ask(ASKS);
  console.log((used() - before) / ASKS);
} finally {
  await hub.close();
  folder.remove();
}

async function openHub() {
  const { createHub, memoryStore } = await importAskline("./hub");
  const { sqliteStore } = await importAskline("./sqlite");
  const store = kind === "memory" ? memoryStore() : sqliteStore({ path: join(folder.path, "askline.db") });
  return createHub({ store });
}

/** Asks as agents do, some at a time, and leaves all of them waiting. */
async function ask(count) {
  for (let asked = 0; asked < count; asked += TOGETHER) {
    const position = await hub.position();
    for (let one = 0; one < TOGETHER; one += 1) {
      lastKey += 1;
      // They end when the hub closes.
      hub.ask({ ...oneQuestion.ask, session: "bench", key: `key-${lastKey}` }).catch(() => {});
    }
    while ((await hub.position()) < position + TOGETHER) await nextTurn();
  }
}

function used() {
  for (let time = 0; time < 3; time += 1) globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

function nextTurn() {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
