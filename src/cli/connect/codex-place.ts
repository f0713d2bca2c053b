// Where Codex is, and whether `askline codex` serves it: then its hook does not ask the same thing before.

import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, posix, win32 } from "node:path";
import type { Place } from "../../agents/set-up/agent.js";
import { codexFolder } from "../../agents/set-up/codex.js";
import { isRecord } from "../../core/kit/json.js";
import { CommandError } from "../world/exit.js";

/** As the person writes it, or the socket in Codex's folder: `unix:PATH` or `ws://HOST:PORT`. */
export function codexAddress(given: string | undefined, place: Place): string {
  const { join } = place.platform === "win32" ? win32 : posix;
  if (given === undefined) {
    return `unix:${join(codexFolder(place), "app-server-control", "app-server-control.sock")}`;
  }
  const isUrl = /^wss?:/.test(given) && URL.canParse(given);
  const [, path = ""] = /^unix:(?:\/\/)?(\/.+)$/.exec(given) ?? [];
  if (isUrl) return given;
  if (path !== "") return `unix:${path}`;
  throw new CommandError(
    `"${given}" is not an address; write it like unix:/path/to/socket or ws://127.0.0.1:4500`,
  );
}

function pathOf(data: string): string {
  return join(data, "agents", "codex-bridge.json");
}

export function markBridge(data: string, address: string): void {
  mkdirSync(join(data, "agents"), { recursive: true, mode: 0o700 });
  writeFileSync(pathOf(data), JSON.stringify({ pid: process.pid, address }), { mode: 0o600 });
}

export function unmarkBridge(data: string): void {
  rmSync(pathOf(data), { force: true });
}

/** Whether a bridge to this address runs. The mark of one that was killed does not count. */
export function isBridged(data: string, address: string): boolean {
  try {
    const mark: unknown = JSON.parse(readFileSync(pathOf(data), "utf8"));
    if (!isRecord(mark) || mark.address !== address || typeof mark.pid !== "number") return false;
    process.kill(mark.pid, 0);
    return true;
  } catch {
    return false;
  }
}
