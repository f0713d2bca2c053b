// What the server in the background says about itself: background.json in the data folder, written when it listens and
// removed when it stops.

import { execFileSync } from "node:child_process";
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { isRecord } from "../../core/kit/json.js";

/** What a background server says about itself. */
export interface BackgroundServer {
  readonly pid: number;
  readonly url: string;
  readonly version: string;
  readonly startedAt: number;
  readonly log: string;
}

export function backgroundLog(data: string): string {
  return join(data, "background.log");
}

function statePath(data: string): string {
  return join(data, "background.json");
}

export function readBackground(data: string): BackgroundServer | undefined {
  try {
    const state: unknown = JSON.parse(readFileSync(statePath(data), "utf8"));
    if (!isRecord(state) || typeof state.url !== "string" || !Number.isSafeInteger(state.pid))
      return undefined;
    return state as unknown as BackgroundServer;
  } catch {
    return undefined;
  }
}

export function writeBackground(data: string, state: BackgroundServer): void {
  const path = statePath(data);
  writeFileSync(`${path}.${state.pid}`, `${JSON.stringify(state)}\n`, { mode: 0o600 });
  renameSync(`${path}.${state.pid}`, path);
}

/** Removes the state of this process, not that of a server which has replaced it. */
export function clearBackground(data: string, pid: number): void {
  if (readBackground(data)?.pid === pid) rmSync(statePath(data), { force: true });
}

const STOP_WITHIN_MS = 15_000;
const LOOK_MS = 50;

/** Whether the process is still that server: after a kill, its id may belong to another program. */
export function isBackground({ pid }: BackgroundServer): boolean {
  return isRunning(pid) && / serve --background( |$)/.test(commandOf(pid));
}

/** Stops a background server and waits until it has ended; false if it still runs after a while. */
export async function stopBackground({ pid }: BackgroundServer): Promise<boolean> {
  process.kill(pid, "SIGTERM");
  const until = performance.now() + STOP_WITHIN_MS;
  while (isRunning(pid) && performance.now() < until) await pause(LOOK_MS);
  return !isRunning(pid);
}

/** The command line of a process; empty if it cannot be read. */
function commandOf(pid: number): string {
  try {
    if (process.platform === "linux") {
      return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trimEnd();
    }
    return execFileSync("ps", ["-ww", "-o", "args=", "-p", String(pid)], { encoding: "utf8" }).trimEnd();
  } catch {
    return "";
  }
}

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // One that has ended stays listed until somebody asks for its exit code, which not every container does.
    return process.platform !== "linux" || commandOf(pid) !== "";
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
