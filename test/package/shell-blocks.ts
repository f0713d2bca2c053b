// Runs a shell block with stand-ins for all programs, which note how they were called: the shell itself expands
// variables, quotes, pipes and substitutions. A program that no stand-in exists for fails the block.
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** What readers of the documents have: our commands, and usual tools. Builtins such as printf are the shell's own. */
const PROGRAMS = [
  ...["askline", "askline-admin", "ask_user", "npx", "npm", "node", "claude", "codex", "opencode", "python3"],
  ...[
    "apt-get",
    "useradd",
    "install",
    "runuser",
    "sudo",
    "chown",
    "chmod",
    "systemctl",
    "journalctl",
    "nginx",
  ],
  ...[
    "curl",
    "docker",
    "openssl",
    "jq",
    "gzip",
    "date",
    "grep",
    "cat",
    "createdb",
    "pg_dump",
    "git",
    "caddy",
  ],
];
// One write for each call, so that the programs of a pipe do not mix theirs.
const STAND_IN = `#!/bin/sh
printf '%s\\0' "\${0##*/}" "$@" '
' >> "$CALLS"
`;
const VARIABLES = {
  ID: "ask_1",
  TOKEN: "token",
  AGENT_TOKEN: "token",
  PERSON_TOKEN: "token",
  ASKLINE_TOKEN: "token",
};

export interface ShellResult {
  readonly calls: readonly (readonly string[])[];
  /** What the shell itself reported, such as an unknown program; empty if all is well. */
  readonly problems: string;
}

export interface Shell {
  run(block: string): ShellResult;
  close(): void;
}

export function openShell(): Shell {
  const folder = mkdtempSync(join(tmpdir(), "askline-shell-"));
  const [bin, home, calls] = [join(folder, "bin"), join(folder, "home"), join(folder, "calls")];
  mkdirSync(bin);
  mkdirSync(home);
  for (const name of [...PROGRAMS.map((program) => join(bin, program)), join(home, "deploy")]) {
    writeFileSync(name, STAND_IN);
    chmodSync(name, 0o755);
  }
  // Files of the reader that blocks read.
  for (const name of ["task.md", "event.json"]) writeFileSync(join(home, name), "");
  return {
    run(block) {
      rmSync(calls, { force: true });
      const { stderr } = spawnSync("/bin/sh", ["-c", block], {
        cwd: home,
        env: { ...VARIABLES, PATH: bin, HOME: home, CALLS: calls },
        encoding: "utf8",
      });
      const text = existsSync(calls) ? readFileSync(calls, "utf8") : "";
      const noted = text.split("\n\0").map((call) => call.split("\0").slice(0, -1));
      return { calls: noted.filter((words) => words.length > 0), problems: stderr.trim() };
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** The arguments of `askline` in a call of it, also through npx, docker, node or an MCP client; undefined if it has none. */
export function asklineArguments(call: readonly string[]): readonly string[] | undefined {
  const [program = "", ...args] = call;
  if (program === "askline" || program === "askline-admin") return args;
  const at =
    program === "npx"
      ? args.indexOf("askline")
      : args.findLastIndex((word) => word === "askline" || word.endsWith("/askline.js"));
  const isRun =
    program === "npx" || program === "node" || (program === "docker" && /^(run|exec)$/.test(args[1] ?? ""));
  const isAdded = (program === "claude" || program === "codex") && args[at - 1] === "--";
  return at >= 0 && (isRun || isAdded) ? args.slice(at + 1) : undefined;
}
