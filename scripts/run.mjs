// How our scripts start other programs: by the JavaScript file behind a package's command, with this very
// Node. That needs no shell and no PATH, so `node scripts/check.mjs` does the same as `npm run check`.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = join(dirname(fileURLToPath(import.meta.url)), "..");

/** The arguments for Node that start a command of an installed package: `tool("typescript", "tsc")`. */
export function tool(packageName, command = packageName) {
  const folder = join(root, "node_modules", packageName);
  const { bin } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  return join(folder, typeof bin === "string" ? bin : bin[command]);
}

/**
 * Runs Node to its end and says how that went. Output goes to our own unless `quiet`, which returns it
 * instead. Nothing reads our standard input: a check must not wait for somebody to type.
 */
export function runNode(args, { quiet = false, env = {} } = {}) {
  return runProgram(process.execPath, args, { quiet, env });
}

export function runProgram(program, args, { quiet = false, env = {} } = {}) {
  const result = spawnSync(program, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ["ignore", quiet ? "pipe" : "inherit", quiet ? "pipe" : "inherit"],
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  if (result.error) throw result.error;
  return { ok: result.status === 0, output: quiet ? `${result.stdout}${result.stderr}` : "" };
}
