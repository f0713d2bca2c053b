// What `askline connect` keeps about an agent: the token that it made for it, and the files that it changed. One file in
// the data folder, readable only by its owner.

import { createHash, randomBytes } from "node:crypto";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { isRecord } from "../../core/kit/json.js";
import type { FileChange } from "./agent.js";

export interface Connection {
  readonly token: string;
  /** The agent's name on the server. */
  readonly name: string;
  readonly person: string;
  /** A server elsewhere; the one on this machine if absent. */
  readonly url?: string;
  readonly files: readonly ChangedFile[];
}

export interface ChangedFile {
  readonly path: string;
  /** A copy of the file as it was; absent if it did not exist. */
  readonly backup?: string;
  /** The SHA-256 of what was written: while it is the same, the backup can be put back as it is. */
  readonly written: string;
}

function pathOf(data: string, agent: string): string {
  return join(data, "agents", `${agent}.json`);
}

export function readConnection(data: string, agent: string): Connection | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(pathOf(data, agent), "utf8"));
    const isOne = isRecord(value) && typeof value.token === "string" && Array.isArray(value.files);
    return isOne ? (value as unknown as Connection) : undefined;
  } catch {
    return undefined;
  }
}

export function writeConnection(data: string, agent: string, connection: Connection): void {
  const path = pathOf(data, agent);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  replaceFile(path, `${JSON.stringify(connection, undefined, 2)}\n`, 0o600);
}

export function removeConnection(data: string, agent: string): void {
  rmSync(pathOf(data, agent), { force: true });
}

/** Writes a change, with a backup of a changed file beside it. A file that holds a token is for its owner only. */
export function writeChange(
  { path, before, after }: FileChange,
  earlier: ChangedFile | undefined,
  isPrivate: boolean,
): ChangedFile {
  if (after === undefined) {
    rmSync(path, { force: true });
    return { path, written: "" };
  }
  mkdirSync(dirname(path), { recursive: true });
  const mode = before === undefined ? 0o600 : statSync(path).mode & 0o777;
  const backup = before === undefined ? undefined : `${path}.before-askline`;
  // The first backup is the file as it was before us, unless somebody else has changed it since.
  const keep = earlier !== undefined && before !== undefined && hashOf(before) === earlier.written;
  if (backup !== undefined && !keep) {
    copyFileSync(path, backup);
    chmodSync(backup, mode);
  }
  replaceFile(path, after, isPrivate ? 0o600 : mode);
  const kept = keep ? earlier.backup : backup;
  return { path, ...(kept !== undefined && { backup: kept }), written: hashOf(after) };
}

/** Puts a file back as it was, if nobody has changed it since. Returns whether it did. */
export function restore({ path, backup, written }: ChangedFile): boolean {
  if (!existsSync(path) || hashOf(readFileSync(path, "utf8")) !== written) return false;
  if (backup === undefined) rmSync(path, { force: true });
  else if (existsSync(backup)) {
    replaceFile(path, readFileSync(backup, "utf8"), statSync(backup).mode & 0o777);
    rmSync(backup);
  } else return false;
  return true;
}

/** A link stays a link: people keep such files in a folder of their own. */
function replaceFile(path: string, text: string, mode: number): void {
  const target = existsSync(path) ? realpathSync(path) : path;
  const temporary = `${target}.${randomBytes(6).toString("hex")}`;
  writeFileSync(temporary, text, { mode, flag: "wx", flush: true });
  renameSync(temporary, target);
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
