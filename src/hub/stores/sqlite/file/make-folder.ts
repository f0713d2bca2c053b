import { mkdirSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Creates a folder, and its missing parents, accessible by its owner only. Returns whether it was created. Does not use
 * Node's `recursive`, which never returns if an existing parent refuses new folders, as /proc does.
 */
export function makeFolder(path: string): boolean {
  const parent = dirname(path);
  try {
    return makeSingleFolder(path);
  } catch (error) {
    if (parent === path || codeOf(error) !== "ENOENT") throw error;
  }
  makeFolder(parent);
  return makeSingleFolder(path);
}

function makeSingleFolder(path: string): boolean {
  try {
    mkdirSync(path, { mode: 0o700 });
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
