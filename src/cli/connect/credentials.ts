// The tokens that the first start of `askline serve` writes and the other commands use: one file for all servers of
// this user, by URL. It is readable only by its owner and always replaced as a whole.

import { randomBytes } from "node:crypto";
import { closeSync, openSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { serverOrigin } from "../../client/local-server.js";
import { isRecord } from "../../core/kit/json.js";
import { messageOf } from "../../core/kit/tools.js";
import { CommandError, FAULT_EXIT_CODE } from "../world/exit.js";

/** An agent and a person never use the same token. */
export type CredentialRole = "agent" | "person";

export interface ServerCredentials {
  readonly agent: string;
  /** Absent with `askline serve --no-person-file`. */
  readonly person?: string;
  /** An id and its key, by which the server proves itself; absent in a file of an older version. */
  readonly proof?: string;
}

type Credentials = Readonly<Record<string, ServerCredentials>>;

export function credentialsPath(dataFolder: string): string {
  return join(dataFolder, "credentials.json");
}

/** The tokens for a server; undefined if there are none. */
export function readCredentials(dataFolder: string, url: string): ServerCredentials | undefined {
  return readFile(credentialsPath(dataFolder))[serverOrigin(url)];
}

/** The URLs of all servers in the credentials file. */
export function knownServers(dataFolder: string): readonly string[] {
  return Object.keys(readFile(credentialsPath(dataFolder)));
}

/** Writes the tokens for a server and keeps those for other servers. */
export async function writeCredentials(
  dataFolder: string,
  url: string,
  credentials: ServerCredentials,
): Promise<void> {
  const path = credentialsPath(dataFolder);
  await withFileLock(path, () => {
    const servers = { ...readFile(path), [serverOrigin(url)]: credentials };
    writePrivateFile(path, `${JSON.stringify({ version: 1, servers }, undefined, 2)}\n`);
  });
  for (const role of ["agent", "person"] as const) {
    const token = credentials[role];
    const headers = headersPath(dataFolder, url, role);
    if (token === undefined) rmSync(headers, { force: true });
    else writePrivateFile(headers, headersText(token));
  }
}

/** A file of headers for `curl -H @FILE`, which keeps tokens out of command lines and shell histories. */
export function headersPath(dataFolder: string, url: string, role: CredentialRole): string {
  const { hostname, port, protocol } = new URL(url);
  const host = isLocalName(hostname) ? "" : `${hostname.replace(/[^\w.-]/g, "_")}-`;
  return join(dataFolder, `${role}-${host}${port || (protocol === "https:" ? 443 : 80)}.headers`);
}

function headersText(token: string): string {
  return `Authorization: Bearer ${token}\nContent-Type: application/json\n`;
}

function isLocalName(hostname: string): boolean {
  return hostname === "localhost" || hostname === "127.0.0.1";
}

function readFile(path: string): Credentials {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return {};
    throw damaged(path, error);
  }
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (error) {
    // The parser's message would show a part of the file.
    throw damaged(path, error, "it is not JSON");
  }
  const servers = isRecord(document) ? document.servers : undefined;
  if (!isRecord(servers) || !Object.values(servers).every(isServerCredentials)) {
    throw damaged(path, undefined, "it does not contain tokens by server");
  }
  return servers as Credentials;
}

function isServerCredentials(value: unknown): value is ServerCredentials {
  if (!isRecord(value) || typeof value.agent !== "string") return false;
  return [value.person, value.proof].every((text) => text === undefined || typeof text === "string");
}

function damaged(path: string, cause: unknown, reason?: string): CommandError {
  const why = reason ?? messageOf(cause);
  return new CommandError(
    `the credentials file ${path} cannot be read (${why}); fix it, or remove it and restart "askline serve"`,
    FAULT_EXIT_CODE,
    { cause },
  );
}

/** Replaces a file atomically, readable only by its owner. */
function writePrivateFile(path: string, text: string): void {
  const temporary = `${path}.${randomBytes(6).toString("hex")}`;
  try {
    writeFileSync(temporary, text, { mode: 0o600, flag: "wx", flush: true });
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

// A lock is held for a moment, so an older one was left by a killed process. One from the future was written while the
// clock was wrong, and is stale too.
const STALE_MS = 5_000;
const RETRY_MS = 20;

/** Runs one writer of a file at a time, across processes. */
async function withFileLock(path: string, task: () => void): Promise<void> {
  const lock = `${path}.lock`;
  for (;;) {
    try {
      closeSync(openSync(lock, "wx", 0o600));
      break;
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
      if (Math.abs(Date.now() - modifiedAt(lock)) > STALE_MS) rmSync(lock, { force: true });
      else await pause(RETRY_MS);
    }
  }
  try {
    task();
  } finally {
    rmSync(lock, { force: true });
  }
}

function modifiedAt(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
}
