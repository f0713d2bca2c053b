// The program of the writer thread: commits the writes it receives and sends back their results. It imports as few
// files as possible, because opening a store waits for it.

import { parentPort, workerData } from "node:worker_threads";
import { rememberFile } from "../file/identity.js";
import { connectToFile } from "../file/open-file.js";
import { createGroupCommit } from "./group-commit.js";
import { perform } from "./operations.js";
import { createWatcher } from "./watcher.js";
import {
  type FromWriter,
  type SentWrite,
  sentOutcomes,
  type ToWriter,
  type WriterData,
} from "./writer-messages.js";

const port = parentPort;
if (port === null) throw new Error("this program runs in a worker thread only");

const { path, busyTimeoutMs }: WriterData = workerData;
const database = await connectToFile(path, busyTimeoutMs);
const watcher = createWatcher(database);
const post = (message: FromWriter): void => port.postMessage(message);
let now = 0;
let tookMs: number | undefined;
let unwatch: (() => void) | undefined;

const commits = createGroupCommit<SentWrite>(database, {
  now: () => now,
  busyTimeoutMs,
  perform,
  verify: rememberFile(path),
  // Ends the thread; the store reports the error.
  lost(error) {
    setImmediate(() => {
      throw error;
    });
  },
  committed: (_writes, milliseconds) => {
    tookMs = milliseconds;
  },
  deliver(_writes, outcomes) {
    const took = tookMs === undefined ? {} : { tookMs };
    tookMs = undefined;
    post({ kind: "written", ...sentOutcomes(outcomes), ...took });
  },
});

async function close(): Promise<void> {
  watcher.stop();
  await commits.drained();
  commits.close();
  database.close();
  endThread();
}

/** Deno's parent port has no `close`; there, `exit` ends the thread, as everything is delivered by now. */
function endThread(): void {
  if (typeof port?.close === "function") port.close();
  else process.exit(0);
}

port.on("message", (message: ToWriter) => {
  switch (message.kind) {
    case "write":
      now = message.now;
      for (const write of message.writes) commits.write(write, write.age);
      return;
    case "watch":
      unwatch?.();
      unwatch = message.on ? watcher.watch(() => post({ kind: "changed" })) : undefined;
      // Commits between the call of `watch` and this moment are not detected as changes, so report one now.
      if (message.on) post({ kind: "changed" });
      return;
    case "close":
      void close();
  }
});
post({ kind: "ready" });
