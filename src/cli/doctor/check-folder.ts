import { accessSync, constants, statSync } from "node:fs";
import { dirname } from "node:path";
import { messageOf } from "../../core/kit/tools.js";
import { NEEDED_BYTES } from "../../hub/stores/sqlite/write/write-trouble.js";
import { shellQuote } from "../output/answer-hint.js";
import type { World } from "../world/world.js";
import { type Finding, findings } from "./finding.js";

const FOLDER = findings("data folder");

const LITTLE_BYTES = 256 * 1024 * 1024;

/** Checks that the data folder exists or can be created, is writable and private, and has free disk space. */
export async function checkFolder(path: string, world: World): Promise<Finding> {
  const quoted = shellQuote(path);
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined) return await checkMissing(path, world);
    if (!found.isDirectory()) {
      return FOLDER.wrong(`${path} is not a folder`, "move it away, or choose another with --data");
    }
    if (!canUse(path)) {
      return FOLDER.wrong(
        `this user cannot write to ${path}`,
        `chown it to this user (${world.userId ?? "yours"}) and: chmod u+rwx ${quoted}; or choose another with --data`,
      );
    }
    const room = await checkRoom(path, world);
    if (room !== undefined) return room;
    const mode = found.mode & 0o777;
    if ((mode & 0o077) !== 0) {
      return FOLDER.warning(
        `other users of this machine can open ${path} (${mode.toString(8)})`,
        `chmod 700 ${quoted}`,
      );
    }
    return FOLDER.ok(path);
  } catch (error) {
    return FOLDER.wrong(
      `cannot read ${path} (${messageOf(error)})`,
      "make its parent folders readable by this user, or choose another with --data",
    );
  }
}

async function checkMissing(path: string, world: World): Promise<Finding> {
  let above = dirname(path);
  while (statSync(above, { throwIfNoEntry: false }) === undefined) above = dirname(above);
  if (!statSync(above).isDirectory() || !canUse(above)) {
    return FOLDER.wrong(
      `${path} does not exist and cannot be created in ${above}`,
      "make that folder writable by this user, or choose another with --data",
    );
  }
  return (
    (await checkRoom(above, world)) ??
    FOLDER.ok(`${path} does not exist yet; the first "askline serve" creates it`)
  );
}

async function checkRoom(path: string, world: World): Promise<Finding | undefined> {
  const free = await world.freeSpace(path);
  if (free >= LITTLE_BYTES) return undefined;
  const message = `only ${Math.floor(free / 1_048_576)} MB free on the disk of ${path}`;
  const fix = 'free some space: "askline prune" removes old asks, --data selects another disk';
  return free < NEEDED_BYTES ? FOLDER.wrong(message, fix) : FOLDER.warning(message, fix);
}

/** Whether this user may read, write and enter a folder. */
function canUse(path: string): boolean {
  try {
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
