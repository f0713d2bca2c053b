// The server that commands start in the background when none runs: one per data folder, however many start at once.
//
//   absent --a command needs a server, and has the lock--> starting --it listens--> running (background.json)
//   running --30 idle minutes without pending asks, "askline stop", or a signal--> absent
//           --killed--> background.json stays, and the next command finds that nobody answers

import { spawn, spawnSync } from "node:child_process";
import {
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { isRecord } from "../../core/kit/json.js";
import { isLoopback } from "../../server/access/hosts.js";
import type { Settings } from "../settings/settings.js";
import { CommandError, FAULT_EXIT_CODE } from "../world/exit.js";
import {
  type BackgroundServer,
  backgroundLog,
  isBackground,
  isRunning,
  readBackground,
  stopBackground,
} from "./background-state.js";
import { knownServers, readCredentials, type ServerCredentials } from "./credentials.js";
import { lastRunning } from "./last-server.js";
import { localUrl } from "./open-client.js";
import { serverFetch, TOO_OLD } from "./server-fetch.js";

/** A server on this machine that answers, with the tokens for it. */
export interface LocalServer {
  readonly url: string;
  readonly credentials: ServerCredentials;
  readonly version?: string;
  /** Present if it is the background server. */
  readonly background?: BackgroundServer;
  /** Whether this call started it. */
  readonly started: boolean;
}

const PROBE_MS = 2_000;

/** The version of the server at a URL; undefined if no server answers there with this token. */
export async function probe(
  data: string,
  url: string,
  token: string,
): Promise<{ readonly version?: string } | undefined> {
  try {
    const response = await serverFetch(data, url)(`${url}/v1/server`, {
      headers: { authorization: `Bearer ${token}` },
      redirect: "manual",
      signal: AbortSignal.timeout(PROBE_MS),
    });
    const body: unknown = response.ok ? await response.json() : undefined;
    if (!isRecord(body)) return undefined;
    return typeof body.version === "string" ? { version: body.version } : {};
  } catch {
    return undefined;
  }
}

/** The running server of this user: the one started last, the background one, the configured one, or another in the credentials file. */
export async function findLocalServer(settings: Settings): Promise<LocalServer | undefined> {
  const { data } = settings;
  const background = readBackground(data);
  const last = lastRunning(data);
  const urls = [
    ...(last === undefined ? [] : [last]),
    ...(background === undefined ? [] : [background.url]),
    localUrl(settings),
    ...knownServers(data),
  ];
  for (const url of new Set(urls)) {
    if (!isLoopback(new URL(url).hostname)) continue;
    const credentials = readCredentials(data, url);
    const found = credentials === undefined ? undefined : await probe(data, url, credentials.agent);
    if (found === undefined || credentials === undefined) continue;
    const own = background?.url === url ? { background } : {};
    return { url, credentials, ...found, ...own, started: false };
  }
  return undefined;
}

export interface StartOptions {
  readonly settings: Settings;
  /** Flags of `askline serve` that select the same store and data folder. */
  readonly flags: readonly string[];
  readonly signal?: AbortSignal;
}

const START_WITHIN_MS = 20_000;
const LOOK_MS = 50;

/** Finds the running server of this user, or starts one in the background. */
export async function ensureLocalServer({ settings, flags, signal }: StartOptions): Promise<LocalServer> {
  const until = performance.now() + START_WITHIN_MS;
  for (;;) {
    const found = await findLocalServer(settings);
    if (found !== undefined) return found;
    if (signal?.aborted || performance.now() > until) throw notStarted(settings.data);
    const unlock = lock(settings.data);
    if (unlock === undefined) {
      await pause(LOOK_MS);
      continue;
    }
    try {
      // Another command may have started it just before this one got the lock.
      const meanwhile = await findLocalServer(settings);
      if (meanwhile !== undefined) return meanwhile;
      await replaceOutdated(settings.data);
      return await start(settings, flags, until);
    } finally {
      unlock();
    }
  }
}

/**
 * Refuses a running server of an older version, which cannot prove itself: only its restart helps. One in the background
 * is stopped, so that the new version takes its place.
 */
export async function replaceOutdated(data: string, mayStop = true): Promise<void> {
  const url = lastRunning(data);
  if (url === undefined || readCredentials(data, url)?.proof !== undefined) return;
  const state = readBackground(data);
  if (mayStop && state?.url === url && isBackground(state) && (await stopBackground(state))) return;
  const health = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(PROBE_MS) }).catch(
    () => undefined,
  );
  if (health?.ok) throw new CommandError(`cannot use the server at ${url}: ${TOO_OLD}`, FAULT_EXIT_CODE);
}

async function start(settings: Settings, flags: readonly string[], until: number): Promise<LocalServer> {
  const { data } = settings;
  mkdirSync(data, { recursive: true, mode: 0o700 });
  const log = openSync(backgroundLog(data), "a", 0o600);
  const command = [realpathSync(process.argv[1] ?? ""), "serve", "--background", ...flags];
  // Not the folder of a project, whose askline.config.json is not meant for this server.
  const pid = spawnOrphan([process.execPath, ...command], data, log);
  closeSync(log);
  while (performance.now() < until && isRunning(pid)) {
    if (readBackground(data)?.pid === pid) {
      const found = await findLocalServer(settings);
      if (found !== undefined) return { ...found, started: true };
    }
    await pause(LOOK_MS);
  }
  throw notStarted(data);
}

/**
 * Starts a process in a session of its own that is nobody's child, and returns its id: agents end all descendants of the
 * commands that they started.
 */
function spawnOrphan(command: readonly [string, ...string[]], cwd: string, log: number): number {
  if (process.platform === "win32") {
    const [program, ...args] = command;
    const child = spawn(program, args, { cwd, detached: true, stdio: ["ignore", log, log] });
    child.once("error", () => undefined).unref();
    return child.pid ?? Number.NaN;
  }
  // The shell ends at once.
  const { stdout } = spawnSync("/bin/sh", ["-c", '"$@" >&2 & echo $!', "sh", ...command], {
    ...{ cwd, detached: true, encoding: "utf8", stdio: ["ignore", "pipe", log] },
  });
  return Number(stdout);
}

function notStarted(data: string): CommandError {
  return new CommandError(
    `the background server did not start; its log says why: ${backgroundLog(data)}. Or start one yourself: askline serve`,
    FAULT_EXIT_CODE,
  );
}

/** Longer than any start takes: a lock this old was left by a killed process. */
const STALE_LOCK_MS = START_WITHIN_MS * 2;

/** Takes the lock to start a server; undefined if another process has it. */
function lock(data: string): (() => void) | undefined {
  mkdirSync(data, { recursive: true, mode: 0o700 });
  const path = join(data, "background.lock");
  try {
    writeFileSync(path, String(process.pid), { flag: "wx", mode: 0o600 });
    return () => rmSync(path, { force: true });
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
  try {
    const age = Math.abs(Date.now() - statSync(path).mtimeMs);
    const owner = Number(readFileSync(path, "utf8"));
    // An empty file was created a moment ago, and its owner has not written its id yet.
    if (age > STALE_LOCK_MS || (owner > 0 && !isRunning(owner))) rmSync(path, { force: true });
  } catch {
    // It was released meanwhile.
  }
  return undefined;
}
