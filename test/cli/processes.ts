import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { type IPty, spawn as spawnPty } from "@lydell/node-pty";
import { until } from "../server/open-server.ts";

export const ROOT: string = fileURLToPath(new URL("../..", import.meta.url));
export const ASKLINE: string = fileURLToPath(new URL("../../dist/bin/askline.js", import.meta.url));
export const ASK_USER: string = fileURLToPath(new URL("../../dist/bin/ask_user.js", import.meta.url));

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  /** The content of stdin, which then ends. If undefined, stdin stays open. */
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** A process in a new session has no controlling terminal, wherever the tests run. */
  readonly detached?: boolean;
}

export interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  /** Resolves once stderr has shown the text. */
  shows(text: string): Promise<void>;
  /** Resolves with all of stdout once it contains the text; rejects if the process ends before. */
  prints(text: string): Promise<string>;
}

const children = new Set<ChildProcess>();
const terminals = new Set<IPty>();

/** Ends the processes that a failed test left behind; for `afterEach`. */
export function endProcesses(): void {
  for (const child of children) child.kill("SIGKILL");
  for (const terminal of terminals) terminal.kill("SIGKILL");
  children.clear();
  terminals.clear();
}

export function start(script: string, args: readonly string[], options: RunOptions = {}): Running {
  const inherited = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => name !== "TOOLBOX_ACTION" && !name.startsWith("ASKLINE_")),
  );
  const child = spawn(process.execPath, [script, ...args], {
    cwd: options.cwd ?? ROOT,
    env: { ...inherited, ...options.env },
    detached: options.detached ?? false,
  });
  children.add(child);
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk) => {
    stdout += String(chunk);
  });
  child.stderr.on("data", (chunk) => {
    stderr += String(chunk);
  });
  // A process may end without reading its input.
  child.stdin.on("error", () => undefined);
  if (options.input !== undefined) child.stdin.end(options.input);
  return {
    child,
    ended: new Promise((resolve) => {
      child.once("close", (code) => {
        children.delete(child);
        resolve({ code, stdout, stderr });
      });
    }),
    shows: (text) =>
      new Promise((resolve) => {
        const check = (): void => {
          if (!stderr.includes(text)) return;
          child.stderr.off("data", check);
          resolve();
        };
        child.stderr.on("data", check);
        check();
      }),
    prints: (text) =>
      new Promise((resolve, reject) => {
        const check = (): void => {
          if (!stdout.includes(text)) return;
          child.stdout.off("data", check);
          resolve(stdout);
        };
        child.once("close", (code) => reject(new Error(`ended with ${code}: ${stdout}${stderr}`)));
        child.stdout.on("data", check);
        check();
      }),
  };
}

export function run(script: string, args: readonly string[], options: RunOptions = {}): Promise<Ended> {
  return start(script, args, options).ended;
}

export interface TerminalSession {
  /** Everything shown so far. */
  text(): string;
  /** Resolves once the text has been shown `times` times. */
  shows(text: string, times?: number): Promise<void>;
  type(text: string): void;
  resize(columns: number, rows: number): void;
  /** Closes the terminal's window: everything in it gets SIGHUP, and can neither read nor write any more. */
  hangUp(): void;
  readonly ended: Promise<number>;
}

// node-pty drops what was not read when the shell ends, and a busy test may read late. So the shell prints a marker at
// the end and waits until the test has read it.
const ALL_SHOWN = "\u001b]all shown\u0007";
const UNTIL_READ = `ended=$?; printf '\\033]all shown\\007'; read -r _; exit $ended`;

/** Runs a shell line in a real terminal, which is its controlling terminal too. */
export function openTerminal(shellLine: string, columns = 80, rows = 24): TerminalSession {
  const terminal = spawnPty("/bin/sh", ["-c", `${shellLine}\n${UNTIL_READ}`], {
    cols: columns,
    rows,
    cwd: ROOT,
    env: { ...process.env, NODE: process.execPath, ASKLINE },
  });
  terminals.add(terminal);
  let shown = "";
  const waiting = new Set<() => void>();
  let isWhole = false;
  terminal.onData((data) => {
    if (isWhole) return;
    const [text = "", rest] = (shown + data).split(ALL_SHOWN);
    shown = text;
    for (const check of waiting) check();
    if (rest === undefined) return;
    isWhole = true;
    terminal.write("\n");
  });
  return {
    text: () => shown.replaceAll("\r\n", "\n"),
    type: (text) => terminal.write(text),
    resize: (columns, rows) => terminal.resize(columns, rows),
    hangUp: () => terminal.kill("SIGHUP"),
    shows: (text, times = 1) =>
      new Promise((resolve) => {
        const check = (): void => {
          if (shown.split(text).length <= times) return;
          waiting.delete(check);
          resolve();
        };
        waiting.add(check);
        check();
      }),
    ended: new Promise((resolve) => {
      terminal.onExit(({ exitCode }) => {
        terminals.delete(terminal);
        resolve(exitCode);
      });
    }),
  };
}

/** Resolves when the cursor has been shown after the last time that this text was: then keys act. */
export function takesKeys(terminal: TerminalSession, text: string, times = 1): Promise<true> {
  return until(() => {
    const parts = terminal.text().split(text);
    return (parts.length > times && parts.at(-1)?.includes("\u001b[?25h")) || undefined;
  });
}
