// `npm test`: provides what the tests need, then runs them. Arguments go to vitest.
// A missing prerequisite fails the run; no test is skipped because of it.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { ensureChromium } from "./prerequisites/chromium.mjs";
import { ensureDist } from "./prerequisites/dist.mjs";
import { ensurePostgres } from "./prerequisites/postgres.mjs";
import { root, runNode, tool } from "./run.mjs";

const args = process.argv.slice(2);
const prerequisites = [ensureDist, ensurePostgres, ...(needsChromium() ? [ensureChromium] : [])];

try {
  for (const ensure of prerequisites) await ensure();
  const { ok } = runNode([tool("vitest"), "run", ...args]);
  process.exitCode = ok ? 0 : 1;
} catch (error) {
  console.error(`npm test cannot start: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
}

/** Whether a file like `pages.chromium.test.ts` is among the tests to run. vitest selects files by parts of paths. */
function needsChromium() {
  const filters = args.filter((arg) => !arg.startsWith("-")).map((arg) => arg.replace(/^\.\//, ""));
  return readdirSync(join(root, "test"), { recursive: true })
    .filter((file) => file.endsWith(".chromium.test.ts"))
    .some((file) => filters.length === 0 || filters.some((filter) => `test/${file}`.includes(filter)));
}
