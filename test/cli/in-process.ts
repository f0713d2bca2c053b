import { readFile } from "node:fs/promises";
import { PassThrough, Readable } from "node:stream";
import { main } from "../../src/cli/main.ts";
import type { World } from "../../src/cli/world/world.js";
import { systemClock } from "../../src/index.ts";
import type { Ended } from "./processes.ts";

export interface WorldOptions {
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly folder?: string;
  readonly home?: string;
  /** Makes stdout a terminal with this many columns. */
  readonly columns?: number;
  /** Other parts of the world that differ from the default. */
  readonly world?: Partial<World>;
  /** Simulates Ctrl-C. */
  readonly signal?: AbortSignal;
  /** The file that the command thinks it was started from: what it writes into the settings of other programs. */
  readonly program?: string;
}

/** Runs a command line in this process, for tests without signals and terminals. */
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
    networkAddresses: () => [],
    freeSpace: async () => 2 ** 40,
    openTerminal: () => undefined,
    interruption: () => ({
      signal: options.signal ?? new AbortController().signal,
      received: () => (options.signal?.aborted ? "SIGINT" : undefined),
      dispose: () => undefined,
    }),
    ...options.world,
  };
  const code = await asProgram(options.program, () => main(args, world));
  return { code, stdout: stdout.text(), stderr: stderr.text() };
}

async function asProgram<T>(program: string | undefined, act: () => Promise<T>): Promise<T> {
  const [, own = ""] = process.argv;
  process.argv[1] = program ?? own;
  try {
    return await act();
  } finally {
    process.argv[1] = own;
  }
}

function collected(): { readonly stream: PassThrough; text(): string } {
  const stream = new PassThrough();
  let text = "";
  stream.on("data", (chunk) => {
    text += String(chunk);
  });
  return { stream, text: () => text };
}
