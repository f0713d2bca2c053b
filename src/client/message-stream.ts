// Server-sent events over HTTP: one connection after another, each resuming where the previous one broke. They are read
// with `fetch`, which sends the token as a header, so a page needs no ticket.

import type { Clock } from "../core/kit/clock.js";
import { messageOf } from "../core/kit/tools.js";
import { AsklineError } from "../core/model/error.js";
import { abortReason, untilAborted } from "../core/rules/abort.js";
import { FailedTry, malformed, unreachable } from "./failed-try.js";
import type { Http } from "./http.js";
import { linkSignal } from "./signals.js";
import { createSseParser, type SseMessage, type SseParser } from "./sse-parser.js";

export interface StreamOptions<T> {
  readonly path: string;
  readonly query?: Readonly<Record<string, string | undefined>> | undefined;
  readonly signal?: AbortSignal | undefined;
  /** The id to resume after. Called for each connection. */
  position(): string;
  /** The items of a message; undefined for a message that is no progress. May throw a {@link FailedTry}. */
  read(message: SseMessage): readonly T[] | undefined;
  /** The last id of a connection so far, with or without a message. */
  passed?(lastId: string): void;
  /** A connection has begun to send: the first one, or one after an outage. */
  readonly onConnected?: (() => void) | undefined;
}

// Three missed heartbeats.
const STALL_MS = 45_000;
// A connection that lived this long was a good one, even without an event: some proxies cut silent connections.
const STEADY_MS = 3_000;
const MAX_EVENT_LENGTH = 16 * 1_048_576;
const LONGEST_RETRY_MS = 60_000;

/** Ends when the signal aborts; throws `closed` when the client closes, and what the server refuses for good. */
export async function* streamMessages<T>(
  http: Http,
  clock: Clock,
  options: StreamOptions<T>,
): AsyncGenerator<T, void, void> {
  const { path, query, signal, onConnected } = options;
  const retries = http.retries();
  const linked = linkSignal(signal, http.life);
  try {
    for (;;) {
      if (linked.signal.aborted) throw abortReason(linked.signal);
      const base = http.current();
      const connection = linkSignal(linked.signal);
      let failed: FailedTry;
      let alive: number | undefined;
      try {
        const parser = createSseParser({ maxLength: MAX_EVENT_LENGTH });
        const call = { path, query, position: options.position(), signal: connection.signal };
        for await (const messages of openStream(http, clock, base, parser, call)) {
          if (alive === undefined) onConnected?.();
          alive ??= clock.monotonic();
          for (const message of messages) {
            const items = options.read(message);
            if (items === undefined) continue;
            retries.worked();
            yield* items;
            if (linked.signal.aborted) throw abortReason(linked.signal);
          }
          options.passed?.(parser.lastId);
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

function ended(base: string, retryMs = 0): FailedTry {
  const error = new AsklineError("unreachable", `${base} ended the event stream`);
  return new FailedTry(error, "here", { afterMs: Math.min(retryMs, LONGEST_RETRY_MS) });
}

interface StreamCall extends Pick<StreamOptions<unknown>, "path" | "query"> {
  readonly position: string;
  readonly signal: AbortSignal;
}

/** The messages of one connection, chunk by chunk. */
async function* openStream(
  http: Http,
  clock: Clock,
  base: string,
  parser: SseParser,
  { path, query = {}, position, signal }: StreamCall,
): AsyncGenerator<ReturnType<SseParser["push"]>, void, void> {
  const within = <T>(promise: Promise<T>): Promise<T> => untilStalled(clock, signal, base, promise);
  const response = await within(
    http.open(base, {
      method: "GET",
      path,
      query,
      headers: { accept: "text/event-stream", "last-event-id": position },
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
