// A pane: the built command in a real pseudo-terminal, read cell by cell.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { spawn } from "@lydell/node-pty";
import xterm from "@xterm/headless";
import { root } from "../run.mjs";

/** The question that most panes show. */
export const AUTH = {
  question: "Which authentication should the API use?",
  header: "Auth",
  options: [
    {
      label: "OAuth",
      description: "People sign in with an account that they have",
      recommended: true,
      preview:
        '```ts\nauth({ kind: "oauth" })\n```\n\n1. a browser opens\n2. they confirm\n3. the command goes on',
    },
    {
      label: "API key",
      description: "One secret for each client, replaced by hand",
      preview: '```ts\nauth({ kind: "key" })\n```\n\nKeys are replaced by hand.',
    },
    { label: "mTLS", description: "Certificates on both sides" },
  ],
};

/** A key that changed nothing on the screen for this long was not taken. */
const AGAIN_MS = 3_000;

/** Runs `askline ask` with an ask from a pipe, or another command line of it, in a home folder of its own. */
export function openPane({ ask, args = ["ask"], columns, rows }) {
  const home = mkdtempSync(join(tmpdir(), "askline-pane-"));
  const screen = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true });
  const command = `"$NODE" "$ASKLINE" ${args.join(" ")}`;
  const line = ask === undefined ? command : `printf '%s' "$ASK" | ${command} >/dev/null`;
  const terminal = spawn("/bin/sh", ["-c", line], {
    cols: columns,
    rows,
    cwd: home,
    env: {
      PATH: process.env.PATH,
      HOME: home,
      TERM: "xterm-256color",
      LANG: "C.UTF-8",
      NODE: process.execPath,
      ASKLINE: join(root, "dist/bin/askline.js"),
      ASK: JSON.stringify(ask ?? {}),
    },
  });
  let heard = 0;
  let hasCursor = false;
  terminal.onData((data) => {
    hasCursor ||= data.includes("\u001b[?25h");
    screen.write(data, () => {
      heard = performance.now();
    });
  });
  let isOver = false;
  const ended = new Promise((resolve) => terminal.onExit(resolve)).then(() => {
    isOver = true;
  });

  async function moment() {
    if (isOver) throw new Error(`the command ended, which showed: ${text()}`);
    await sleep(10);
  }

  /** Resolves once something was shown and then nothing for this long, or at once when the screen is the expected one. */
  async function quiet(milliseconds, expected) {
    while (heard === 0 || performance.now() - heard < milliseconds) {
      if (expected !== undefined && text() === expected) return;
      await moment();
    }
  }

  /** The lines of the screen, without empty ones at the end. */
  function lines() {
    const buffer = screen.buffer.active;
    const all = Array.from({ length: rows }, (_, row) => buffer.getLine(buffer.baseY + row));
    while (all.at(-1)?.translateToString(true).trimEnd() === "") all.pop();
    return all;
  }

  function cursorLine() {
    const buffer = screen.buffer.active;
    return (
      buffer
        .getLine(buffer.baseY + buffer.cursorY)
        ?.translateToString(true)
        .trimEnd() ?? ""
    );
  }

  function text() {
    return lines()
      .map((line) => line.translateToString(true).trimEnd())
      .join("\n");
  }

  return {
    /**
     * Types one key after another, once the screen shows what it begins with: each when the line of the cursor ends with
     * the prompt, or when the screen stands still.
     */
    async type(keys, { begins = "", prompt = "" }) {
      while (!text().includes(begins)) await moment();
      await quiet(300);
      // A form takes no keys before it shows the cursor.
      while (ask !== undefined && prompt === "" && !hasCursor) await moment();
      for (const key of keys) {
        while (!cursorLine().endsWith(prompt)) await moment();
        heard = 0;
        terminal.write(key);
        let typed = performance.now();
        while (heard === 0) {
          await moment();
          // A form or a list that has just opened takes no key, and on a busy machine it is new for longer.
          if (performance.now() - typed < AGAIN_MS) continue;
          terminal.write(key);
          typed = performance.now();
        }
        await quiet(200);
      }
    },
    quiet,
    lines,
    text,
    async close() {
      if (!isOver) terminal.write("\u0003");
      await ended;
      screen.dispose();
      rmSync(home, { recursive: true, force: true });
    },
  };
}
