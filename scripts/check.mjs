// `npm run check`: everything that CI runs, in order. All steps run even when one fails, so that one run
// shows every problem. The last line, `N passed, N failed`, counts the tests and the other steps. If
// ASKLINE_CHECK_SUMMARY names a file, the line goes there, and .ci/run prints it at its end.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runNode, runProgram, tool } from "./run.mjs";

const folder = mkdtempSync(join(tmpdir(), "askline-check-"));
const testReport = join(folder, "tests.json");

// The import rules, the examples in the docs and the installed package are tests: test/package.
const steps = [
  { name: "lint", run: () => script("lint") },
  { name: "types", run: () => script("types") },
  // Prose only, with the words of spelling.txt; see cspell.json.
  {
    name: "spelling",
    run: () => runNode([tool("cspell"), "lint", "--no-progress", "--no-summary"], { quiet: true }),
  },
  { name: "test", run: test, counted: true },
  { name: "sizes", run: () => runNode(["scripts/card-sizes.mjs"]) },
  { name: "pack", run: pack },
  { name: "publint", run: () => runNode([tool("publint"), "run", packed(), "--strict"], { quiet: true }) },
  { name: "attw", run: attw },
  { name: "knip", run: () => runNode([tool("knip"), "--no-progress"], { quiet: true }) },
];

const results = steps.map(runStep);
const counts = count(results);
const summary = `${counts.passed} passed, ${counts.failed} failed`;

console.log("\nsummary");
for (const { name, ok, seconds, note } of results) {
  console.log(`  ${ok ? "ok    " : "FAILED"}  ${name.padEnd(8)} ${seconds.padStart(6)} s${note}`);
}
if (process.env.ASKLINE_CHECK_SUMMARY) writeFileSync(process.env.ASKLINE_CHECK_SUMMARY, `${summary}\n`);
else console.log(summary);
rmSync(folder, { recursive: true, force: true });
process.exitCode = counts.failed === 0 ? 0 : 1;

function runStep({ name, run, counted = false }) {
  const started = performance.now();
  console.log(`\n> ${name}`);
  let result;
  try {
    result = run();
  } catch (error) {
    result = { ok: false, output: String(error) };
  }
  if (!result.ok && result.output) console.log(result.output.trimEnd());
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${result.ok ? "ok" : "FAILED"}: ${name}, ${seconds} s`);
  const tests = counted ? readTestCounts() : undefined;
  const note = tests ? `  (${tests.passed} passed, ${tests.failed} failed, ${tests.skipped} skipped)` : "";
  return { name, ok: result.ok, seconds, tests, note };
}

// The test step counts as its tests. Where it failed without a failing test (a fault outside of any test, no
// report at all) it counts as one failure, so that red never reads as green.
function count(results) {
  let passed = 0;
  let failed = 0;
  for (const { ok, tests } of results) {
    passed += tests ? tests.passed : Number(ok);
    failed += tests ? tests.failed : Number(!ok);
    if (tests && !ok && tests.failed === 0) failed += 1;
  }
  return { passed, failed };
}

function readTestCounts() {
  try {
    const report = JSON.parse(readFileSync(testReport, "utf8"));
    // A file that does not load has no tests to fail, and counts as one.
    const unloaded = report.testResults.filter(
      ({ status, assertionResults }) => status === "failed" && assertionResults.length === 0,
    );
    return {
      passed: report.numPassedTests,
      failed: report.numFailedTests + unloaded.length,
      skipped: report.numPendingTests + report.numTodoTests,
    };
  } catch {
    return undefined;
  }
}

function script(name) {
  return runProgram("npm", ["run", "--silent", name], { quiet: true });
}

function test() {
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${testReport}`];
  return runProgram("npm", ["test", "--silent", "--", ...reporters]);
}

// Without scripts: the test step has just built dist.
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
