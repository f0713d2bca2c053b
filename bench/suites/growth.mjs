// Whether an ask costs the same however many were asked before it: an SQLite store with a thousand times more
// in it, and one where a hundred thousand people have not answered yet.
import { join } from "node:path";
import { importAskline } from "../askline.mjs";
import { microsecondsPerCycle } from "../cycles.mjs";
import { openPeers } from "../open-peers.mjs";
import { openHub } from "../peers/askline-hub.mjs";
import { oneQuestion } from "../sample-ask.mjs";
import { temporaryFolder } from "../temporary-folder.mjs";

const STORES = {
  "10,000 settled": { settled: 10_000 },
  "100,000 settled": { settled: 100_000 },
  "1,000,000 settled": { settled: 1_000_000 },
  "100,000 pending": { pending: 100_000 },
};
const EMPTY = "an ask in an empty store";
const BUDGET = { atMost: 1.25 };

export const growth = {
  name: "growth",
  title: "What an ask costs as asks pile up, on SQLite, 64 at once",
  rounds: 13,
  warmUp: 2,
  needsPackages: true,
  async open() {
    const stores = Object.entries(STORES).map(([name, content]) => [name, () => openFilled(content)]);
    const { peers, close } = await openPeers(Object.fromEntries(stores));
    const rows = Object.entries(peers).map(([name, peer]) => ({
      name: `an ask in a store of ${name}`,
      unit: "µs",
      ratioTo: EMPTY,
      budget: BUDGET,
      slice: cost(peer),
    }));
    const largest = peers["1,000,000 settled"];
    return {
      measurements: [
        { name: EMPTY, unit: "µs", slice: inEmptyStore },
        ...rows,
        // As from a client that names no session: its random key may belong anywhere among the others.
        {
          name: "an ask in a store of 1,000,000 settled, all of one session",
          unit: "µs",
          ratioTo: EMPTY,
          slice: cost({ cycle: largest.cycleAmongOthers }),
        },
      ],
      close,
    };
  },
};

// Few enough asks that the empty store is still an empty one at the end.
function cost(peer) {
  return microsecondsPerCycle(peer, { concurrency: 64, cycles: 1_280 });
}

async function inEmptyStore() {
  const peer = await openFilled({});
  try {
    return await cost(peer)();
  } finally {
    await peer.close();
  }
}

async function openFilled(content) {
  const { fillStore } = await import("../filled-store.mjs");
  const { sqliteStore } = await importAskline("./sqlite");
  const folder = temporaryFolder();
  const path = join(folder.path, "askline.db");
  try {
    await fillStore(path, oneQuestion, content);
  } catch (error) {
    folder.remove();
    throw error;
  }
  return openHub(sqliteStore({ path }), oneQuestion, () => folder.remove());
}
