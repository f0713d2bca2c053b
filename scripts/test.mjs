// `npm test`: provides what the tests need, then runs them. Arguments go to vitest.
// A missing prerequisite fails the run; no test is skipped because of it.
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
