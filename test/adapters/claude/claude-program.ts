// The real Claude Code in a pseudo-terminal, with a home folder of its own.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { spawn } from "@lydell/node-pty";
import headless from "@xterm/headless";

const { Terminal } = headless;

const KEY = "sk-ant-api03-askline-loopback-0123456789abcdefghij";

export interface ClaudeHome {
  readonly home: string;
  readonly project: string;
  readonly environment: Record<string, string>;
  remove(): void;
}

/** A home folder in which Claude Code starts without questions, and a trusted project. */
export function createClaudeHome(modelUrl: string, settings: object = {}): ClaudeHome {
  const home = mkdtempSync(join(tmpdir(), "askline-claude-"));
  const project = join(home, "project");
  mkdirSync(project);
  mkdirSync(join(home, ".claude"));
  writeFileSync(join(home, ".claude", "settings.json"), JSON.stringify(settings, null, 2));
  const state = {
    hasCompletedOnboarding: true,
    theme: "dark",
    customApiKeyResponses: { approved: [KEY.slice(-20)], rejected: [] },
    projects: { [project]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } },
  };
  writeFileSync(join(home, ".claude.json"), JSON.stringify(state));
  const environment = {
    HOME: home,
    PATH: process.env.PATH ?? "",
    TERM: "xterm-256color",
    ANTHROPIC_BASE_URL: modelUrl,
    ANTHROPIC_API_KEY: KEY,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
  };
  return {
    ...{ home, project, environment },
    remove: () => rmSync(home, { recursive: true, force: true, maxRetries: 5 }),
  };
}

export interface ClaudeTerminal {
  screen(): string;
  type(text: string): void;
  /** Resolves when the screen shows a text; rejects with the screen otherwise. */
  shows(text: string | RegExp, withinMs?: number): Promise<void>;
  readonly exited: Promise<void>;
  kill(): void;
}

export function startClaude(
  binary: string,
  { project, environment }: ClaudeHome,
  args: readonly string[] = [],
): ClaudeTerminal {
  const terminal = new Terminal({ cols: 120, rows: 45, allowProposedApi: true });
  const program = spawn(binary, [...args], {
    ...{ name: "xterm-256color", cols: 120, rows: 45, cwd: project, env: environment },
  });
  const changed = new Set<() => void>();
  program.onData((data) =>
    terminal.write(data, () => {
      for (const look of [...changed]) look();
    }),
  );
  terminal.onData((reply) => program.write(reply));
  const exited = new Promise<void>((resolve) => {
    program.onExit(() => resolve());
  });
  const screen = (): string => {
    const { active } = terminal.buffer;
    return Array.from({ length: active.length }, (_, row) => active.getLine(row)?.translateToString(true))
      .join("\n")
      .trimEnd();
  };
  return {
    screen,
    type: (text) => program.write(text),
    shows(text, withinMs = 60_000) {
      const isShown = (): boolean =>
        typeof text === "string" ? screen().includes(text) : text.test(screen());
      return new Promise((resolve, reject) => {
        const look = (): void => {
          if (!isShown()) return;
          stop();
          resolve();
        };
        const timer = setTimeout(() => {
          stop();
          reject(new Error(`the screen does not show ${String(text)}:\n${screen()}`));
        }, withinMs);
        const stop = (): void => {
          clearTimeout(timer);
          changed.delete(look);
        };
        changed.add(look);
        look();
      });
    },
    exited,
    kill: () => program.kill("SIGKILL"),
  };
}
