import type { Database } from "../file/driver.js";

const INTERVAL_MS = 50;

export interface Watcher {
  watch(listener: () => void): () => void;
  stop(): void;
}

/**
 * Notices commits of other connections: `data_version` changes with each of them, and not with our own. One
 * look every 50 ms costs a few microseconds, and nothing at all while nobody listens.
 */
export function createWatcher(database: Database): Watcher {
  const listeners = new Set<{ readonly call: () => void }>();
  let timer: NodeJS.Timeout | undefined;
  let seen: number | undefined;

  const look = (): void => {
    const version = readVersion(database);
    // Locked just now: that is a sign of somebody else at work, and the next look will tell.
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
        timer = setInterval(look, INTERVAL_MS).unref();
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
