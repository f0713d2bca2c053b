// `npm test`: sees to everything that the tests need, then runs them. Arguments go to vitest.
// A prerequisite that is missing and cannot be had fails the run: nothing is skipped for the want of it.
import { ensureDist } from "./prerequisites/dist.mjs";
import { ensurePostgres } from "./prerequisites/postgres.mjs";
import { runNode, tool } from "./run.mjs";

const prerequisites = [ensureDist, ensurePostgres];

try {
  for (const ensure of prerequisites) await ensure();
  const { ok } = runNode([tool("vitest"), "run", ...process.argv.slice(2)]);
  process.exitCode = ok ? 0 : 1;
} catch (error) {
  console.error(`npm test cannot start: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
}
