// The real Codex, for `npm run soak -- codex`: one binary of 294 MB, installed once into a cache.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

export const CODEX_VERSION = "0.169.0";

/** The path of the binary. Throws, with what to do, if it cannot be installed. */
export function ensureCodex() {
  const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache");
  const folder = join(cache, "askline", `codex-${CODEX_VERSION}`);
  const installed = binaryIn(folder);
  if (installed !== undefined) return installed;
  console.log(`installing @openai/codex@${CODEX_VERSION} into ${folder}, once (about 310 MB)`);
  mkdirSync(folder, { recursive: true });
  const args = [
    "install",
    "--prefix",
    folder,
    "--no-save",
    "--loglevel=error",
    `@openai/codex@${CODEX_VERSION}`,
  ];
  const { status, error } = spawnSync("npm", args, { stdio: ["ignore", "inherit", "inherit"] });
  const binary = binaryIn(folder);
  if (error !== undefined || status !== 0 || binary === undefined) {
    throw new Error(`@openai/codex could not be installed; run: npm ${args.join(" ")}`);
  }
  return binary;
}

/** Its folder is named after the platform as Rust names it. */
function binaryIn(folder) {
  const name = `codex-${process.platform}-${process.arch}`;
  const vendor = join(folder, "node_modules", "@openai", name, "vendor");
  if (!existsSync(vendor)) return undefined;
  const program = process.platform === "win32" ? "codex.exe" : "codex";
  return readdirSync(vendor)
    .map((target) => join(vendor, target, "bin", program))
    .find((path) => existsSync(path));
}
