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
  /** Its address from outside, if it was given one. */
  readonly publicUrl?: string;
}

function pathOf(data: string): string {
  return join(data, "server.json");
}

export function writeLastServer(data: string, server: LastServer): void {
  const path = pathOf(data);
  writeFileSync(`${path}.${server.pid}`, `${JSON.stringify(server)}\n`, { mode: 0o600 });
  renameSync(`${path}.${server.pid}`, path);
}

function readLastServer(data: string): LastServer | undefined {
  try {
    const state: unknown = JSON.parse(readFileSync(pathOf(data), "utf8"));
    if (!isRecord(state) || typeof state.url !== "string" || !Number.isSafeInteger(state.pid))
      return undefined;
    // A token must not go elsewhere, whatever the file says.
    if (!isLoopback(new URL(state.url).hostname)) return undefined;
    const { url, publicUrl } = state;
    return { url, pid: Number(state.pid), ...(typeof publicUrl === "string" && { publicUrl }) };
  } catch {
    return undefined;
  }
}

/** The address from outside of a running server; undefined if it has none, or does not run. */
export function publicUrlOf(data: string, url: string): string | undefined {
  const last = readLastServer(data);
  return last?.url === url && isRunning(last.pid) ? last.publicUrl : undefined;
}

/** The URL of the server that was started last and still runs; undefined if none does. */
export function lastRunning(data: string): string | undefined {
  return [readLastServer(data), readBackground(data)].find(
    (server) => server !== undefined && isRunning(server.pid),
  )?.url;
}
