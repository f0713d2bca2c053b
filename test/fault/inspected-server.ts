import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const PROGRAM = fileURLToPath(new URL("./inspected-server.mjs", import.meta.url));

export interface InspectedServer {
  readonly port: number;
  /** Of its database. It can be opened once the server has stopped. */
  readonly path: string;
  token(options: object): Promise<{ readonly token: string; readonly id: string }>;
  revoke(id: string): Promise<boolean>;
  cookie(person: string): Promise<{ readonly secret: string; readonly key: string }>;
  link(target: {
    readonly askId: string;
    readonly person: string;
    readonly expiresIn: number;
  }): Promise<string>;
  /** Bytes of heap and buffers that are still in use after everything else was collected. */
  memory(): Promise<number>;
  /** Bytes that the process has in memory. */
  resident(): Promise<number>;
  held(): Promise<{ readonly sockets: number; readonly waits: number; readonly streams: number }>;
  /** What it wrote to stderr: warnings, faults, and what ended it. */
  trouble(): string;
  readonly running: boolean;
  stop(): Promise<void>;
  /** Stops it and removes its folder. */
  remove(): Promise<void>;
}

interface Message {
  readonly number?: number;
  readonly value?: unknown;
  readonly error?: string;
}

export interface InspectedOptions {
  readonly heapMb?: number;
  /** With the usual limits on callers. */
  readonly bounded?: boolean;
  /** The ntfy topic of ana, who is notified of what she is asked; callbacks are delivered then too. */
  readonly ntfy?: string;
}

/** Starts inspected-server.mjs on a new database. */
export async function startInspected(options: InspectedOptions = {}): Promise<InspectedServer> {
  const { heapMb, bounded = false, ntfy } = options;
  const folder = await mkdtemp(join(tmpdir(), "askline-inspected-"));
  const path = join(folder, "askline.db");
  const child = fork(
    PROGRAM,
    [path, bounded ? "bounded" : "unbounded", ...(ntfy === undefined ? [] : [ntfy])],
    {
      execArgv: [
        ...["--expose-gc", "--unhandled-rejections=strict"],
        ...(heapMb === undefined ? [] : [`--max-old-space-size=${heapMb}`]),
      ],
      stdio: ["ignore", "ignore", "pipe", "ipc"],
    },
  );
  let trouble = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    trouble = (trouble + text).slice(0, 20_000);
  });
  const ended = once(child, "exit");
  const waiting = new Map<number, (message: Message) => void>();
  void ended.then(() => {
    for (const answer of waiting.values()) answer({ error: `the server has ended: ${trouble}` });
  });
  let count = 0;
  const ask = async <T>(what: string, options: object = {}): Promise<T> => {
    count += 1;
    const number = count;
    const { value, error } = await new Promise<Message>((resolve, reject) => {
      waiting.set(number, resolve);
      child.send({ number, what, options }, (failed) => failed && reject(failed));
    });
    waiting.delete(number);
    if (error !== undefined) throw new Error(`${what}: ${error}`);
    return value as T;
  };
  const [{ port }] = (await Promise.race([
    once(child, "message"),
    ended.then(() => {
      throw new Error(`the server did not start: ${trouble}`);
    }),
  ])) as [{ readonly port: number }];
  child.on("message", (message: Message) => waiting.get(message.number ?? 0)?.(message));
  const stop = async (): Promise<void> => {
    if (child.connected) child.disconnect();
    await ended;
  };
  return {
    port,
    path,
    token: (options) => ask("token", options),
    revoke: (id) => ask("revoke", { id }),
    cookie: (person) => ask("cookie", { person }),
    link: (target) => ask("link", target),
    memory: () => ask("memory"),
    resident: () => ask("resident"),
    held: () => ask("held"),
    trouble: () => trouble,
    get running() {
      return child.exitCode === null && child.signalCode === null;
    },
    stop,
    async remove() {
      await stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
