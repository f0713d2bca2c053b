// `npm run bench`: measures and prints the tables of docs/performance.md. `npm run bench -- core cold-start` runs only
// those suites; `npm run bench -- http --against ../before` compares this build with that of another checkout. A missed
// budget is marked in its table; only what could not be measured fails.
import { parseArgs } from "node:util";
import { requireDist } from "./askline.mjs";
import { interleave } from "./interleave.mjs";
import { requirePackages } from "./packages.mjs";
import { suitesAgainst } from "./suites/against.mjs";
import { coldStart } from "./suites/cold-start.mjs";
import { core } from "./suites/core.mjs";
import { gateway } from "./suites/gateway.mjs";
import { growth } from "./suites/growth.mjs";
import { http } from "./suites/http.mjs";
import { hubMemory } from "./suites/hub-memory.mjs";
import { hubPostgres } from "./suites/hub-postgres.mjs";
import { hubSqlite } from "./suites/hub-sqlite.mjs";
import { mcp } from "./suites/mcp.mjs";
import { peers } from "./suites/peers.mjs";
import { pendingHeap } from "./suites/pending-heap.mjs";
import { webhook } from "./suites/webhook.mjs";
import { formatTable } from "./table.mjs";
import { endInOrder } from "./temporary-folder.mjs";

// A suite is `{ name, title, rounds, warmUp, needsPackages?, open }`. `open()` gives its `measurements`, each
// `{ name, unit, slice?, ratioTo?, budget? }` as in interleave.mjs, and a `close` if there is something to close.
const suites = [
  core,
  coldStart,
  peers,
  hubMemory,
  hubSqlite,
  hubPostgres,
  http,
  gateway,
  mcp,
  growth,
  pendingHeap,
  webhook,
];

endInOrder();
try {
  const { values, positionals } = parseArgs({
    options: { against: { type: "string" } },
    allowPositionals: true,
  });
  const chosen = choose(values.against === undefined ? suites : suitesAgainst(values.against), positionals);
  requireDist();
  console.log(`Node ${process.version}, ${process.platform} ${process.arch}`);
  for (const suite of chosen) await attempt(suite);
} catch (error) {
  fail(error);
}

// One suite that cannot run does not keep the others from it.
async function attempt(suite) {
  try {
    await run(suite);
  } catch (error) {
    fail(new Error(`${suite.name} could not be measured`, { cause: error }));
  }
}

function fail(error) {
  console.error(`npm run bench: ${error.message}`);
  if (error.cause !== undefined) console.error(error.cause);
  process.exitCode = 1;
}

function choose(among, names) {
  const known = among.map(({ name }) => name);
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw new Error(`unknown suite ${unknown.join(", ")}; choose from ${known.join(", ")}`);
  return names.length === 0 ? among : among.filter(({ name }) => names.includes(name));
}

async function run({ title, rounds, warmUp, needsPackages = false, open }) {
  console.log(`\n### ${title}\n`);
  if (needsPackages) requirePackages();
  const { measurements, close } = await open();
  try {
    const results = await interleave(measurements, { rounds, warmUp });
    console.log(formatTable(measurements, results));
  } finally {
    await close?.();
  }
}
