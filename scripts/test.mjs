// `npm test`: provides what the tests need, then runs them. Arguments go to vitest.
// A missing prerequisite fails the run; no test is skipped because of it.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { ensureChromium, ensureFullChromium } from "./prerequisites/chromium.mjs";
import { ensureDist } from "./prerequisites/dist.mjs";
import { ensureFrameworks } from "./prerequisites/frameworks.mjs";
import { ensurePostgres } from "./prerequisites/postgres.mjs";
import { ensureRuntimes } from "./prerequisites/runtimes.mjs";
import { root, runNode, tool } from "./run.mjs";

const args = process.argv.slice(2);
const prerequisites = [
  ensureDist,
  ensurePostgres,
  ...(needs((file) => file.endsWith(".chromium.test.ts")) ? [ensureChromium] : []),
  ...(needs((file) => file.endsWith("push.chromium.test.ts")) ? [ensureFullChromium] : []),
  ...(needs((file) => /^adapters[\\/].*\.test\.ts$/.test(file)) ? [ensureFrameworks] : []),
  ...(needs((file) => file.endsWith("runtimes.test.ts")) ? [ensureRuntimes] : []),
];

try {
  for (const ensure of prerequisites) await ensure();
  const { ok } = runNode([tool("vitest"), "run", ...args]);
  process.exitCode = ok ? 0 : 1;
} catch (error) {
  console.error(`npm test cannot start: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
}

/** Whether a test file that `matches`, with its path below test, is among those to run. vitest selects by parts of paths. */
function needs(matches) {
  const filters = args.filter((arg) => !arg.startsWith("-")).map((arg) => arg.replace(/^\.\//, ""));
  return readdirSync(join(root, "test"), { recursive: true })
    .filter((file) => !file.includes("node_modules") && matches(file))
    .some((file) => filters.length === 0 || filters.some((filter) => `test/${file}`.includes(filter)));
}
