import type { Writable } from "node:stream";
import type { Clock } from "../../core/index.js";
import type { Input, Output } from "../../terminal/index.js";
import type { InterruptSignal } from "./exit.js";

/** Everything outside the process that a command touches; tests bring their own. */
export interface World {
  readonly stdin: Input;
  readonly stdout: Writable & {
    readonly isTTY?: boolean;
    readonly columns?: number;
    readonly rows?: number;
  };
  readonly stderr: Output;
  readonly clock: Clock;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The folder that relative paths start from. */
  readonly folder: string;
  /** The home folder of the user. */
  readonly home: string;
  /** The name of the person at the keyboard. */
  readonly user: string;
  /** The version of Node that runs this, as in `v22.1.0`. */
  readonly nodeVersion: string;
  /** The number of the user; undefined on a system that has none. */
  readonly userId: number | undefined;
  readFile(path: string): Promise<string>;
  /** How many bytes this user may still write to the disk of a folder. */
  freeSpace(folder: string): Promise<number>;
  /** The terminal that controls this process; undefined where there is none. */
  openTerminal(): Terminal | undefined;
  /** Turns the signals that would end the process into an abort, until disposed of. */
  interruption(): Interruption;
  /** Calls `leave` before Ctrl-Z stops the process and `back` when it goes on, until disposed of. */
  suspension?(leave: () => void, back: () => void): () => void;
}

export interface Terminal {
  readonly input: Input;
  readonly output: Output;
  close(): void;
}

export interface Interruption {
  readonly signal: AbortSignal;
  /** What aborted it. */
  received(): InterruptSignal | undefined;
  /** Ends the process after this long, whatever still hangs. `say` is called first. */
  endWithin?(milliseconds: number, say: () => void, exitCode?: number): void;
  dispose(): void;
}
