import { closeSync, fstatSync, openSync } from "node:fs";
import { readFile, statfs } from "node:fs/promises";
import { homedir, networkInterfaces, userInfo } from "node:os";
import { isatty, ReadStream, WriteStream } from "node:tty";
import { machineClock } from "../../hub/seam/machine-clock.js";
import { FAULT_EXIT_CODE, type InterruptSignal, SIGNAL_EXIT_CODES } from "./exit.js";
import type { Interruption, Terminal, World } from "./world.js";

/** The world of a real process. */
export function processWorld(): World {
  return {
    // Getters, because opening a standard stream takes time and not every command needs it.
    get stdin() {
      return process.stdin;
    },
    get stdout() {
      return process.stdout;
    },
    get stderr() {
      return process.stderr;
    },
    get hasInput() {
      return !isNullDevice(0);
    },
    get user() {
      return userName();
    },
    get home() {
      return homedir();
    },
    get folder() {
      return process.cwd();
    },
    environment: process.env,
    clock: machineClock(),
    nodeVersion: process.version,
    get userId() {
      return process.getuid?.();
    },
    readFile: (path) => readFile(path, "utf8"),
    networkAddresses: () =>
      Object.values(networkInterfaces())
        .flatMap((addresses) => addresses ?? [])
        .filter(({ family, internal }) => family === "IPv4" && !internal)
        .map(({ address }) => address),
    async freeSpace(folder) {
      const { bavail, bsize } = await statfs(folder);
      return bavail * bsize;
    },
    openTerminal,
    interruption,
    suspension,
  };
}

function isNullDevice(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isCharacterDevice() && !isatty(descriptor);
  } catch {
    return false;
  }
}

function userName(): string {
  try {
    return userInfo().username || "local";
  } catch {
    // A container may run as a user id without a name.
    return "local";
  }
}

const CONTROLLING_TERMINAL = "/dev/tty";

function openTerminal(): Terminal | undefined {
  const opened: number[] = [];
  try {
    for (const mode of ["r", "w"]) opened.push(openSync(CONTROLLING_TERMINAL, mode));
    const [reading = -1, writing = -1] = opened;
    if (isatty(reading) && isatty(writing)) {
      const input = new ReadStream(reading);
      const output = new WriteStream(writing);
      output.on("error", () => undefined);
      return {
        input,
        output,
        close() {
          input.destroy();
          output.destroy();
        },
      };
    }
  } catch {
    // No such device, or the process has no controlling terminal.
  }
  for (const descriptor of opened) closeSync(descriptor);
  return undefined;
}

// npm forwards a Ctrl-C that the terminal has already sent to its child, so one key press arrives as two signals.
const SAME_SIGNAL_MS = 200;

function interruption(): Interruption {
  const controller = new AbortController();
  let received: InterruptSignal | undefined;
  let receivedAt = 0;
  const names = Object.keys(SIGNAL_EXIT_CODES) as InterruptSignal[];
  const listener = (name: NodeJS.Signals): void => {
    const again = names.find((known) => known === name);
    if (again === undefined || (received === again && performance.now() - receivedAt < SAME_SIGNAL_MS))
      return;
    // A second signal ends the process immediately.
    if (received !== undefined) process.exit(SIGNAL_EXIT_CODES[again]);
    received = again;
    receivedAt = performance.now();
    controller.abort();
  };
  const dispose = (): void => {
    for (const name of names) process.off(name, listener);
  };
  for (const name of names) process.on(name, listener);
  const endWithin = (milliseconds: number, say: () => void, exitCode: number = FAULT_EXIT_CODE): void => {
    const giveUp = (): void => {
      say();
      process.exit(exitCode);
    };
    // The timer must not keep the process alive.
    setTimeout(giveUp, milliseconds).unref();
  };
  return { signal: controller.signal, received: () => received, endWithin, dispose };
}

function suspension(leave: () => void, back: () => void): () => void {
  const stop = (): void => {
    leave();
    // A process that handles SIGTSTP is not stopped by it.
    process.kill(process.pid, "SIGSTOP");
  };
  process.on("SIGTSTP", stop).on("SIGCONT", back);
  return () => void process.off("SIGTSTP", stop).off("SIGCONT", back);
}
