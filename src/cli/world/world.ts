import type { Writable } from "node:stream";
import type { Clock } from "../../core/kit/clock.js";
import type { Input, Output } from "../../people/terminal/dialogue.js";
import type { InterruptSignal } from "./exit.js";

/** Everything outside the process that a command uses; tests pass their own. */
export interface World {
  readonly stdin: Input;
  readonly stdout: Writable & {
    readonly isTTY?: boolean;
    readonly columns?: number;
    readonly rows?: number;
  };
  readonly stderr: Output;
  /** False if stdin is the null device, so that nobody can type or pipe anything into it. */
  readonly hasInput?: boolean;
  readonly clock: Clock;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The current folder; relative paths start from it. */
  readonly folder: string;
  /** The home folder of the user. */
  readonly home: string;
  /** The name of the person at the keyboard. */
  readonly user: string;
  /** The version of Node that runs this, as in `v22.1.0`. */
  readonly nodeVersion: string;
  /** The user id; undefined on systems without one. */
  readonly userId: number | undefined;
  readFile(path: string): Promise<string>;
  /** The IPv4 addresses by which other machines may reach this one. */
  networkAddresses(): readonly string[];
  /** How many bytes are free for this user on the disk of a folder. */
  freeSpace(folder: string): Promise<number>;
  /** The controlling terminal of this process, if there is one. */
  openTerminal(): Terminal | undefined;
  /** Turns the signals that would end the process into an abort, until disposed. */
  interruption(): Interruption;
  /** Calls `leave` before Ctrl-Z stops the process and `back` when it continues, until disposed. */
  suspension?(leave: () => void, back: () => void): () => void;
}

export interface Terminal {
  readonly input: Input;
  readonly output: Output;
  close(): void;
}

export interface Interruption {
  readonly signal: AbortSignal;
  /** The signal that aborted it. */
  received(): InterruptSignal | undefined;
  /** Ends the process after this time, even if something hangs. Calls `say` first. */
  endWithin?(milliseconds: number, say: () => void, exitCode?: number): void;
  dispose(): void;
}
