// `npm run soak`: the long runs, test/**/*.soak.ts. See HELP.
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ensureDist } from "./prerequisites/dist.mjs";
import { ensurePostgres } from "./prerequisites/postgres.mjs";
import { runNode, tool } from "./run.mjs";

const KILLS = "test/fault/kills.soak.ts";
const HELP = `npm run soak -- [--minutes N] [FILE…]

  npm run soak                    all long runs, test/**/*.soak.ts; timed runs take a minute each
  npm run soak -- --minutes 10    full load with random kills of servers, clients and PostgreSQL, for 10 minutes;
                                  ends with the result of an independent checker: "lost 0, double 0, wrong 0"
  npm run soak -- fuzz            the long runs with "fuzz" in their path
  npm run soak -- claude          the real Claude Code (349 MB, installed into a cache) in a pseudo-terminal
  npm run soak -- codex           the real Codex (294 MB, installed into a cache), at a terminal and as an app-server
  npm run soak -- attack          one agent does its worst to a server with a 512 MB heap, as far as its limits let it;
                                  prints sizes and times, also of another agent's notification
  ASKLINE_FUZZ_SEED=7             repeats the requests of the fuzz run with this seed
`;

const { values, positionals } = parseArgs({
  options: { minutes: { type: "string" }, help: { type: "boolean", short: "h" } },
  allowPositionals: true,
});
const minutes = Number(values.minutes ?? "1");

if (values.help) {
  console.log(HELP);
} else if (!(minutes > 0)) {
  console.error(`--minutes must be a number above 0, not ${values.minutes}`);
  process.exitCode = 2;
} else {
  ensureDist();
  await ensurePostgres();
  const folder = mkdtempSync(join(tmpdir(), "askline-soak-report-"));
  const report = join(folder, "report.txt");
  const files = values.minutes !== undefined && positionals.length === 0 ? [KILLS] : positionals;
  const { ok } = runNode([tool("vitest"), "run", "--mode", "soak", ...files], {
    env: { ASKLINE_SOAK_MINUTES: String(minutes), ASKLINE_SOAK_REPORT: report },
  });
  if (existsSync(report)) console.log(readFileSync(report, "utf8").trimEnd());
  rmSync(folder, { recursive: true, force: true });
  process.exitCode = ok ? 0 : 1;
}
