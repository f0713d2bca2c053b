import type { Database } from "../file/driver.js";

const INTERVAL_MS = 50;

export interface Watcher {
  watch(listener: () => void): () => void;
  stop(): void;
}

/**
 * Detects commits of other connections: each of them changes `data_version`, and our own commits do not. A check every
 * 50 ms takes a few microseconds. Without listeners there are no checks.
 */
export function createWatcher(database: Database): Watcher {
  const listeners = new Set<{ readonly call: () => void }>();
  let timer: NodeJS.Timeout | undefined;
  let seen: number | undefined;

  const check = (): void => {
    const version = readVersion(database);
    // The version is undefined while the file is locked; the next check sees the change.
    if (version === undefined || version === seen) return;
    seen = version;
    for (const { call } of [...listeners]) call();
  };
  const stop = (): void => {
    clearInterval(timer);
    timer = undefined;
  };
  return {
    watch(listener) {
      const entry = { call: listener };
      if (timer === undefined) {
        seen = readVersion(database);
        timer = setInterval(check, INTERVAL_MS).unref();
      }
      listeners.add(entry);
      return () => {
        listeners.delete(entry);
        if (listeners.size === 0) stop();
      };
    },
    stop() {
      listeners.clear();
      stop();
    },
  };
}

function readVersion(database: Database): number | undefined {
  try {
    return database.sql("PRAGMA data_version").get<{ readonly data_version: number }>()?.data_version;
  } catch {
    return undefined;
  }
}
