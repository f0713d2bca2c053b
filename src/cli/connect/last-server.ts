// The server that this user ran last on this machine: server.json in the data folder. Every `askline serve` on loopback
// writes it when it listens, and nothing removes it: whether that process still runs is what counts.

import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isRecord } from "../../core/index.js";
import { isLoopback } from "../../server/access/hosts.js";
import { isRunning, readBackground } from "./background-state.js";

export interface LastServer {
  readonly url: string;
  readonly pid: number;
}

function pathOf(data: string): string {
  return join(data, "server.json");
}

export function writeLastServer(data: string, { url, pid }: LastServer): void {
  const path = pathOf(data);
  writeFileSync(`${path}.${pid}`, `${JSON.stringify({ url, pid })}\n`, { mode: 0o600 });
  renameSync(`${path}.${pid}`, path);
}

function readLastServer(data: string): LastServer | undefined {
  try {
    const state: unknown = JSON.parse(readFileSync(pathOf(data), "utf8"));
    if (!isRecord(state) || typeof state.url !== "string" || !Number.isSafeInteger(state.pid))
      return undefined;
    // A token must not go elsewhere, whatever the file says.
    return isLoopback(new URL(state.url).hostname) ? { url: state.url, pid: Number(state.pid) } : undefined;
  } catch {
    return undefined;
  }
}

/** The URL of the server that was started last and still runs; undefined if none does. */
export function lastRunning(data: string): string | undefined {
  return [readLastServer(data), readBackground(data)].find(
    (server) => server !== undefined && isRunning(server.pid),
  )?.url;
}
