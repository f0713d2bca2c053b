// Notifies this process of commits, its own and those of other processes. The log is the source of truth; all
// notifications are only hints to read it.
//
//   own commit      -> `poke`, or the store's `onCommit`: event readers wake, and read the recent events or the log
//   foreign commit  -> the store's `watch`: the log is read from `seen` on, waiters and event readers wake
//
// Own commits do not move `seen`, because foreign commits may lie between them. So `seen` can be far behind. It is then
// faster to read all awaited asks than the whole log.

import type { Clock } from "../../core/kit/clock.js";
import type { Logger } from "../../core/kit/logger.js";
import type { Ask } from "../../core/model/ask.js";
import { AsklineError } from "../../core/model/error.js";
import { type Committed, EVENT_LOG, PAGE_SIZE, type Store } from "../seam/store.js";
import { createRecentEvents } from "./recent-events.js";

const PAGE = 1_000;
const TRY_AGAIN_MS = 1_000;

export interface Feed {
  /** This process wrote to the event log, and the store does not report that commit. */
  poke(): void;
  /** This process stored or changed an ask. */
  wroteAsk(): void;
  /** Resolves at the next commit of any process, or when the feed closes. */
  next(): Promise<void>;
  /** All events above a position, if this process wrote them all. If undefined, read the log. */
  recent(position: number): readonly Committed[] | undefined;
  close(): void;
}

export interface FeedListener {
  isAwaited(id: string): boolean;
  /** The ids of all awaited asks. */
  awaited(): readonly string[];
  /** False for an awaited ask that is still being inserted. */
  isStored(id: string): boolean;
  wake(ask: Ask): void;
  reject(id: string, error: AsklineError): void;
  /** Another process committed something, to any log. */
  committedElsewhere(): void;
}

export async function createFeed(
  store: Store,
  listener: FeedListener,
  clock: Clock,
  logger: Logger,
): Promise<Feed> {
  let closed = false;
  let reading = false;
  let readAgain = false;
  let next = deferred();
  let cancel = (): void => undefined;

  const recent = createRecentEvents();

  const wake = (): void => {
    const current = next;
    next = deferred();
    current.resolve();
  };
  // Clear first: a reader of the recent events waits for the next wake, so the recent events must not end before the
  // write that caused this wake.
  const poke = (): void => {
    recent.clear();
    wake();
  };

  const readOn = async (): Promise<void> => {
    for (;;) {
      const { head } = await store.logs.bounds(EVENT_LOG);
      if (head - seen > PAGE && head - seen > listener.awaited().length) {
        await checkAllAwaited();
        seen = head;
      }
      const entries = await store.logs.read(EVENT_LOG, { after: seen, limit: PAGE });
      const last = entries.at(-1)?.position ?? Math.max(seen, head);
      // Positions rise by one, so a gap means that entries were removed unread. One may have ended an awaited ask.
      if (last - seen > entries.length) await checkAllAwaited();
      const ids = new Set(entries.flatMap(({ subject }) => subject ?? []));
      const awaited = [...ids].filter((id) => listener.isAwaited(id));
      // Wake the waiters before `seen` moves, so that a failed read is repeated.
      for await (const ask of readAsks(store, awaited)) listener.wake(ask);
      seen = last;
      if (entries.length < PAGE) return;
    }
  };

  /** Ends every wait whose ask has ended or is gone, without reading the log. */
  const checkAllAwaited = async (): Promise<void> => {
    const ids = listener.awaited();
    for (let start = 0; start < ids.length; start += PAGE) {
      const page = ids.slice(start, start + PAGE);
      const missing = new Set(page.filter(listener.isStored));
      for await (const ask of readAsks(store, page)) {
        missing.delete(ask.id);
        listener.wake(ask);
      }
      for (const id of missing) listener.reject(id, pruned(id));
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
      // `seen` has not moved, so a retry misses nothing. Do not rely on the next commit: it may never come.
      if (closed) return;
      logger.warn(`could not read the event log: ${String(error)}`);
      cancel();
      cancel = clock.schedule(TRY_AGAIN_MS, () => void onForeignCommit());
    } finally {
      reading = false;
    }
  };

  const unfollow = store.onCommit?.((events) => {
    if (events.length === 0) return poke();
    recent.add(events);
    wake();
  });
  // Watch before reading the head, so that a commit in between is not missed.
  const unwatch = store.watch(() => void onForeignCommit());
  let seen = Number.MAX_SAFE_INTEGER;
  seen = (await store.logs.bounds(EVENT_LOG)).head;

  return {
    poke,
    // If the store reports its commits, readers are already awake; waking them again would cost a read.
    wroteAsk: unfollow === undefined ? poke : () => undefined,
    next: () => next.promise,
    recent: (position) => recent.after(position),
    close() {
      closed = true;
      cancel();
      unwatch();
      unfollow?.();
      poke();
    },
  };
}

/** Reads the asks that exist, one page in memory at a time. */
async function* readAsks(store: Store, ids: readonly string[]): AsyncGenerator<Ask, void, void> {
  for (let left = ids; left.length > 0; ) {
    const asks = await store.asks.getMany(left, { maxSize: PAGE_SIZE });
    yield* asks;
    const last = asks.at(-1);
    left = last === undefined || asks.length === left.length ? [] : left.slice(left.indexOf(last.id) + 1);
  }
}

function pruned(id: string): AsklineError {
  return new AsklineError("not_found", `ask ${id} ended and was pruned before this process read its outcome`);
}

export interface Deferred {
  readonly promise: Promise<void>;
  resolve(): void;
}

export function deferred(): Deferred {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
