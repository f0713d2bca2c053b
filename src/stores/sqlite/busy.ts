import { setTimeout as delay } from "node:timers/promises";
import { isBusy, toStoreError } from "./errors.js";

const LONGEST_PAUSE_MS = 25;

/**
 * A pause before trying a locked file again: short at first, and never the same for two processes. In real
 * time whatever the injected clock says: the one who holds the lock lives in real time too.
 */
export function pauseWhileBusy(attempt: number): Promise<void> {
  return delay(1 + Math.random() * Math.min(LONGEST_PAUSE_MS, 2 ** Math.min(attempt, 10)));
}

/**
 * What `task` returns, tried at once and again while the file is locked. The loop is free between tries.
 * Rejects with coded errors.
 */
export async function unlessBusy<T>(path: string, busyTimeoutMs: number, task: () => T): Promise<T> {
  const start = performance.now();
  for (let attempt = 1; ; attempt += 1) {
    try {
      return task();
    } catch (error) {
      if (!isBusy(error) || performance.now() - start >= busyTimeoutMs) throw toStoreError(error, path);
    }
    await pauseWhileBusy(attempt);
  }
}
