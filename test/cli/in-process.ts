import { readFile } from "node:fs/promises";
import { PassThrough, Readable } from "node:stream";
import { main } from "../../src/cli/main.ts";
import type { World } from "../../src/cli/world/world.js";
import { systemClock } from "../../src/core/index.ts";
import type { Ended } from "./processes.ts";

export interface WorldOptions {
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly folder?: string;
  readonly home?: string;
  /** Makes stdout a terminal of so many columns. */
  readonly columns?: number;
  /** Whatever else of the world is not as usual. */
  readonly world?: Partial<World>;
  /** Stands for Ctrl-C. */
  readonly signal?: AbortSignal;
}

/** Runs a command line without a process of its own: for what needs no signal and no terminal. */
export async function runHere(args: readonly string[], options: WorldOptions = {}): Promise<Ended> {
  const stdout = collected();
  const stderr = collected();
  const world: World = {
    stdin: Readable.from(options.input === undefined ? [] : [options.input]),
    stdout: Object.assign(
      stdout.stream,
      options.columns && { isTTY: true, columns: options.columns, rows: 24 },
    ),
    stderr: stderr.stream,
    clock: systemClock,
    environment: options.env ?? {},
    folder: options.folder ?? "/nowhere",
    home: options.home ?? "/nowhere",
    user: "ana",
    nodeVersion: process.version,
    userId: process.getuid?.(),
    readFile: (path) => readFile(path, "utf8"),
    freeSpace: async () => 2 ** 40,
    openTerminal: () => undefined,
    interruption: () => ({
      signal: options.signal ?? new AbortController().signal,
      received: () => (options.signal?.aborted ? "SIGINT" : undefined),
      dispose: () => undefined,
    }),
    ...options.world,
  };
  const code = await main(args, world);
  return { code, stdout: stdout.text(), stderr: stderr.text() };
}

function collected(): { readonly stream: PassThrough; text(): string } {
  const stream = new PassThrough();
  let text = "";
  stream.on("data", (chunk) => {
    text += String(chunk);
  });
  return { stream, text: () => text };
}
