import { mkdirSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Makes a folder for its owner alone, and those above it that are missing; whether it was made. Not by Node's own
 * `recursive`, which never ends where a folder cannot be made in one that is there, as in /proc.
 */
export function makeFolder(path: string): boolean {
  const parent = dirname(path);
  try {
    return makeOne(path);
  } catch (error) {
    if (parent === path || codeOf(error) !== "ENOENT") throw error;
  }
  makeFolder(parent);
  return makeOne(path);
}

function makeOne(path: string): boolean {
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
