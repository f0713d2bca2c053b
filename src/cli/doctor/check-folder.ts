import { accessSync, constants, statSync } from "node:fs";
import { dirname } from "node:path";
import { messageOf } from "../../core/kit/tools.js";
import { shellQuote } from "../output/answer-hint.js";
import type { World } from "../world/world.js";
import { type Finding, ok, warning, wrong } from "./finding.js";

const NEEDED_BYTES = 16 * 1024 * 1024;
const LITTLE_BYTES = 256 * 1024 * 1024;

/** The data folder: there or to be made, this user's, closed to others, with room on its disk. */
export async function checkFolder(path: string, world: World): Promise<Finding> {
  const quoted = shellQuote(path);
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined) return await notThereYet(path, world);
    if (!found.isDirectory()) {
      return wrong("data folder", `${path} is no folder`, "move it away, or choose another with --data");
    }
    if (!canUse(path)) {
      return wrong(
        "data folder",
        `${path} cannot be written by this user`,
        `chown it to this user (${world.userId ?? "yours"}) and: chmod u+rwx ${quoted}; or choose another with --data`,
      );
    }
    const room = await checkRoom(path, world);
    if (room !== undefined) return room;
    const mode = found.mode & 0o777;
    if ((mode & 0o077) !== 0) {
      return warning(
        "data folder",
        `${path} is open to others on this machine (${mode.toString(8)})`,
        `chmod 700 ${quoted}`,
      );
    }
    return ok("data folder", path);
  } catch (error) {
    return wrong(
      "data folder",
      `${path} cannot be looked at (${messageOf(error)})`,
      "make the folders above it readable for this user, or choose another with --data",
    );
  }
}

async function notThereYet(path: string, world: World): Promise<Finding> {
  let above = dirname(path);
  while (statSync(above, { throwIfNoEntry: false }) === undefined) above = dirname(above);
  if (!statSync(above).isDirectory() || !canUse(above)) {
    return wrong(
      "data folder",
      `${path} is not there and cannot be made in ${above}`,
      "make that writable for this user, or choose another with --data",
    );
  }
  return (
    (await checkRoom(above, world)) ??
    ok("data folder", `${path} is not there yet; the first "askline serve" makes it`)
  );
}

async function checkRoom(path: string, world: World): Promise<Finding | undefined> {
  const free = await world.freeSpace(path);
  if (free >= LITTLE_BYTES) return undefined;
  const message = `only ${Math.floor(free / 1_048_576)} MB are free on the disk of ${path}`;
  const mend = 'free some space: "askline prune" removes old asks, --data chooses another disk';
  return (free < NEEDED_BYTES ? wrong : warning)("data folder", message, mend);
}

/** Whether this user may read, write and look into a folder. */
function canUse(path: string): boolean {
  try {
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
