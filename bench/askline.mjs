// How the bench reaches the package: the built files behind its export and command names. A `file:..` dependency would
// install the main package a second time. A process with ASKLINE_BENCH_CHECKOUT measures the build of that checkout.
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { ensureDist } from "../scripts/prerequisites/dist.mjs";

const here = new URL("../", import.meta.url);
const { ASKLINE_BENCH_CHECKOUT } = process.env;
const root = ASKLINE_BENCH_CHECKOUT === undefined ? here : rootOf(ASKLINE_BENCH_CHECKOUT);
const { version, bin } = manifestOf(root);

export { version };

/** The environment of a process that measures the build of another checkout. */
export function measuring(checkout) {
  return { ...process.env, ASKLINE_BENCH_CHECKOUT: checkout };
}

/** Throws if there is nothing to measure at this path. */
export function requireBuild(checkout) {
  if (!existsSync(new URL(manifestOf(rootOf(checkout)).exports["."].default, rootOf(checkout)))) {
    throw new Error(`${checkout} is not built; run \`npm ci && npm run build\` there`);
  }
}

function rootOf(checkout) {
  return pathToFileURL(`${resolve(checkout)}/`);
}

function manifestOf(folder) {
  return JSON.parse(readFileSync(new URL("package.json", folder), "utf8"));
}

/** Builds dist where it is missing or older than its sources: yesterday's code is not to be measured. */
export function requireDist() {
  ensureDist();
}

/** What a user imports as `askline` ("."), `askline/hub` ("./hub") and so on. */
export async function importAskline(subpath, checkout) {
  const folder = checkout === undefined ? root : rootOf(checkout);
  const entry = manifestOf(folder).exports[subpath]?.default;
  if (entry === undefined) throw new Error(`the package has no export ${subpath}`);
  return import(new URL(entry, folder));
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
