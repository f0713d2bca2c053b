// Signs what travels through MCP clients: a form or a card of an earlier process of `askline mcp` still counts.

import { randomBytes } from "node:crypto";
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The secret of this user; undefined where the data folder cannot be written. */
export function mcpSecret(data: string): string | undefined {
  const path = join(data, "mcp.secret");
  const temporary = `${path}.${randomBytes(6).toString("hex")}`;
  try {
    mkdirSync(data, { recursive: true, mode: 0o700 });
    const known = read(path);
    if (known !== undefined) return known;
    writeFileSync(temporary, randomBytes(32).toString("base64url"), { mode: 0o600, flag: "wx", flush: true });
    // Fails if another command was faster; then that one's secret is used.
    linkSync(temporary, path);
  } catch {
    // A new secret for each process is enough to ask; what is open in a client does not survive a restart.
  } finally {
    rmSync(temporary, { force: true });
  }
  return read(path);
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
