// Runs writes on a separate thread, because a commit waits for the disk and would block the event loop. Writes that
// arrive during a commit become the next one.

import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { Worker } from "node:worker_threads";
import { AsklineError } from "../../../../core/model/error.js";
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
 * This many writes are sent before the turn ends: the callbacks of a large commit keep this thread busy for
 * milliseconds, in which the writer thread would have nothing to do. A second message must be worth its own commit.
 */
const ENOUGH_FOR_AN_IDLE_WRITER = 12;
const ENOUGH_FOR_A_BUSY_WRITER = 24;
const MOST_MESSAGES = 2;

/**
 * The path of the thread's program. It is resolved by package name, because this code may have been bundled.
 * Returns undefined if the package is not installed, as in a single-file program, or if the thread would load another
 * copy of SQLite: two copies in one process break each other's file locks.
 */
export function writerProgram(from: string = import.meta.url): string | undefined {
  try {
    const ownRequire = createRequire(from);
    const path = join(
      dirname(ownRequire.resolve("askline/package.json")),
      "dist/hub/stores/sqlite/write/writer-program.js",
    );
    const sharesDriver = createRequire(path).resolve(DRIVER) === ownRequire.resolve(DRIVER);
    return sharesDriver && existsSync(path) ? path : undefined;
  } catch {
    return undefined;
  }
}

/** Resolves when the thread has opened the file. The file must exist and have the current schema. */
export async function threadWriter(program: string, options: WriterOptions): Promise<Writer> {
  const { path, busyTimeoutMs, now, committed, broken } = options;
  const workerData: WriterData = { path, busyTimeoutMs };
  // The thread must not inherit flags of this process, such as those of a profiler or a loader.
  const worker = new Worker(program, { workerData, execArgv: [] });
  /** In the order of the calls. Results arrive in the same order. */
  const pending: PendingWrite[] = [];
  /** How many writes at the end of `pending` are not sent yet. */
  let unsent = 0;
  /** For each message that was sent, how many of its writes have no result yet. */
  const inFlight: number[] = [];
  const listeners = new Set<{ readonly call: () => void }>();
  let scheduled = false;
  let ended: AsklineError | undefined;
  let isReady = false;
  let closing = false;
  let onDrained = (): void => undefined;

  const post = (message: ToWriter): void => worker.postMessage(message);
  const isEnough = (): boolean =>
    unsent >= (inFlight.length === 0 ? ENOUGH_FOR_AN_IDLE_WRITER : ENOUGH_FOR_A_BUSY_WRITER);
  /** Sends what is unsent as one message, unless it is better off with what comes during the commit under way. */
  const send = (): void => {
    if (unsent === 0 || inFlight.length >= MOST_MESSAGES) return;
    if (inFlight.length > 0 && !isEnough()) return;
    const time = performance.now();
    const writes = pending
      .slice(-unsent)
      .map(({ name, request, since }): SentWrite => ({ name, request, age: time - since }));
    try {
      post({ kind: "write", now: now(), writes });
    } catch (error) {
      refuseUnsendable(error);
      return;
    }
    inFlight.push(unsent);
    unsent = 0;
  };
  const sendAtEndOfTurn = (): void => {
    scheduled = false;
    send();
  };
  /** A commit may hold the end of one message and the beginning of the next. */
  const countBack = (results: number): void => {
    let left = results;
    for (let first = inFlight[0]; first !== undefined && left > 0; first = inFlight[0]) {
      if (first > left) inFlight[0] = first - left;
      else inFlight.shift();
      left -= first;
    }
  };
  /** Rejects only the writes that cannot be cloned (one holds a function, for example) and sends the others. */
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
    countBack(outcomes.length);
    send();
    // The thread keeps the process alive only while results are outstanding.
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
        if (isEnough()) send();
        else if (!scheduled) {
          scheduled = true;
          setImmediate(sendAtEndOfTurn);
        }
      }),
    watch(listener) {
      const entry = { call: listener };
      if (listeners.size === 0) post({ kind: "watch", on: true });
      listeners.add(entry);
      return () => {
        listeners.delete(entry);
        if (listeners.size === 0) post({ kind: "watch", on: false });
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
      post({ kind: "close" });
      // A thread that has failed does not keep the process alive until its exit is reported.
      const keepAlive = setInterval(() => undefined, 1_000);
      await exited;
      clearInterval(keepAlive);
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
