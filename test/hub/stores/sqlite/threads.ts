import type { Worker } from "node:worker_threads";
import { afterEach, beforeEach } from "vitest";

/** The threads that were started in a test, in order. */
export function watchThreads(): readonly Worker[] {
  const threads: Worker[] = [];
  const add = (worker: Worker): void => void threads.push(worker);
  beforeEach(() => {
    threads.length = 0;
    process.on("worker", add);
  });
  afterEach(() => {
    process.off("worker", add);
  });
  return threads;
}

/** A thread that has ended has no id any more. */
export function isRunning({ threadId }: Worker): boolean {
  return threadId !== -1;
}
