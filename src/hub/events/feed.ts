// Tells this process of what was committed, here or elsewhere. The log is the truth; everything else is only
// a hint to look at it.
//
//   own commit      -> `poke`, or the store's own word: readers of events look at what was written, or the log
//   foreign commit  -> the store's watch: the log is read on from `seen`, waiters are woken, readers look
//
// Own commits do not move `seen`: there may be foreign ones among them. So it can be far behind, and then it is
// quicker to look at the asks that are awaited than at everything that happened.

import { type Ask, AsklineError, type Clock, type Logger } from "../../core/index.js";
import { type Committed, EVENT_LOG, PAGE_SIZE, type Store } from "../seam/store.js";
import { createRecentEvents } from "./recent-events.js";

const PAGE = 1_000;
const TRY_AGAIN_MS = 1_000;

export interface Feed {
  /** Something was written to the event log by this process that the store does not tell of. */
  poke(): void;
  /** An ask was stored or changed by this process. */
  wroteAsk(): void;
  /** Resolves at the next commit, here or elsewhere, and when the feed closes. */
  next(): Promise<void>;
  /** What this process has written above a position, where that is all there is; else the log must be read. */
  recent(position: number): readonly Committed[] | undefined;
  close(): void;
}

export interface FeedListener {
  isAwaited(id: string): boolean;
  /** The asks that somebody waits for. */
  awaited(): readonly string[];
  /** Whether an awaited ask has been stored, and is not just about to be. */
  isStored(id: string): boolean;
  wake(ask: Ask): void;
  reject(id: string, error: AsklineError): void;
  /** Another process has committed something, to whatever log. */
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
  // Whoever takes what is recent waits for the next wake, and has had this one perhaps: so nothing may be
  // missing behind what is recent.
  const poke = (): void => {
    recent.clear();
    wake();
  };

  const readOn = async (): Promise<void> => {
    for (;;) {
      const { head } = await store.logs.bounds(EVENT_LOG);
      if (head - seen > PAGE && head - seen > listener.awaited().length) {
        await lookAtAll();
        seen = head;
      }
      const entries = await store.logs.read(EVENT_LOG, { after: seen, limit: PAGE });
      const last = entries.at(-1)?.position ?? Math.max(seen, head);
      // Positions rise by one: what is not there was removed unread, and was perhaps the end of an ask.
      if (last - seen > entries.length) await lookAtAll();
      const ids = new Set(entries.flatMap(({ subject }) => subject ?? []));
      const awaited = [...ids].filter((id) => listener.isAwaited(id));
      // Waiters are woken before `seen` moves on: a read that fails is done again.
      for await (const ask of readAsks(store, awaited)) listener.wake(ask);
      seen = last;
      if (entries.length < PAGE) return;
    }
  };

  /** Ends every wait that is over, whatever the log says of it. */
  const lookAtAll = async (): Promise<void> => {
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
      // `seen` has not moved. The store calls again at the next commit, but that may never come.
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
  // Watching starts before the position is taken: what is committed in between is read, not missed.
  const unwatch = store.watch(() => void onForeignCommit());
  let seen = Number.MAX_SAFE_INTEGER;
  seen = (await store.logs.bounds(EVENT_LOG)).head;

  return {
    poke,
    // Where the store tells of them itself, readers are awake already; to wake them again costs them a read.
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

/** Those of the asks that exist, never more of them at once than fit into a page. */
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
