// The servers that this user runs on this machine: server.json in the data folder, the one that was started last first.
// Every `askline serve` on loopback writes itself there when it listens, and nothing is removed when it ends: whether
// its process still runs is what counts.

import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isRecord } from "../../core/kit/json.js";
import { defined } from "../../core/kit/tools.js";
import { isLoopback } from "../../server/access/hosts.js";
import type { SettingFlags } from "../settings/settings.js";
import { isRunning, readBackground } from "./background-state.js";

export interface LastServer {
  readonly url: string;
  readonly pid: number;
  /** Its address from outside, if it was given one. */
  readonly publicUrl?: string;
  /** Its store, without a password. */
  readonly store?: string;
}

/** How many servers are remembered beside the last. */
const MOST_EARLIER = 8;

function pathOf(data: string): string {
  return join(data, "server.json");
}

export function writeLastServer(data: string, server: LastServer): void {
  const path = pathOf(data);
  const earlier = runningServers(data).filter(({ url }) => url !== server.url);
  const text = JSON.stringify({ ...server, earlier: earlier.slice(0, MOST_EARLIER) });
  writeFileSync(`${path}.${server.pid}`, `${text}\n`, { mode: 0o600 });
  renameSync(`${path}.${server.pid}`, path);
}

/** Those that still run, the one that was started last first. */
function runningServers(data: string): readonly LastServer[] {
  try {
    const last: unknown = JSON.parse(readFileSync(pathOf(data), "utf8"));
    const earlier = isRecord(last) && Array.isArray(last.earlier) ? last.earlier : [];
    return [last, ...earlier].flatMap(readServer).filter(({ pid }) => isRunning(pid));
  } catch {
    return [];
  }
}

function readServer(state: unknown): readonly LastServer[] {
  if (!isRecord(state) || typeof state.url !== "string" || !Number.isSafeInteger(state.pid)) return [];
  const { url } = state;
  // A token must not go elsewhere, whatever the file says.
  if (!URL.canParse(url) || !isLoopback(new URL(url).hostname)) return [];
  const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);
  const more = defined({ publicUrl: text(state.publicUrl), store: text(state.store) });
  return [{ url, pid: Number(state.pid), ...more }];
}

/** What a running server wrote about itself; undefined if none runs there. */
export function runningAt(data: string, url: string | undefined): LastServer | undefined {
  return runningServers(data).find((server) => server.url === url);
}

/** The flags with the store of that server, which may not be the usual one. A file has no password that would be missing. */
export function withStoreOf<Flags extends SettingFlags>(
  flags: Flags,
  data: string,
  url: string | undefined,
): Flags {
  const { store = "" } = runningAt(data, url) ?? {};
  return flags.db === undefined && store.startsWith("sqlite:") ? { ...flags, db: store } : flags;
}

/** The URL of the server that was started last and still runs; undefined if none does. */
export function lastRunning(data: string): string | undefined {
  const [last] = runningServers(data);
  if (last !== undefined) return last.url;
  const background = readBackground(data);
  return background !== undefined && isRunning(background.pid) ? background.url : undefined;
}
