// Detects writes by other nodes:
//
//   idle --first listener----> connecting --listening--> watching --connection breaks--> connecting
//        <--no listener left--            --fails------> connecting, after a pause
//
// Notifications arrive at once, except through a pooler in transaction mode, where only the poll is left. Some may have been missed before listening starts, so the listeners are called then.
// The head of the event log is also polled, over the same connection. A poll without an answer reveals a half-open
// connection.

import { EVENT_LOG } from "../../../seam/store.js";
import type { Context } from "./context.js";
import type { Session } from "./database.js";
import { pause } from "./pause.js";

export interface Watcher {
  watch(listener: () => void): () => void;
  close(): Promise<void>;
}

const POLL_TIMEOUT_MS = 5_000;

export interface WatcherOptions {
  readonly pollMs: number;
  readonly queryTimeoutMs: number;
}

export function createWatcher(context: Context, options: WatcherOptions): Watcher {
  const listeners = new Set<() => void>();
  let stopping = new AbortController();
  let running: Promise<void> = Promise.resolve();
  const callAll = (): void => {
    for (const listener of [...listeners]) listener();
  };
  return {
    watch(listener) {
      // Each call adds a separate listener, even for the same function.
      const own = (): void => listener();
      listeners.add(own);
      if (listeners.size === 1) {
        stopping = new AbortController();
        const { signal } = stopping;
        running = running.then(() => keepWatching(context, options, callAll, signal));
      }
      return () => {
        if (listeners.delete(own) && listeners.size === 0) stopping.abort();
      };
    },
    async close() {
      listeners.clear();
      stopping.abort();
      await running;
    },
  };
}

async function keepWatching(
  context: Context,
  options: WatcherOptions,
  callAll: () => void,
  signal: AbortSignal,
): Promise<void> {
  let failures = 0;
  while (!signal.aborted) {
    try {
      const session = await context.database.session();
      try {
        await watchOver(session, context, options, callAll, signal, () => {
          failures = 0;
        });
      } finally {
        // The connection still listens, so it must not return to the pool.
        session.release(true);
      }
    } catch {
      failures += 1;
      await pause(Math.min(1_000, 20 * 2 ** failures) * (0.5 + Math.random() / 2), signal);
    }
  }
}

/** Returns when aborted, throws when the connection breaks. */
async function watchOver(
  { client, run }: Session,
  { database, schema, channel, node }: Context,
  { pollMs, queryTimeoutMs }: WatcherOptions,
  callAll: () => void,
  signal: AbortSignal,
  onListening: () => void,
): Promise<void> {
  const broken = new AbortController();
  const wake = AbortSignal.any([signal, broken.signal]);
  client.on("error", () => broken.abort());
  client.on("end", () => broken.abort());
  client.on("notification", (message) => {
    if (!wake.aborted && message.channel === channel && message.payload !== node) callAll();
  });
  const timeout = Math.min(queryTimeoutMs, POLL_TIMEOUT_MS);
  const readHead = async (): Promise<number | undefined> => {
    const text = `select head from ${schema}.logs where log = $1`;
    return (await run<{ readonly head: number }>(text, [EVENT_LOG], timeout))[0]?.head;
  };
  if (!(await database.isPooled())) await run(`listen "${channel}"`, [], timeout);
  let head = await readHead();
  onListening();
  callAll();
  while (!signal.aborted) {
    await pause(pollMs, wake);
    if (signal.aborted) return;
    if (broken.signal.aborted) throw new Error("the listening connection broke");
    const now = await readHead();
    if (now !== head) callAll();
    head = now;
  }
}
