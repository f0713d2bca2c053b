import { isRecord } from "../../core/kit/json.js";
import { collect, items } from "../../core/kit/pages.js";
import type { Ask, DeliveredAsk } from "../../core/model/ask.js";
import { deliverAsk } from "../../core/model/delivery.js";
import { AsklineError } from "../../core/model/error.js";
import type { AskEvent, AskEventType } from "../../core/model/event.js";
import type { Answerer } from "../../core/model/outcome.js";
import { matchesFilter } from "../../core/model/visibility.js";
import { onAbort } from "../../core/rules/abort.js";
import type { EventQuery } from "../seam/port.js";
import { EVENT_LOG, type LogEntry, PAGE_SIZE, type Store } from "../seam/store.js";
import type { Feed } from "./feed.js";

const PAGE = 200;

/**
 * Events from a position on, then live. Each event comes exactly once. Ends when the signal aborts; throws
 * `position_trimmed` if the position was removed, and `closed` when the hub closes.
 */
export async function* streamEvents(
  store: Store,
  feed: Feed,
  isClosed: () => boolean,
  query: EventQuery,
): AsyncGenerator<AskEvent<DeliveredAsk>, void, void> {
  for await (const batch of streamBatches(store, feed, isClosed, query)) {
    for (const event of batch) {
      if (query.signal?.aborted) return;
      yield event;
    }
  }
}

/** {@link streamEvents} in batches, so that a caller can forward many events at once. A batch is never empty. */
export async function* streamBatches(
  store: Store,
  feed: Feed,
  isClosed: () => boolean,
  { after, filter = {}, maxSize = PAGE_SIZE, signal }: EventQuery,
): AsyncGenerator<readonly AskEvent<DeliveredAsk>[], void, void> {
  // One abort listener for the whole stream: a new one for each commit would cost as much as the events.
  let stopWaiting = (): void => undefined;
  const waitFor = (more: Promise<void>): Promise<void> =>
    new Promise((resolve) => {
      stopWaiting = resolve;
      if (signal?.aborted) resolve();
      else void more.then(resolve);
    });
  const unfollow = signal && onAbort(signal, () => stopWaiting());
  try {
    let position = after ?? (await store.logs.bounds(EVENT_LOG)).head;
    while (!signal?.aborted) {
      if (isClosed()) throw new AsklineError("closed", "the hub was closed");
      // Take this before the read, so that a commit after the read resolves it.
      const more = feed.next();
      const recent = feed.recent(position);
      if (recent !== undefined) {
        const batch = recent.flatMap((event) =>
          matchesFilter(event.ask, filter) ? toEvent(event, event.ask.id, event.ask) : [],
        );
        position = recent.at(-1)?.position ?? position;
        if (batch.length > 0) yield batch;
        await waitFor(more);
        continue;
      }
      const entries = await store.logs.read(EVENT_LOG, { after: position, limit: PAGE });
      // Check after the read: entries that were removed meanwhile leave a gap, which only the bounds reveal.
      await requireComplete(store, position);
      const events = await withAsks(store, entries, maxSize);
      const batch = events.filter(({ ask }) => ask === undefined || matchesFilter(ask, filter));
      if (signal?.aborted) return;
      position = events.at(-1)?.position ?? position;
      if (batch.length > 0) yield batch;
      if (events.length === entries.length && entries.length < PAGE) await waitFor(more);
    }
  } finally {
    unfollow?.();
  }
}

/** All stored events of one ask, oldest first. */
export async function eventsOfAsk(store: Store, id: string): Promise<readonly AskEvent[]> {
  return (await entriesOfAsk(store, id)).map((entry) => toEvent(entry, entry.subject, undefined));
}

export function entriesOfAsk({ logs }: Store, id: string): Promise<readonly LogEntry[]> {
  return collect(
    items(
      PAGE,
      ({ position }) => position,
      (after = 0, limit) => logs.read(EVENT_LOG, { after, limit, subject: id }),
    ),
  );
}

async function requireComplete(store: Store, after: number): Promise<void> {
  const { first, head } = await store.logs.bounds(EVENT_LOG);
  if (after > head) {
    throw new AsklineError(
      "position_trimmed",
      `event ${after} does not exist yet, so this position belongs to another store: list the asks, then read on from the position of that list`,
    );
  }
  if (after >= first - 1) return;
  throw new AsklineError(
    "position_trimmed",
    `events up to ${first - 1} were removed, so reading on from ${after} would miss some: list the asks, then read on from the position of that list`,
  );
}

/** Adds the asks to the entries. Stops before the first entry whose ask does not fit, but returns at least one. */
async function withAsks(
  store: Store,
  entries: readonly LogEntry[],
  maxSize: number,
): Promise<readonly AskEvent<DeliveredAsk>[]> {
  const ids = [...new Set(entries.flatMap(({ subject }) => subject ?? []))];
  const found = ids.length === 0 ? [] : await store.asks.getMany(ids, { maxSize });
  const asks = new Map(found.map((ask) => [ask.id, ask]));
  const last = found.at(-1);
  const notRead = last === undefined ? undefined : ids[ids.indexOf(last.id) + 1];
  const end =
    notRead === undefined ? entries.length : entries.findIndex(({ subject }) => subject === notRead);
  return entries.slice(0, end).map((entry) => toEvent(entry, entry.subject, asks.get(entry.subject ?? "")));
}

function toEvent(
  { position, at, type, data }: Pick<LogEntry, "position" | "at" | "type" | "data">,
  askId: string = "",
  ask: Ask | undefined,
): AskEvent<DeliveredAsk> {
  const { by, to } = isRecord(data) ? data : {};
  const event: { -readonly [Field in keyof AskEvent]: AskEvent<DeliveredAsk>[Field] } = {
    position,
    at,
    // Safe to cast: only stores write this log, and only these types.
    type: type as AskEventType,
    askId,
  };
  if (by !== undefined) event.by = by as unknown as Answerer;
  if (to !== undefined) event.to = to as unknown as readonly string[];
  if (ask !== undefined) event.ask = deliverAsk(ask);
  return event;
}
