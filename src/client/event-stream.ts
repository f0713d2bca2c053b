// The events of asks. The server sends every event after a position in order, so none is missed; events that were
// already seen are dropped. The event of a large ask comes without it: the ask is fetched here, so every caller gets it.

import type { Clock } from "../core/kit/clock.js";
import { jsonOf } from "../core/kit/json.js";
import type { DeliveredAsk } from "../core/model/ask.js";
import type { DraftHint } from "../core/model/draft-hint.js";
import { AsklineError } from "../core/model/error.js";
import type { AskEvent } from "../core/model/event.js";
import type { AskFilter } from "../core/model/ports.js";
import { matchesFilter } from "../core/model/visibility.js";
import type { Http } from "./http.js";
import { streamMessages } from "./message-stream.js";
import { readDraftHint, readEvent, readPosition } from "./wire.js";

export interface EventQuery {
  /** Events after this position; by default only new events. */
  readonly after?: number | undefined;
  readonly filter?: AskFilter | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface StreamListener {
  readonly onDraft: (hint: DraftHint) => void;
  /** A connection has begun to send: the first one, or one after an outage. */
  readonly onConnected?: (() => void) | undefined;
}

/** Ends when the signal aborts; throws `closed` when the client closes and `position_trimmed` for a gap. */
export async function* streamEvents(
  http: Http,
  clock: Clock,
  { after, filter = {}, signal }: EventQuery & { readonly after: number },
  { onDraft, onConnected }: StreamListener,
  getAsk: (id: string) => Promise<DeliveredAsk | undefined>,
): AsyncGenerator<AskEvent<DeliveredAsk>, void, void> {
  const { query, rest } = splitFilter(filter);
  let position = after;
  const events = streamMessages(http, clock, {
    path: "/v1/events",
    ...{ query, signal, onConnected },
    position: () => String(position),
    read({ event: type, data }) {
      if (type === "draft") onDraft(readDraftHint(jsonOf(data)));
      // Hints and unknown events have no position.
      if (!type.startsWith("ask.")) return undefined;
      const event = readEvent(jsonOf(data));
      if (event.position <= position) return undefined;
      position = event.position;
      return [event];
    },
    // An id without an event is the server's position while nothing matched the filter.
    passed(lastId) {
      position = Math.max(position, readPosition(lastId) ?? position);
    },
  });
  for await (const event of events) {
    const ask = event.ask ?? (await getAsk(event.askId).catch(ignoreMissing));
    if (ask === undefined) yield event;
    else if (matchesFilter(ask, rest)) yield { ...event, ask };
  }
}

/** The ask was pruned, or may no longer be seen. */
function ignoreMissing(error: unknown): undefined {
  if (!(error instanceof AsklineError && error.code === "not_found")) throw error;
}

/** Splits a filter into the query for the server and the rest, which is applied here. */
export function splitFilter({ status, session, agentId, ...rest }: AskFilter): {
  readonly query: Readonly<Record<string, string | undefined>>;
  readonly rest: AskFilter;
} {
  return { query: { status, session, agent: agentId }, rest };
}
