// Makes the writes in a thread of their own, so that a commit, which waits for the disk, holds up nobody: while
// one is being made, the event loop goes on, and what it asks for meanwhile becomes the next.

import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { Worker } from "node:worker_threads";
import { AsklineError } from "../../../core/index.js";
import { acknowledge, type PendingWrite, pendingWrite, type Writer, type WriterOptions } from "./writer.js";
import {
  type FromWriter,
  receivedOutcomes,
  type SentWrite,
  type ToWriter,
  type WriterData,
} from "./writer-messages.js";

const DRIVER = "@photostructure/sqlite";

/**
 * The file of the thread's program, found by the package's name because the code that looks for it may have
 * been bundled; undefined where the package is not installed, as in a program that is one file, or where the
 * thread would have another copy of SQLite: two of them in one process take each other's locks away.
 */
export function writerProgram(from: string = import.meta.url): string | undefined {
  try {
    const here = createRequire(from);
    const path = join(
      dirname(here.resolve("askline/package.json")),
      "dist/stores/sqlite/write/writer-program.js",
    );
    const hasOurs = createRequire(path).resolve(DRIVER) === here.resolve(DRIVER);
    return hasOurs && existsSync(path) ? path : undefined;
  } catch {
    return undefined;
  }
}

/** Resolves when the thread has opened the file, which must be there and up to date. */
export async function threadWriter(program: string, options: WriterOptions): Promise<Writer> {
  const { path, busyTimeoutMs, now, committed, broken } = options;
  const workerData: WriterData = { path, busyTimeoutMs };
  // Nothing that this process was started with: a flag for a profile or a loader is not meant for the thread.
  const worker = new Worker(program, { workerData, execArgv: [] });
  /** In the order in which they were asked for, in which they also come back. */
  const pending: PendingWrite[] = [];
  /** How many of them, the last, are not sent yet. */
  let unsent = 0;
  /** How many are sent and have not come back yet. */
  let underWay = 0;
  const listeners = new Set<{ readonly call: () => void }>();
  let scheduled = false;
  let ended: AsklineError | undefined;
  let isReady = false;
  let closing = false;
  let onDrained = (): void => undefined;

  const say = (message: ToWriter): void => worker.postMessage(message);
  /**
   * What was asked for in one turn is one message. What comes while it is being committed waits here until it is
   * back, and becomes the next commit.
   */
  const send = (): void => {
    scheduled = false;
    if (unsent === 0 || underWay > 0) return;
    const time = performance.now();
    const writes = pending
      .slice(-unsent)
      .map(({ name, request, since }): SentWrite => ({ name, request, age: time - since }));
    try {
      say({ kind: "write", now: now(), writes });
    } catch (error) {
      refuseUnsendable(error);
      return;
    }
    underWay = unsent;
    unsent = 0;
  };
  /** A value that cannot be sent (a function, say) is the fault of one write, and not of those beside it. */
  const refuseUnsendable = (error: unknown): void => {
    const refused: PendingWrite[] = [];
    for (const write of pending.splice(-unsent)) (isSendable(write.request) ? pending : refused).push(write);
    unsent -= refused.length;
    if (refused.length === 0) throw error;
    for (const { reject } of refused) reject(error);
    send();
    if (pending.length > 0) return;
    worker.unref();
    onDrained();
  };

  const onWritten = (message: Extract<FromWriter, { readonly kind: "written" }>): void => {
    const outcomes = receivedOutcomes(message);
    const writes = pending.splice(0, outcomes.length);
    underWay -= outcomes.length;
    send();
    // A process that has nothing else to do may end, but not before it knows what became of its writes.
    if (pending.length === 0) worker.unref();
    if (message.tookMs !== undefined) committed(outcomes.length, message.tookMs);
    acknowledge(writes, outcomes, options);
    if (pending.length === 0) onDrained();
  };

  const end = (cause?: Error): AsklineError => {
    if (ended !== undefined) return ended;
    const reason = cause === undefined ? "" : ` (${cause.message})`;
    ended = new AsklineError(
      "store_unavailable",
      `the writer thread of the store ${path} has ended${reason}: writes under way may or may not be stored; open the store again, then send them again with the same key`,
      { cause },
    );
    unsent = 0;
    for (const { reject } of pending.splice(0)) reject(ended);
    onDrained();
    if (isReady && !closing) broken(ended);
    return ended;
  };

  const ready = new Promise<void>((resolve, reject) => {
    worker.on("message", (message: FromWriter) => {
      if (message.kind === "written") onWritten(message);
      else if (message.kind === "ready") resolve();
      else for (const { call } of [...listeners]) call();
    });
    worker.on("error", (error) => reject(end(error)));
    worker.on("exit", () => reject(end()));
  });
  const exited = new Promise<void>((resolve) => {
    worker.on("exit", () => resolve());
  });
  await ready;
  isReady = true;
  worker.unref();

  return {
    write: (name, request, toEvent) =>
      pendingWrite(name, request, toEvent, (write) => {
        if (ended !== undefined) return write.reject(ended);
        if (pending.length === 0) worker.ref();
        pending.push(write);
        unsent += 1;
        if (!scheduled) {
          scheduled = true;
          setImmediate(send);
        }
      }),
    watch(listener) {
      const entry = { call: listener };
      if (listeners.size === 0) say({ kind: "watch", on: true });
      listeners.add(entry);
      return () => {
        listeners.delete(entry);
        if (listeners.size === 0) say({ kind: "watch", on: false });
      };
    },
    get ended() {
      return ended;
    },
    drained: () =>
      new Promise((resolve) => {
        if (pending.length === 0) resolve();
        else onDrained = resolve;
      }),
    async close() {
      closing = true;
      listeners.clear();
      worker.ref();
      say({ kind: "close" });
      await exited;
    },
  };
}

function isSendable(request: unknown): boolean {
  try {
    structuredClone(request);
    return true;
  } catch {
    return false;
  }
}
