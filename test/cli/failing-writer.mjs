// Loaded into `askline serve` before everything else, to bring an end to its thread that writes: at a signal by a
// message that makes no sense to it, or by giving it next to no memory. The program itself has no such door.
//
//   FAILING_WRITER=message | memory

import { syncBuiltinESMExports } from "node:module";
import workers from "node:worker_threads";

const threads = [];

if (workers.isMainThread && process.env.FAILING_WRITER === "message") {
  process.on("worker", (thread) => threads.push(thread));
  process.on("SIGUSR2", () => {
    for (const thread of threads) thread.postMessage({ kind: "write", now: 1, writes: 5 });
  });
}

if (workers.isMainThread && process.env.FAILING_WRITER === "memory") {
  const { Worker } = workers;
  workers.Worker = class extends Worker {
    constructor(program, options) {
      super(program, { ...options, resourceLimits: { maxOldGenerationSizeMb: 12 } });
    }
  };
  syncBuiltinESMExports();
}
