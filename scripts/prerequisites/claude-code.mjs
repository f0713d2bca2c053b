// The real Claude Code, for `npm run soak -- claude`: one binary of 349 MB, installed once into a cache.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

export const CLAUDE_CODE_VERSION = "2.1.325";

/** The path of the binary. Throws, with what to do, if it cannot be installed. */
export function ensureClaudeCode() {
  const name = `@anthropic-ai/claude-code-${process.platform}-${process.arch}`;
  const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache");
  const folder = join(cache, "askline", `claude-code-${CLAUDE_CODE_VERSION}`);
  const binary = join(folder, "node_modules", name, process.platform === "win32" ? "claude.exe" : "claude");
  if (existsSync(binary)) return binary;
  console.log(`installing ${name}@${CLAUDE_CODE_VERSION} into ${folder}, once (349 MB)`);
  mkdirSync(folder, { recursive: true });
  const args = [
    "install",
    "--prefix",
    folder,
    "--no-save",
    "--loglevel=error",
    `${name}@${CLAUDE_CODE_VERSION}`,
  ];
  const { status, error } = spawnSync("npm", args, { stdio: ["ignore", "inherit", "inherit"] });
  if (error ?? status !== 0) throw new Error(`${name} could not be installed; run: npm ${args.join(" ")}`);
  return binary;
}
