// How the bench reaches the package: the built files behind its export and command names. A `file:..`
// dependency would install the main package a second time.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import { ensureDist } from "../scripts/prerequisites/dist.mjs";

const root = new URL("../", import.meta.url);
const { version, bin, exports } = JSON.parse(readFileSync(new URL("package.json", root), "utf8"));

export { version };

/** Builds dist where it is missing or older than its sources: yesterday's code is not to be measured. */
export function requireDist() {
  ensureDist();
}

/** What a user imports as `askline` ("."), `askline/hub` ("./hub") and so on. */
export async function importAskline(subpath) {
  const entry = exports[subpath]?.default;
  if (entry === undefined) throw new Error(`the package has no export ${subpath}`);
  return import(new URL(entry, root));
}

/**
 * A package that the package uses, the very same and not the bench's own: two copies of SQLite in one process take
 * each other's locks away, and then one reads what the other is writing.
 */
export async function importDependency(name) {
  return import(pathToFileURL(createRequire(new URL("package.json", root)).resolve(name)));
}

/** The file behind one of the package's commands. */
export function commandPath(name) {
  if (bin[name] === undefined) throw new Error(`the package has no command ${name}`);
  return fileURLToPath(new URL(bin[name], root));
}
