// The processes of a soak: started, killed and restarted, whatever state the others are in.

import { type ChildProcess, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { fileURLToPath } from "node:url";

const ASKLINE = fileURLToPath(new URL("../../../dist/bin/askline.js", import.meta.url));
const AGAIN_AFTER_MS = 100;
/** An order to stop that takes longer is a fault of its own; what is killed then is counted as late. */
const STOP_WITHIN_MS = 12_000;

export interface Keeper {
  /** Ends it as the signal does. It is started again by itself. */
  kill(signal: "SIGKILL" | "SIGTERM"): Promise<void>;
  /** Lets it end as it likes to, and does not start it again. */
  finish(): Promise<void>;
  /** Kills it for good. */
  end(): Promise<void>;
  readonly late: number;
}

/**
 * Keeps a process running: whenever it has ended, for whatever reason, the next is started. `finish` tells one to
 * end, `isDone` says whether its end was what it was told; one that ended otherwise has to be started once more.
 */
function keep(
  start: () => ChildProcess,
  finish: (child: ChildProcess) => void,
  isDone: (code: number | null) => boolean,
): Keeper {
  const wish = { finish: false, end: false };
  let late = 0;
  let child: ChildProcess | undefined;
  const running = (async () => {
    while (!wish.end) {
      child = start();
      if (wish.finish) finish(child);
      const [code] = await once(child, "close");
      child = undefined;
      if (wish.finish && isDone(code)) return;
      if (!wish.end) await pause(AGAIN_AFTER_MS);
    }
  })();
  const ended = async (ending: ChildProcess): Promise<void> => {
    if (ending.exitCode !== null || ending.signalCode !== null) return;
    const timer = setTimeout(() => {
      late += 1;
      ending.kill("SIGKILL");
    }, STOP_WITHIN_MS);
    await once(ending, "close");
    clearTimeout(timer);
  };
  return {
    async kill(signal) {
      if (child === undefined) return;
      const ending = ended(child);
      child.kill(signal);
      await ending;
    },
    async finish() {
      wish.finish = true;
      if (child !== undefined) finish(child);
      await running;
    },
    async end() {
      wish.end = true;
      child?.kill("SIGKILL");
      await running;
    },
    get late() {
      return late;
    },
  };
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

export interface ServeOptions {
  readonly data: string;
  readonly port: number;
  readonly db: string;
  /** What it says on stderr is kept here. */
  readonly log: string;
}

/** `askline serve`, with bounds on callers that very few callers who stand for very many do not reach. */
export function keepServer({ data, port, db, log }: ServeOptions): Keeper {
  const limits = [
    "tokenRate",
    "tokenBurst",
    "tokenBytes",
    "tokenBytesBurst",
    "addressRate",
    "addressBurst",
  ].map((name) => `${name}=1000000000`);
  const said = createWriteStream(log, { flags: "a" });
  return keep(
    () => {
      const args = ["serve", "--data", data, "--port", String(port), "--db", db, "--person", "ana", "--json"];
      const env = { ...process.env, ASKLINE_LIMITS: limits.join(",") };
      const child = spawn(process.execPath, [ASKLINE, ...args], { env, stdio: ["ignore", "ignore", "pipe"] });
      child.stderr?.pipe(said, { end: false });
      return child;
    },
    (child) => child.kill("SIGTERM"),
    () => true,
  );
}

/** A program of this folder, told to finish by a message. */
export function keepClient(program: string, options: object): Keeper {
  const path = fileURLToPath(new URL(`./${program}.mjs`, import.meta.url));
  return keep(
    () =>
      fork(path, [JSON.stringify(options)], { execArgv: [], stdio: ["ignore", "ignore", "inherit", "ipc"] }),
    (child) => child.send("finish", () => undefined),
    (code) => code === 0,
  );
}

/** Runs a command to its end, and gives what it printed. */
export async function output(program: string, args: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, [program, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  let printed = "";
  let trouble = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    printed += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    trouble += text;
  });
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`${program} ${args[0]} ended with ${code}: ${trouble}`);
  return printed;
}
