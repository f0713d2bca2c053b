import { type ChildProcess, spawn } from "node:child_process";
import { Readable, Writable } from "node:stream";
import type { World } from "../world/world.js";

export interface AgentProcess {
  readonly output: ReadableStream<Uint8Array>;
  readonly input: WritableStream<Uint8Array>;
  /** Resolves to how it ended, such as `ended with exit code 1`. */
  readonly ended: Promise<string>;
  /** Closes its input, and ends it if it does not end by itself. */
  close(): Promise<void>;
}

const END_WITHIN_MS = 2_000;

/** Starts the agent. It is in a process group of its own: a Ctrl-C at the terminal cancels a turn, and not the agent. */
export function startAgent(
  [command = "", ...args]: readonly string[],
  cwd: string,
  world: World,
): AgentProcess {
  const child = spawn(command, args, {
    cwd,
    env: world.environment as NodeJS.ProcessEnv,
    stdio: ["pipe", "pipe", "inherit"],
    detached: process.platform !== "win32",
  });
  // A write to an agent that has ended fails; `ended` says why.
  child.stdin.on("error", () => undefined);
  const ended = new Promise<string>((resolve) => {
    child.once("error", (error: NodeJS.ErrnoException) =>
      resolve(error.code === "ENOENT" ? "was not found" : `could not be started (${error.message})`),
    );
    child.once("exit", (code, signal) =>
      resolve(signal === null ? `ended with exit code ${code}` : `was ended by ${signal}`),
    );
  });
  return {
    output: Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>,
    input: Writable.toWeb(child.stdin) as WritableStream<Uint8Array>,
    ended,
    async close() {
      child.stdin.end();
      for (const signal of ["SIGTERM", "SIGKILL"] as const) {
        const timer = setTimeout(
          () => kill(child, signal),
          signal === "SIGTERM" ? END_WITHIN_MS / 4 : END_WITHIN_MS,
        );
        void ended.then(() => clearTimeout(timer));
      }
      await ended;
    },
  };
}

function kill(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(process.platform === "win32" ? child.pid : -child.pid, signal);
  } catch {
    // It has ended meanwhile.
  }
}
