// Makes the writes in a thread of their own, so that a commit, which waits for the disk, holds up nobody: while
// one is being made, the event loop goes on, and what it asks for meanwhile becomes the next.

import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { Worker } from "node:worker_threads";
import { AsklineError } from "../../core/index.js";
import { acknowledge, type PendingWrite, pendingWrite, type Writer, type WriterOptions } from "./writer.js";
import {
  type FromWriter,
  receivedResults,
  type SentWrite,
  type ToWriter,
  type WriterData,
} from "./writer-messages.js";

const MOST_UNDER_WAY = 2;
/**
 * So many writes are sent at once, though the turn goes on and may ask for more: what a large commit wakes can keep
 * this thread busy for ten milliseconds, in which the other one would have nothing to do. Fewer overlap no better,
 * and each transaction costs as much as several writes.
 */
const ENOUGH_TO_SEND = 32;

/**
 * The file of the thread's program, found by the package's name because the code that looks for it may have
 * been bundled; undefined where the package is not installed, as in a program that is one file.
 */
export function writerProgram(): string | undefined {
  try {
    const root = dirname(createRequire(import.meta.url).resolve("askline/package.json"));
    const path = join(root, "dist/stores/sqlite/writer-program.js");
    return existsSync(path) ? path : undefined;
  } catch {
    return undefined;
  }
}

/** Resolves when the thread has opened the file, which must be there and up to date. */
export async function threadWriter(program: string, options: WriterOptions): Promise<Writer> {
  const { path, busyTimeoutMs, now, onCommit, committed } = options;
  const workerData: WriterData = { path, busyTimeoutMs };
  // Nothing that this process was started with: a flag for a profile or a loader is not meant for the thread.
  const worker = new Worker(program, { workerData, execArgv: [] });
  const pending = new Map<number, PendingWrite>();
  const listeners = new Set<{ readonly call: () => void }>();
  let lastId = 0;
  let outbox: (Omit<SentWrite, "age"> & { readonly since: number })[] = [];
  let scheduled = false;
  /** The last write of each message that has not come back yet. */
  const underWay: number[] = [];
  let ended: AsklineError | undefined;
  let onDrained = (): void => undefined;

  const say = (message: ToWriter): void => worker.postMessage(message);
  /**
   * What was asked for in one turn is one message, or a few. While one is being committed and another waits,
   * more would only wait there instead of here, in smaller pieces.
   */
  const send = (): void => {
    const last = outbox.at(-1);
    if (last === undefined || underWay.length >= MOST_UNDER_WAY) return;
    underWay.push(last.id);
    const time = performance.now();
    const writes = outbox.map(({ id, name, request, since }) => ({ id, name, request, age: time - since }));
    outbox = [];
    say({ kind: "write", now: now(), writes });
  };
  const sendAtEndOfTurn = (): void => {
    scheduled = false;
    send();
  };

  const onWritten = (message: Extract<FromWriter, { readonly kind: "written" }>): void => {
    const writes: PendingWrite[] = [];
    for (const id of message.ids) {
      const write = pending.get(id);
      if (write !== undefined) writes.push(write);
      pending.delete(id);
      if (id === underWay[0]) underWay.shift();
    }
    send();
    // A process that has nothing else to do may end, but not before it knows what became of its writes.
    if (pending.size === 0) worker.unref();
    if (message.tookMs !== undefined) committed(message.ids.length, message.tookMs);
    acknowledge(writes, receivedResults(message), onCommit);
    if (pending.size === 0) onDrained();
  };

  const end = (cause?: Error): AsklineError => {
    const reason = cause === undefined ? "" : ` (${cause.message})`;
    ended ??= new AsklineError(
      "store_unavailable",
      `the thread that writes to the store ${path} has ended${reason}: what was not acknowledged may be sent again, after opening the store anew`,
      { cause },
    );
    const writes = [...pending.values()];
    pending.clear();
    for (const { reject } of writes) reject(ended);
    onDrained();
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
  worker.unref();

  return {
    write: (name, request, toEvent) =>
      pendingWrite(name, request, toEvent, (write) => {
        if (ended !== undefined) return write.reject(ended);
        lastId += 1;
        if (pending.size === 0) worker.ref();
        pending.set(lastId, write);
        outbox.push({ id: lastId, name, request, since: performance.now() });
        if (outbox.length >= ENOUGH_TO_SEND) send();
        else if (!scheduled) {
          scheduled = true;
          setImmediate(sendAtEndOfTurn);
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
        if (pending.size === 0) resolve();
        else onDrained = resolve;
      }),
    async close() {
      listeners.clear();
      worker.ref();
      say({ kind: "close" });
      await exited;
    },
  };
}
