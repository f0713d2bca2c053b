// `npm run soak -- [--minutes N] [files]`: the long runs, test/**/*.soak.ts. They read how long they may
// take from ASKLINE_SOAK_MINUTES; the other arguments go to vitest.
import { parseArgs } from "node:util";
import { ensureDist } from "./prerequisites/dist.mjs";
import { ensurePostgres } from "./prerequisites/postgres.mjs";
import { runNode, tool } from "./run.mjs";

const { values, positionals } = parseArgs({
  options: { minutes: { type: "string", default: "1" } },
  allowPositionals: true,
});
const minutes = Number(values.minutes);

if (!(minutes > 0)) {
  console.error(`--minutes must be a number above 0, not ${values.minutes}`);
  process.exitCode = 2;
} else {
  ensureDist();
  ensurePostgres();
  const { ok } = runNode([tool("vitest"), "run", "--mode", "soak", ...positionals], {
    env: { ASKLINE_SOAK_MINUTES: String(minutes) },
  });
  process.exitCode = ok ? 0 : 1;
}
