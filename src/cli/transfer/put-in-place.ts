import { randomBytes } from "node:crypto";
import { existsSync, linkSync, realpathSync, renameSync, rmSync, statSync } from "node:fs";
import { CommandError, FAULT_EXIT_CODE } from "../world/exit.js";

/** The name of a file beside `target` that becomes it once it is whole. */
export function partOf(target: string): string {
  return `${target}.part-${randomBytes(4).toString("hex")}`;
}

/** Refuses early what would be refused at the end, before anything is made. */
export function requireFree(target: string, force: boolean, sources: readonly string[] = []): void {
  const found = statSync(target, { throwIfNoEntry: false });
  if (found === undefined) return;
  if (found.isDirectory()) throw new CommandError(`${target} is a folder; name a file in it`);
  const same = (path: string): boolean => existsSync(path) && realpathSync(path) === realpathSync(target);
  if (sources.some(same)) throw new CommandError(`${target} is the store itself; name another file`);
  if (!force) throw taken(target);
}

/** Gives a finished file its name. Without `force`, one that came there meanwhile stays. */
export function putInPlace(part: string, target: string, force: boolean): void {
  if (force) {
    renameSync(part, target);
    return;
  }
  try {
    // A link, unlike a rename, replaces nothing. Not every file system has them.
    linkSync(part, target);
    rmSync(part);
  } catch {
    if (existsSync(target)) throw taken(target);
    renameSync(part, target);
  }
}

function taken(target: string): CommandError {
  return new CommandError(
    `there is already a file ${target}; choose another name, or replace it with --force`,
    FAULT_EXIT_CODE,
  );
}
