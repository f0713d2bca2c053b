// Events over HTTP: one stream after another, each resuming where the previous one broke. The server sends every
// event after a position in order, so none is missed; events that were already seen are dropped.

import {
  type AskEvent,
  type AskFilter,
  AsklineError,
  abortReason,
  type Clock,
  type DeliveredAsk,
  type DraftHint,
  untilAborted,
} from "../core/index.js";
import { messageOf } from "../core/kit/tools.js";
import { matchesFilter } from "../core/model/visibility.js";
import { FailedTry, malformed, unreachable } from "./failed-try.js";
import type { Http } from "./http.js";
import { jsonOf } from "./responses.js";
import { linkSignal } from "./signals.js";
import { createSseParser, type SseParser } from "./sse-parser.js";
import { readDraftHint, readEvent, readPosition } from "./wire.js";

export interface EventQuery {
  /** Events after this position; by default only new events. */
  readonly after?: number;
  readonly filter?: AskFilter;
  readonly signal?: AbortSignal;
}

export interface StreamListener {
  readonly onDraft: (hint: DraftHint) => void;
  /** A connection has begun to send: the first one, or one after an outage. */
  readonly onConnected?: () => void;
}

// Three missed heartbeats.
const STALL_MS = 45_000;
// A connection that lived this long was a good one, even without an event: some proxies cut silent connections.
const STEADY_MS = 3_000;
const MAX_EVENT_LENGTH = 16 * 1_048_576;
const LONGEST_RETRY_MS = 60_000;

/** Ends when the signal aborts; throws `closed` when the client closes and `position_trimmed` for a gap. */
export async function* streamEvents(
  http: Http,
  clock: Clock,
  { after, filter = {}, signal }: EventQuery & { readonly after: number },
  { onDraft, onConnected }: StreamListener,
): AsyncGenerator<AskEvent<DeliveredAsk>, void, void> {
  const retries = http.retries();
  const linked = linkSignal(signal, http.life);
  const { rest } = splitFilter(filter);
  let position = after;
  try {
    for (;;) {
      if (linked.signal.aborted) throw abortReason(linked.signal);
      const base = http.current();
      const connection = linkSignal(linked.signal);
      let failed: FailedTry;
      let alive: number | undefined;
      try {
        const parser = createSseParser({ maxLength: MAX_EVENT_LENGTH });
        const call = { filter, position, signal: connection.signal };
        for await (const messages of openStream(http, clock, base, parser, call)) {
          if (alive === undefined) onConnected?.();
          alive ??= clock.monotonic();
          for (const { event: type, data } of messages) {
            if (type === "draft") onDraft(readDraftHint(jsonOf(data)));
            // Hints and unknown events have no position.
            if (!type.startsWith("ask.")) continue;
            const event = readEvent(jsonOf(data));
            if (event.position <= position) continue;
            position = event.position;
            retries.worked();
            if (event.ask === undefined || matchesFilter(event.ask, rest)) yield event;
            if (linked.signal.aborted) throw abortReason(linked.signal);
          }
          // An id without an event is the server's position while nothing matched the filter.
          position = Math.max(position, readPosition(parser.lastId) ?? position);
        }
        throw ended(base, parser.retryMs);
      } catch (error) {
        if (linked.signal.aborted || !(error instanceof FailedTry)) throw error;
        failed = error;
        if (alive !== undefined && clock.monotonic() - alive >= STEADY_MS) retries.worked();
      } finally {
        // Also when the caller stops reading: release the connection.
        connection.abort();
        connection.unlink();
      }
      await retries.after(failed, base, linked.signal);
    }
  } catch (error) {
    if (!signal?.aborted) throw http.life.over ?? error;
  } finally {
    linked.unlink();
  }
}

/** Splits a filter into the query for the server and the rest, which is applied here. */
export function splitFilter({ status, session, agentId, ...rest }: AskFilter): {
  readonly query: Readonly<Record<string, string | undefined>>;
  readonly rest: AskFilter;
} {
  return { query: { status, session, agent: agentId }, rest };
}

function ended(base: string, retryMs = 0): FailedTry {
  const error = new AsklineError("unreachable", `${base} ended the event stream`);
  return new FailedTry(error, "here", { afterMs: Math.min(retryMs, LONGEST_RETRY_MS) });
}

interface StreamCall {
  readonly filter: AskFilter;
  readonly position: number;
  readonly signal: AbortSignal;
}

/** The messages of one connection, chunk by chunk. */
async function* openStream(
  http: Http,
  clock: Clock,
  base: string,
  parser: SseParser,
  { filter, position, signal }: StreamCall,
): AsyncGenerator<ReturnType<SseParser["push"]>, void, void> {
  const within = <T>(promise: Promise<T>): Promise<T> => untilStalled(clock, signal, base, promise);
  const response = await within(
    http.open(base, {
      method: "GET",
      path: "/v1/events",
      query: splitFilter(filter).query,
      headers: { accept: "text/event-stream", "last-event-id": String(position) },
      signal,
    }),
  );
  const type = response.headers.get("content-type") ?? "none";
  if (!/^text\/event-stream\b/i.test(type) || response.body === null) {
    throw malformed(`the event stream has the content type ${type}`);
  }
  const reader = response.body.getReader();
  for (;;) {
    const { done, value } = await within(
      reader.read().catch((error) => {
        throw unreachable(base, error);
      }),
    );
    if (done) return;
    yield pushTo(parser, value);
  }
}

function pushTo(parser: SseParser, chunk: Uint8Array): ReturnType<SseParser["push"]> {
  try {
    return parser.push(chunk);
  } catch (error) {
    throw malformed(messageOf(error));
  }
}

/** The promise, unless nothing arrives for too long: a connection can die without an error. */
async function untilStalled<T>(
  clock: Clock,
  signal: AbortSignal,
  base: string,
  promise: Promise<T>,
): Promise<T> {
  const linked = linkSignal(signal);
  const cancel = clock.schedule(STALL_MS, () =>
    linked.abort(unreachable(base, `no data for ${STALL_MS / 1_000} seconds`)),
  );
  try {
    return await untilAborted(linked.signal, promise);
  } finally {
    cancel();
    linked.unlink();
  }
}
