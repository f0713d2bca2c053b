// Loaded into `askline serve` before everything else. At a signal it ends the writer thread, with an invalid message or
// with one that does not fit into its memory. The program itself offers no way to do this.
//
//   FAILING_WRITER=message | memory

import { syncBuiltinESMExports } from "node:module";
import workers from "node:worker_threads";

const threads = [];

const failing = workers.isMainThread ? process.env.FAILING_WRITER : undefined;

if (failing !== undefined) {
  process.on("worker", (thread) => threads.push(thread));
  process.on("SIGUSR2", () => {
    const writes = failing === "message" ? 5 : Array.from({ length: 60 }, largeWrite);
    for (const thread of threads) thread.postMessage({ kind: "write", now: 1, writes });
  });
}

if (failing === "memory") {
  const { Worker } = workers;
  workers.Worker = class extends Worker {
    constructor(program, options) {
      super(program, { ...options, resourceLimits: { maxOldGenerationSizeMb: 12 } });
    }
  };
  syncBuiltinESMExports();
}

function largeWrite(_, number) {
  const entry = { log: "large", type: "large", subject: null, data: `"${number} ${"x".repeat(900_000)}"` };
  return { name: "append", request: [entry], age: 0 };
}
