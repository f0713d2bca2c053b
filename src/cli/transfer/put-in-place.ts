import { randomBytes } from "node:crypto";
import { existsSync, linkSync, realpathSync, renameSync, rmSync, statSync } from "node:fs";
import { CommandError, FAULT_EXIT_CODE } from "../world/exit.js";

/** A temporary name next to `target`, for a file that is renamed once it is complete. */
export function partOf(target: string): string {
  return `${target}.part-${randomBytes(4).toString("hex")}`;
}

/** Refuses a target that {@link putInPlace} would refuse, before any work is done. */
export function requireFree(target: string, force: boolean, sources: readonly string[] = []): void {
  const found = statSync(target, { throwIfNoEntry: false });
  if (found === undefined) return;
  if (found.isDirectory()) throw new CommandError(`${target} is a folder; give a file name`);
  const same = (path: string): boolean => existsSync(path) && realpathSync(path) === realpathSync(target);
  if (sources.some(same)) throw new CommandError(`${target} is the store itself; give another file`);
  if (!force) throw taken(target);
}

/** Gives a finished file its name. Without `force`, never replaces an existing file. */
export function putInPlace(part: string, target: string, force: boolean): void {
  if (force) {
    renameSync(part, target);
    return;
  }
  try {
    // A link, unlike a rename, replaces nothing. Not every file system has links.
    linkSync(part, target);
    rmSync(part);
  } catch {
    if (existsSync(target)) throw taken(target);
    renameSync(part, target);
  }
}

function taken(target: string): CommandError {
  return new CommandError(
    `${target} already exists; choose another name, or replace it with --force`,
    FAULT_EXIT_CODE,
  );
}
