// The adapters are tested against the real agent frameworks. These are large, so they have a package of their own,
// test/agents, which is installed before the first test that needs them and stays until its lock changes.
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../run.mjs";
import { install } from "./install.mjs";

const folder = join(root, "test/agents");
const stamp = join(folder, "node_modules/.askline-lock");

/** Installs the frameworks if their lock has changed. Throws, with what to do, if that fails. */
export async function ensureFrameworks() {
  if (hasFrameworks()) return;
  const what = "the agent frameworks of test/agents, once (about 700 MB)";
  const failure = await install(what, "npm", ["ci", "--prefer-offline", "--loglevel=error"], { cwd: folder });
  if (failure !== undefined) {
    throw new Error(`the agent frameworks could not be installed; run npm ci in test/agents\n${failure}`);
  }
  writeFileSync(stamp, lockDigest());
}

function hasFrameworks() {
  return readStamp() === lockDigest();
}

function lockDigest() {
  return createHash("sha256")
    .update(readFileSync(join(folder, "package-lock.json")))
    .digest("hex");
}

function readStamp() {
  try {
    return readFileSync(stamp, "utf8");
  } catch {
    return undefined;
  }
}
