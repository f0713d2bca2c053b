// Which command runs a test file: the only place that decides it. `npm run test:core` runs the tier `core`, `npm test`
// runs `core` and `machine`, `npm run check` runs `check`. A file whose path matches nothing here is in `machine`.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { root } from "./run.mjs";

export const TIERS = ["core", "machine", "check"];

/** Needs Node and nothing else, and is quick: no browser, no database server. */
const CORE =
  /^test\/(agents\/(sessions|shapes|tool)|client|core|hub(?!\/stores\/)|people\/(cells|channels|form|markdown|terminal)|server\/(metrics|tracing)|testing)\//;
const NEEDS_POSTGRES = ["test/hub/two-processes.test.ts", "test/agents/sessions/reading.test.ts"];

/** Needs frameworks, runtimes or an installation of its own: hundreds of megabytes, or minutes. */
const CHECK = [
  // The agent frameworks. These two use none.
  /^test\/agents\/(?!acp\.|openclaw\.)[^/]+$/,
  /^test\/agents\/opencode\/program\.test\.ts$/,
  /^test\/agents\/mcp\/mcpb\.test\.ts$/,
  /^test\/hub\/stores\/postgres\/pgbouncer\.test\.ts$/,
  /^test\/package\/(docker|nginx|pack|pictures\.chromium|runtimes)\.test\.ts$/,
];

/** The tier of a test file, from its path below the root. */
export function tierOf(file) {
  if (CHECK.some((pattern) => pattern.test(file))) return "check";
  if (NEEDS_POSTGRES.includes(file) || file.includes(".chromium.")) return "machine";
  return CORE.test(file) ? "core" : "machine";
}

/** The test files of these tiers, as paths below the root. */
export function testFiles(tiers) {
  return readdirSync(join(root, "test"), { recursive: true })
    .map((file) => `test/${file.replaceAll("\\", "/")}`)
    .filter((file) => file.endsWith(".test.ts") && !file.includes("/node_modules/"))
    .filter((file) => tiers.includes(tierOf(file)));
}
