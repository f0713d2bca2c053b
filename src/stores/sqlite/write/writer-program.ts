// The program of the thread that writes: commits what it is sent, and says what became of it. It loads as few
// files as it can, since opening a store waits for it.

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
const say = (message: FromWriter): void => port.postMessage(message);
let now = 0;
let tookMs: number | undefined;
let unwatch: (() => void) | undefined;

const commits = createGroupCommit<SentWrite>(database, {
  now: () => now,
  busyTimeoutMs,
  perform,
  verify: rememberFile(path),
  // The thread ends with it, and who started it reports why.
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
    say({ kind: "written", ...sentOutcomes(outcomes), ...took });
  },
});

async function close(): Promise<void> {
  watcher.stop();
  await commits.drained();
  commits.close();
  database.close();
  port?.close();
}

port.on("message", (message: ToWriter) => {
  switch (message.kind) {
    case "write":
      now = message.now;
      for (const write of message.writes) commits.write(write, write.age);
      return;
    case "watch":
      unwatch?.();
      unwatch = message.on ? watcher.watch(() => say({ kind: "changed" })) : undefined;
      // Who asked has gone on since: what was committed in between is not seen as a change any more.
      if (message.on) say({ kind: "changed" });
      return;
    case "close":
      void close();
  }
});
say({ kind: "ready" });
