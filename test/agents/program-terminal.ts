// A real coding agent in a pseudo-terminal, read from the cells of its screen.

import { spawn } from "@lydell/node-pty";
import headless from "@xterm/headless";
import { WAIT_MS } from "../support/limits.ts";

const { Terminal } = headless;

export interface ProgramTerminal {
  screen(): string;
  type(text: string): void;
  /** Resolves when the screen shows a text; rejects with the screen otherwise. */
  shows(text: string | RegExp, withinMs?: number): Promise<void>;
  readonly exited: Promise<void>;
  kill(): void;
}

export function startInTerminal(
  program: string,
  args: readonly string[],
  { project, environment }: { readonly project: string; readonly environment: Record<string, string> },
): ProgramTerminal {
  const terminal = new Terminal({ cols: 120, rows: 45, allowProposedApi: true });
  const running = spawn(program, [...args], {
    ...{ name: "xterm-256color", cols: 120, rows: 45, cwd: project, env: environment },
  });
  const changed = new Set<() => void>();
  running.onData((data) =>
    terminal.write(data, () => {
      for (const look of [...changed]) look();
    }),
  );
  terminal.onData((reply) => running.write(reply));
  const exited = new Promise<void>((resolve) => {
    running.onExit(() => resolve());
  });
  const screen = (): string => {
    const { active } = terminal.buffer;
    return Array.from({ length: active.length }, (_, row) => active.getLine(row)?.translateToString(true))
      .join("\n")
      .trimEnd();
  };
  return {
    screen,
    type: (text) => running.write(text),
    shows(text, withinMs = WAIT_MS) {
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
    kill: () => running.kill("SIGKILL"),
  };
}
