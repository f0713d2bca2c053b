// Tells this process of what was committed, here or elsewhere. The log is the truth; everything else is only
// a hint to look at it.
//
//   own commit      -> `poke`: readers of events look at the log
//   foreign commit  -> the store's watch: the log is read on from `seen`, waiters are woken, readers look

import type { Ask, Logger } from "../core/index.js";
import { EVENT_LOG, type Store } from "./store.js";

const PAGE = 1_000;

export interface Feed {
  /** Something was committed by this process. */
  poke(): void;
  /** Resolves at the next commit, here or elsewhere, and when the feed closes. */
  next(): Promise<void>;
  close(): void;
}

export interface FeedListener {
  isAwaited(id: string): boolean;
  wake(ask: Ask): void;
  /** Another process has committed something, to whatever log. */
  committedElsewhere(): void;
}

export async function createFeed(store: Store, listener: FeedListener, logger: Logger): Promise<Feed> {
  let closed = false;
  let reading = false;
  let readAgain = false;
  let next = deferred();

  const poke = (): void => {
    const current = next;
    next = deferred();
    current.resolve();
  };

  const readOn = async (): Promise<void> => {
    for (;;) {
      const entries = await store.logs.read(EVENT_LOG, { after: seen, limit: PAGE });
      const last = entries.at(-1);
      if (last === undefined) return;
      const ids = new Set(entries.flatMap(({ subject }) => subject ?? []));
      const awaited = [...ids].filter((id) => listener.isAwaited(id));
      // Waiters are woken before `seen` moves on: a read that fails is done again.
      if (awaited.length > 0) for (const ask of await store.asks.getMany(awaited)) listener.wake(ask);
      seen = last.position;
    }
  };

  const onForeignCommit = async (): Promise<void> => {
    readAgain = true;
    if (reading) return;
    reading = true;
    try {
      while (readAgain && !closed) {
        readAgain = false;
        await readOn();
        poke();
        listener.committedElsewhere();
      }
    } catch (error) {
      // The store calls again at the next commit, and `seen` has not moved.
      if (!closed) logger.warn(`could not read the event log: ${String(error)}`);
    } finally {
      reading = false;
    }
  };

  // Watching starts before the position is taken: what is committed in between is read, not missed.
  const unwatch = store.watch(() => void onForeignCommit());
  let seen = Number.MAX_SAFE_INTEGER;
  seen = (await store.logs.bounds(EVENT_LOG)).head;

  return {
    poke,
    next: () => next.promise,
    close() {
      closed = true;
      unwatch();
      poke();
    },
  };
}

function deferred(): { readonly promise: Promise<void>; resolve(): void } {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
