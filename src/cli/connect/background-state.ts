// What the server in the background says about itself: background.json in the data folder, written when it listens and
// removed when it stops.

import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isRecord } from "../../core/index.js";

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

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
