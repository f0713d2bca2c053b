// Deno and Bun, which the package is tested with beside Node: two binaries, installed once into a cache.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

const VERSIONS = { deno: "2.9.6", bun: "1.4.4" };

const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache");
const folder = join(cache, "askline", `deno-${VERSIONS.deno}-bun-${VERSIONS.bun}`);

/** The paths of the programs. */
export const runtimes = {
  deno: join(folder, "node_modules/.bin/deno"),
  bun: join(folder, "node_modules/.bin/bun"),
};

/** Installs them if they are missing. Throws, with what to do, if that fails. */
export function ensureRuntimes() {
  if (Object.values(runtimes).every(works)) return;
  const started = Date.now();
  const names = Object.entries(VERSIONS).map(([name, version]) => `${name}@${version}`);
  console.log(`installing ${names.join(" and ")} into ${folder}, once (about 200 MB)`);
  mkdirSync(folder, { recursive: true });
  const args = ["install", "--prefix", folder, "--no-save", "--prefer-offline", "--loglevel=error", ...names];
  const { status, error } = spawnSync("npm", args, { stdio: ["ignore", "inherit", "inherit"] });
  if (error || status !== 0 || !Object.values(runtimes).every(works)) {
    throw new Error(
      `Deno and Bun could not be installed; run npm ${args.join(" ")} to see why, ` +
        "or run other tests only, such as: npm test -- test/core",
    );
  }
  console.log(`installed Deno and Bun in ${Math.round((Date.now() - started) / 1000)} s`);
}

function works(program) {
  return existsSync(program) && spawnSync(program, ["--version"]).status === 0;
}
