// Writes contract/v1.json: what /v1 promises, as test/server/openapi/frozen-contract.test.ts holds the server to it.
//
//   node scripts/freeze-contract.mjs                  records what was added
//   node scripts/freeze-contract.mjs --break-clients  records a change that breaks those who use /v1
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { root } from "./run.mjs";

const path = join(root, "contract/v1.json");
const { compareContracts, contractOf, document } = await load();
const contract = contractOf(document());
const { breaks, additions } = compareContracts(frozen(), contract);

if (breaks.length > 0 && !process.argv.includes("--break-clients")) {
  console.error(`not written, because it would break those who use /v1:\n${breaks.join("\n")}`);
  console.error("mend it, or say that you mean it: node scripts/freeze-contract.mjs --break-clients");
  process.exit(1);
}
mkdirSync(join(root, "contract"), { recursive: true });
writeFileSync(path, `${JSON.stringify(contract, null, 1)}\n`);
for (const line of [...breaks, ...additions]) console.log(line);
console.log(`${breaks.length} broken, ${additions.length} added; contract/v1.json is written`);

/** What was frozen; nothing at the very first time. */
function frozen() {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    if (error.code === "ENOENT") return { paths: {} };
    throw error;
  }
}

/** From the sources: what is frozen does not depend on when somebody last built. */
async function load() {
  const outfile = join(root, "node_modules/.cache/askline/contract.mjs");
  await build({
    stdin: {
      contents: `export { compareContracts, contractOf } from "./test/server/openapi/contract.ts";
export { document } from "./src/server/routes/all.ts";`,
      resolveDir: root,
    },
    outfile,
    bundle: true,
    packages: "external",
    platform: "node",
    format: "esm",
    logLevel: "warning",
  });
  try {
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(outfile);
  }
}
