// The seam between a surface and a terminal, and the terminal that this process runs in.
//
// closed --open-->             open       (raw mode, bracketed paste, the keyboard protocol)
// open   --close, exit, signal--> closed  (every mode is as it was)
// open   --SIGTSTP-->          stopped    (every mode is as it was; the shell has the terminal)
// stopped --SIGCONT-->         open

import type { Readable, Writable } from "node:stream";
import type { Capabilities } from "./capabilities.js";

export interface TerminalListener {
  input(bytes: Uint8Array): void;
  resize(): void;
  /** The terminal is about to be given back, because the process stops or ends: the last chance to write. */
  release(): void;
  /** A stopped process goes on, and others may have written on the screen. */
  resume(): void;
  /** The terminal is gone, or a signal has taken it away and the process goes on without it; at most once. */
  end(): void;
}

export interface Terminal {
  /** 80 where the terminal does not say. */
  readonly columns: number;
  /** 24 where the terminal does not say. */
  readonly rows: number;
  write(text: string): void;
  /** Takes the terminal over: keys arrive one by one, and are not echoed. One listener at a time. */
  open(listener: TerminalListener): void;
  /** Gives it back as it was; safe to call twice. */
  close(): void;
  /** What Ctrl+Z does outside of raw mode: stops this process and those it runs with. Windows has no such thing. */
  suspend(): void;
}

export type TerminalInput = Readable & { readonly isRaw?: boolean; setRawMode?(on: boolean): unknown };
export type TerminalOutput = Writable & { readonly columns?: number; readonly rows?: number };

export interface NodeTerminalOptions {
  readonly input: TerminalInput;
  readonly output: TerminalOutput;
  readonly capabilities: Pick<Capabilities, "bracketedPaste" | "keyboard">;
}

// These end the process by default, without the event `exit`.
const ENDING = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"] as const;

/**
 * The terminal on two streams of this process. However the process ends, but for SIGKILL, the modes are restored:
 * on `close`, on exit, on an uncaught error, on a signal. A signal that nobody else listens to still ends it.
 */
export function nodeTerminal({ input, output, capabilities }: NodeTerminalOptions): Terminal {
  const modes = modeSequences(capabilities);
  let listener: TerminalListener | undefined;
  let wasRaw = false;
  let taken = false;
  let ended = false;

  const take = (): void => {
    taken = true;
    wasRaw = input.isRaw === true;
    input.setRawMode?.(true);
    output.write(modes.on);
  };
  const release = (): void => {
    if (!taken) return;
    try {
      listener?.release();
    } finally {
      giveBack();
    }
  };
  const giveBack = (): void => {
    if (!taken) return;
    taken = false;
    // The next reader decides what to show; the cursor is visible and lines wrap again in any case.
    output.write(modes.off);
    if (!input.destroyed) input.setRawMode?.(wasRaw);
  };
  const receive = (chunk: Buffer | string): void =>
    listener?.input(typeof chunk === "string" ? Buffer.from(chunk) : chunk);
  const resize = (): void => listener?.resize();
  // A stream ends, closes and fails in any order: once is enough.
  const end = (): void => {
    const ending = ended ? undefined : listener;
    ended = true;
    ending?.end();
  };
  const stop = (): void => {
    release();
    process.kill(process.pid, "SIGSTOP");
  };
  const goOn = (): void => {
    if (taken || listener === undefined) return;
    take();
    listener.resume();
  };
  const endBySignal = (signal: NodeJS.Signals): void => {
    release();
    // Somebody else decides what the signal means.
    if (process.listenerCount(signal) > 1) end();
    terminal.close();
    if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
  };

  const terminal: Terminal = {
    get columns() {
      return output.columns || 80;
    },
    get rows() {
      return output.rows || 24;
    },
    write(text) {
      output.write(text);
    },
    open(newListener) {
      if (listener !== undefined) throw new Error("the terminal is open already; close it first");
      listener = newListener;
      ended = false;
      process.on("exit", release).on("SIGTSTP", stop).on("SIGCONT", goOn);
      for (const signal of ENDING) process.on(signal, endBySignal);
      output.on("resize", resize).on("error", end);
      input.on("data", receive).on("end", end).on("close", end).on("error", end);
      take();
      input.resume();
    },
    close() {
      if (listener === undefined) return;
      listener = undefined;
      input.off("data", receive).off("end", end).off("close", end).off("error", end);
      input.pause();
      output.off("resize", resize).off("error", end);
      process.off("exit", release).off("SIGTSTP", stop).off("SIGCONT", goOn);
      for (const signal of ENDING) process.off(signal, endBySignal);
      giveBack();
    },
    suspend() {
      // To the whole group, as a terminal does it: a shell waits until all of a job have stopped.
      if (process.platform !== "win32") process.kill(0, "SIGTSTP");
    },
  };
  return terminal;
}

function modeSequences({ bracketedPaste, keyboard }: NodeTerminalOptions["capabilities"]): {
  readonly on: string;
  readonly off: string;
} {
  const on = [
    bracketedPaste ? "\x1b[?2004h" : "",
    { kitty: "\x1b[>1u", modifyOtherKeys: "\x1b[>4;1m", plain: "" }[keyboard],
  ];
  const off = [
    { kitty: "\x1b[<u", modifyOtherKeys: "\x1b[>4;0m", plain: "" }[keyboard],
    bracketedPaste ? "\x1b[?2004l" : "",
    "\x1b[?7h\x1b[?25h",
  ];
  return { on: on.join(""), off: off.join("") };
}
