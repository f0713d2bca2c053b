// `npm test` runs everything that needs npm, Chromium and PostgreSQL and nothing else; `npm run test:core` (`--core`) runs
// what needs neither. Other arguments go to vitest. A missing prerequisite is installed while the tests that need
// none already run; if that fails, the run fails: no test is skipped because of it. scripts/tiers.mjs has the tiers.
import { appendFileSync } from "node:fs";
import {
  ensureChromium,
  ensureFullChromium,
  findChromium,
  findFullChromium,
} from "./prerequisites/chromium.mjs";
import { ensureDist } from "./prerequisites/dist.mjs";
import { ensurePostgres, findPostgres } from "./prerequisites/postgres.mjs";
import { runTests } from "./run-tests.mjs";
import { testFiles } from "./tiers.mjs";

const CORE = ["core"];
const MACHINE = ["machine"];
const prerequisites = [
  { find: findPostgres, ensure: ensurePostgres, needs: () => true },
  { find: findChromium, ensure: ensureChromium, needs: (file) => file.includes(".chromium.") },
  { find: findFullChromium, ensure: ensureFullChromium, needs: (file) => file.includes("push.chromium.") },
];

const [core, args] = [
  process.argv.includes("--core"),
  process.argv.slice(2).filter((arg) => arg !== "--core"),
];
// .ci/run names a file, to which the names of failed tests and the line of counts are added.
const summary = process.env.ASKLINE_SUMMARY;
const options = { args, counted: summary !== undefined };

try {
  ensureDist();
  const results = core ? [await runTests(CORE, options)] : await runAll();
  if (summary !== undefined) report(results);
  process.exitCode = results.every(({ ok }) => ok) ? 0 : 1;
} catch (error) {
  console.error(`npm test cannot start: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
}

async function runAll() {
  const needed = prerequisites.filter(({ needs }) => selected(MACHINE).some(needs));
  const provide = async () => {
    for (const { ensure } of needed) await ensure();
  };
  if (args.length > 0 || needed.every(({ find }) => find() !== undefined)) {
    await provide();
    return [await runTests([...CORE, ...MACHINE], options)];
  }
  // Settled even if it fails while the tests run, so that the failure is reported after them.
  const provided = Promise.allSettled([provide()]);
  const first = await runTests(CORE, options);
  const [{ reason }] = await provided;
  if (reason !== undefined) throw reason;
  return [first, await runTests(MACHINE, options)];
}

/** The files of these tiers that the arguments select, as vitest does: by parts of their paths. */
function selected(tiers) {
  const filters = args.filter((arg) => !arg.startsWith("-")).map((arg) => arg.replace(/^\.\//, ""));
  const files = testFiles(tiers);
  return filters.length === 0
    ? files
    : files.filter((file) => filters.some((filter) => file.includes(filter)));
}

function report(results) {
  const sum = (kind) => results.reduce((total, { counts }) => total + counts[kind], 0);
  const failures = results.flatMap(({ counts }) => counts.failures.map((name) => `failed: ${name}\n`));
  appendFileSync(summary, `${failures.join("")}${sum("passed")} passed, ${sum("failed")} failed\n`);
}
