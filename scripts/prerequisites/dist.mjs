// Tests of the commands and of the package use dist; an old one would test yesterday's code.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { root, runNode } from "../run.mjs";

const SOURCES = ["src", "tsconfig.json", "package.json", "scripts/build.mjs", "scripts/bundle-commands.mjs"];

/** Builds dist if its sources have changed. Throws if the build fails. */
export function ensureDist() {
  const newest = Math.max(...SOURCES.map((path) => newestChange(join(root, path))));
  if (newest < lastBuild()) return;
  if (!runNode(["scripts/build.mjs"]).ok) throw new Error("dist could not be built");
}

function lastBuild() {
  try {
    return Number(readFileSync(join(root, "dist/.built"), "utf8"));
  } catch {
    return 0;
  }
}

// A folder counts too: its time changes when a file in it is removed.
function newestChange(path) {
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return Math.max(stat.mtimeMs, ...readdirSync(path).map((name) => newestChange(join(path, name))));
}
