// `npm run check`: everything that CI runs after `npm test`, in order. All steps run even when one fails, so that one
// run shows every problem. The last line, `N passed, N failed`, counts the tests and the other steps; the names of what
// failed stand above it. If ASKLINE_SUMMARY names a file, these lines go there, and .ci/run prints them at its end. With
// arguments, such as `npm run check -- runtimes`, only the tests run, and vitest gets them.
import { appendFileSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureChromium } from "./prerequisites/chromium.mjs";
import { ensureDist } from "./prerequisites/dist.mjs";
import { ensureFrameworks } from "./prerequisites/frameworks.mjs";
import { ensurePostgres } from "./prerequisites/postgres.mjs";
import { ensurePrograms } from "./prerequisites/programs.mjs";
import { ensureRuntimes } from "./prerequisites/runtimes.mjs";
import { runNode, runProgram, tool } from "./run.mjs";
import { runTests } from "./run-tests.mjs";

const folder = mkdtempSync(join(tmpdir(), "askline-check-"));
const args = process.argv.slice(2);

// The frameworks, the runtimes, the packed package, the pictures and the Dockerfile are tests: see tiers.mjs.
const all = [
  { name: "build", run: build },
  { name: "lint", run: () => script("lint") },
  { name: "types", run: () => script("types") },
  // Prose only, with the words of spelling.txt; see cspell.json.
  {
    name: "spelling",
    run: () => runNode([tool("cspell"), "lint", "--no-progress", "--no-summary"], { quiet: true }),
  },
  { name: "test", run: test },
  { name: "sizes", run: () => runNode(["scripts/card-sizes.mjs"]) },
  { name: "pack", run: pack },
  { name: "publint", run: () => runNode([tool("publint"), "run", packed(), "--strict"], { quiet: true }) },
  { name: "attw", run: attw },
  { name: "knip", run: () => runNode([tool("knip"), "--no-progress"], { quiet: true }) },
];

const steps = args.length === 0 ? all : all.filter(({ name }) => name === "build" || name === "test");
const results = [];
for (const step of steps) results.push(await runStep(step));
const [passed, failed] = ["passed", "failed"].map((kind) =>
  results.reduce((sum, { counts }) => sum + counts[kind], 0),
);
const summary = `${passed} passed, ${failed} failed`;

console.log("\nsummary");
for (const { name, ok, seconds, note } of results) {
  console.log(`  ${ok ? "ok    " : "FAILED"}  ${name.padEnd(8)} ${seconds.padStart(6)} s${note}`);
}
const failures = results.flatMap(({ name, ok, counts }) => counts.failures ?? (ok ? [] : [name]));
const lines = [...failures.map((name) => `failed: ${name}`), summary];
if (process.env.ASKLINE_SUMMARY) appendFileSync(process.env.ASKLINE_SUMMARY, `${lines.join("\n")}\n`);
else console.log(lines.join("\n"));
rmSync(folder, { recursive: true, force: true });
process.exitCode = failed === 0 ? 0 : 1;

async function runStep({ name, run }) {
  const started = performance.now();
  console.log(`\n> ${name}`);
  let result;
  try {
    result = await run();
  } catch (error) {
    result = { ok: false, output: String(error) };
  }
  const { ok, output, counts } = result;
  if (!ok && output) console.log(output.trimEnd());
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${ok ? "ok" : "FAILED"}: ${name}, ${seconds} s`);
  const note = counts
    ? `  (${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped)`
    : "";
  return { name, ok, seconds, note, counts: counts ?? { passed: Number(ok), failed: Number(!ok) } };
}

function script(name) {
  return runProgram("npm", ["run", "--silent", name], { quiet: true });
}

// The types of the tests and the examples read those of dist.
function build() {
  ensureDist();
  return { ok: true };
}

async function test() {
  for (const ensure of [ensurePostgres, ensurePrograms, ensureChromium, ensureFrameworks, ensureRuntimes])
    await ensure();
  return runTests(["check"], { args, counted: true });
}

// Without scripts: dist is built.
function pack() {
  return runProgram("npm", ["pack", "--silent", "--ignore-scripts", "--pack-destination", folder], {
    quiet: true,
  });
}

function packed() {
  const name = readdirSync(folder).find((file) => file.endsWith(".tgz"));
  if (name === undefined) throw new Error("npm pack wrote no package");
  return join(folder, name);
}

function attw() {
  const options = ["--profile", "esm-only", "--format", "ascii", "--no-color", "--no-emoji"];
  // A page, which has no types.
  options.push("--exclude-entrypoints", "./web/card.html");
  return runNode([tool("@arethetypeswrong/cli", "attw"), packed(), ...options], { quiet: true });
}
