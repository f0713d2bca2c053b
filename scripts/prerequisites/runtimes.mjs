// Deno and Bun, which the package is tested with beside Node: two binaries, installed once into a cache.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { install } from "./install.mjs";

const VERSIONS = { deno: "2.9.6", bun: "1.4.4" };

const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache");
const folder = join(cache, "askline", `deno-${VERSIONS.deno}-bun-${VERSIONS.bun}`);

/** The paths of the programs. */
export const runtimes = {
  deno: join(folder, "node_modules/.bin/deno"),
  bun: join(folder, "node_modules/.bin/bun"),
};

/** Installs them if they are missing. Throws, with what to do, if that fails. */
export async function ensureRuntimes() {
  if (hasRuntimes()) return;
  const names = Object.entries(VERSIONS).map(([name, version]) => `${name}@${version}`);
  mkdirSync(folder, { recursive: true });
  const args = ["install", "--prefix", folder, "--no-save", "--prefer-offline", "--loglevel=error", ...names];
  const failure = await install("Deno and Bun, once (about 200 MB)", "npm", args);
  if (failure !== undefined || !hasRuntimes()) {
    throw new Error(`Deno and Bun could not be installed: ${failure ?? "their programs do not run"}`);
  }
}

function hasRuntimes() {
  return Object.values(runtimes).every(works);
}

function works(program) {
  return existsSync(program) && spawnSync(program, ["--version"]).status === 0;
}
