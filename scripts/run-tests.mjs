import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { root, tool } from "./run.mjs";

/**
 * Runs the tests of some tiers; `args` go to vitest. If `counted`, `counts` says how many passed, failed or were
 * skipped, and names those that failed.
 */
export async function runTests(tiers, { args = [], counted = false } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "askline-tests-"));
  try {
    const report = join(folder, "tests.json");
    const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
    const ok = await runVitest(["run", "--mode", tiers.join("+"), ...(counted ? reporters : []), ...args]);
    return { ok, ...(counted && { counts: count(ok, report) }) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function runVitest(args) {
  return new Promise((resolve, reject) => {
    // Nothing reads our standard input: a check must not wait for somebody to type.
    const stdio = ["ignore", "inherit", "inherit"];
    const child = spawn(process.execPath, [tool("vitest"), ...args], { cwd: root, stdio });
    child.once("error", reject);
    child.once("exit", (code) => resolve(code === 0));
  });
}

// A run that failed without a failing test (a fault outside of any test, no report at all) counts as one failure, so
// that red never reads as green.
function count(ok, file) {
  const counts = readReport(file);
  return ok || counts.failed > 0 ? counts : { ...counts, failed: 1 };
}

function readReport(file) {
  try {
    const report = JSON.parse(readFileSync(file, "utf8"));
    // A file that does not load has no tests to fail, and counts as one.
    const unloaded = report.testResults.filter(
      ({ status, assertionResults }) => status === "failed" && assertionResults.length === 0,
    );
    const failures = report.testResults.flatMap(({ name, assertionResults }) =>
      assertionResults
        .filter(({ status }) => status === "failed")
        .map(({ fullName }) => `${relative(root, name)} > ${fullName}`),
    );
    return {
      passed: report.numPassedTests,
      failed: report.numFailedTests + unloaded.length,
      skipped: report.numPendingTests + report.numTodoTests,
      failures: [...unloaded.map(({ name }) => relative(root, name)), ...failures],
    };
  } catch {
    return { passed: 0, failed: 0, skipped: 0, failures: [] };
  }
}
