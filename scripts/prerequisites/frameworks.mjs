// The adapters are tested against the real agent frameworks. These are large, so they have a package of their own,
// test/adapters, which is installed before the first test that needs them and stays until its lock changes.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../run.mjs";

const folder = join(root, "test/adapters");
const stamp = join(folder, "node_modules/.askline-lock");

/** Installs the frameworks if their lock has changed. Throws, with what to do, if that fails. */
export function ensureFrameworks() {
  const wanted = createHash("sha256")
    .update(readFileSync(join(folder, "package-lock.json")))
    .digest("hex");
  if (readStamp() === wanted) return;
  console.log("installing the agent frameworks that the adapters are tested with, once (about 700 MB)");
  const started = Date.now();
  const { error, status } = spawnSync("npm", ["ci", "--prefer-offline", "--loglevel=error"], {
    cwd: folder,
    stdio: ["ignore", "inherit", "inherit"],
  });
  if (error ?? status !== 0) {
    throw new Error(
      "the agent frameworks could not be installed; run npm ci in test/adapters to see why, " +
        "or run other tests only, such as: npm test -- test/core",
    );
  }
  writeFileSync(stamp, wanted);
  console.log(`installed the agent frameworks in ${Math.round((Date.now() - started) / 1000)} s`);
}

function readStamp() {
  try {
    return readFileSync(stamp, "utf8");
  } catch {
    return undefined;
  }
}
