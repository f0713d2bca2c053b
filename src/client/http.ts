// Requests to the client's servers, each retried until it succeeds, is refused for good or is aborted. A lost response
// means that a request may be sent twice: asks carry a key, settlements an idempotency key, the rest is idempotent.

import { jsonOf } from "../core/kit/json.js";
import { defined } from "../core/kit/tools.js";
import { AsklineError } from "../core/model/error.js";
import { abortReason, untilAborted } from "../core/rules/abort.js";
import { FailedTry, malformed, unreachable } from "./failed-try.js";
import { judgeResponse, readBody } from "./responses.js";
import { createRetries, type Retries, type RetryContext } from "./retries.js";
import { type Life, linkSignal } from "./signals.js";

export type Fetch = typeof globalThis.fetch;

export interface Call {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** JSON, serialised once, so that every try sends the same bytes. */
  readonly body?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface PatientCall extends Call {
  /** How long the server may hold the response. */
  readonly holdSeconds?: number | undefined;
  /** How long to retry after the first failure, in milliseconds. */
  readonly patienceMs?: number | undefined;
}

export interface Reply {
  readonly body: unknown;
  readonly headers: Headers;
}

export interface HttpOptions extends RetryContext {
  readonly fetch: Fetch;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The trace of the current request. */
  traceparent(): string | undefined;
  readonly life: Life;
  readonly patienceMs: number;
}

export interface Http {
  /** Rejects with an `AsklineError`, or with the reason of the signal that aborted it. */
  request<T>(call: PatientCall, read: (reply: Reply) => T): Promise<T>;
  /** One try; the caller reads the body. Rejects with a {@link FailedTry}. */
  open(base: string, call: Call): Promise<Response>;
  retries(limitMs?: number): Retries;
  /** The server to use now. */
  current(): string;
  readonly life: Life;
}

// A server that accepted a request and sends nothing for this long counts as failed.
const SILENCE_MS = 15_000;
// A held request that fails sooner met a server that stopped, not a proxy with a timeout.
const SHORTEST_CUT_MS = 2_000;
// After this, try longer holds again: the network may just have failed twice.
const CUT_FOR_MS = 600_000;
// Large enough for a page of large asks; bounds an endless response.
const MAX_BODY_BYTES = 64 * 1_048_576;

export function createHttp(options: HttpOptions): Http {
  const { clock, endpoints, life } = options;
  // Some proxies cut silent connections after a time that is not announced.
  let longestHold = 0;
  let cutUntil = 0;

  const open: Http["open"] = async (base, { method, path, query = {}, headers, body, signal }) => {
    let response: Response;
    const traceparent = options.traceparent();
    try {
      response = await options.fetch(`${base}${path}${queryText(query)}`, {
        method,
        headers: defined({
          ...options.headers,
          traceparent,
          "content-type": body && "application/json",
          ...headers,
        }),
        // A redirect would drop the token, or turn a POST into a GET.
        redirect: "manual",
        ...defined({ body, signal }),
      });
    } catch (error) {
      throw unreachable(base, error);
    }
    if (response.ok) return response;
    const text = await readBody(response, MAX_BODY_BYTES).catch((error) => {
      throw unreachable(base, error);
    });
    if (response.type === "opaqueredirect" || (response.status >= 300 && response.status < 400)) {
      const message = `${base} redirects to another address; use that one as the url`;
      throw new FailedTry(new AsklineError("unreachable", message), "never");
    }
    throw judgeResponse({ base, status: response.status, headers: response.headers, text, now: clock.now() });
  };

  const readReply = async <T>(base: string, call: Call, read: (reply: Reply) => T): Promise<T> => {
    const response = await open(base, call);
    const text = await readBody(response, MAX_BODY_BYTES).catch((error) => {
      throw error instanceof RangeError ? malformed(error.message) : unreachable(base, error);
    });
    const body = text === "" ? undefined : jsonOf(text);
    if (text !== "" && body === undefined) throw malformed("the body is not JSON");
    return read({ body, headers: response.headers });
  };

  /** One try; fails when the server is silent for too long, whatever `fetch` does. */
  const tryOnce = async <T>(
    base: string,
    call: PatientCall,
    signal: AbortSignal,
    read: (reply: Reply) => T,
  ): Promise<T> => {
    const linked = linkSignal(signal);
    const isCut = clock.monotonic() < cutUntil;
    const hold = call.holdSeconds && (isCut ? Math.min(call.holdSeconds, longestHold) : call.holdSeconds);
    const limit = (hold ?? 0) * 1_000 + SILENCE_MS;
    const cancel = clock.schedule(limit, () =>
      linked.abort(unreachable(base, `no response for ${limit / 1_000} seconds`)),
    );
    try {
      const held = { ...call, query: { ...call.query, wait: hold }, signal: linked.signal };
      return await untilAborted(linked.signal, readReply(base, held, read));
    } catch (error) {
      // Throw the reason of the abort, not the error that fetch makes of it.
      throw linked.signal.aborted ? abortReason(linked.signal) : error;
    } finally {
      cancel();
      linked.unlink();
    }
  };

  return {
    open,
    life,
    current: endpoints.current,
    retries: (limitMs) => createRetries(options, limitMs),
    async request(call, read) {
      const linked = linkSignal(call.signal, life);
      const retries = createRetries(options, call.patienceMs ?? options.patienceMs);
      // If a proxy cut a held request before, one more cut is enough.
      let lasted = cutUntil && Number.POSITIVE_INFINITY;
      try {
        for (;;) {
          if (linked.signal.aborted) throw abortReason(linked.signal);
          const base = endpoints.current();
          const began = clock.monotonic();
          try {
            return await tryOnce(base, call, linked.signal, read);
          } catch (error) {
            if (!(error instanceof FailedTry)) throw error;
            const before = lasted;
            lasted = clock.monotonic() - began;
            // Twice in a row, so that a server that crashes during a hold does not count.
            const isLost = call.holdSeconds && error.error.code === "unreachable";
            if (isLost && Math.min(before, lasted) > SHORTEST_CUT_MS) {
              longestHold = Math.floor(lasted / 1_000) - 1;
              cutUntil = clock.monotonic() + CUT_FOR_MS;
            }
            await retries.after(error, base, linked.signal);
          }
        }
      } finally {
        linked.unlink();
      }
    },
  };
}

function queryText(query: NonNullable<Call["query"]>): string {
  const entries = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
  );
  return entries.length === 0 ? "" : `?${entries.join("&")}`;
}

/** The path of one ask. An id that would change the URL's path cannot exist: `not_found`. */
export function askPath(id: string, action?: string): string {
  if (!/^[^./\s\\][^/\s\\]*$/.test(id)) throw notFound(id);
  try {
    return `/v1/asks/${encodeURIComponent(id)}${action === undefined ? "" : `/${action}`}`;
  } catch {
    // A lone surrogate cannot be encoded.
    throw notFound(id);
  }
}

export function notFound(id: string): AsklineError {
  return new AsklineError("not_found", `there is no ask ${JSON.stringify(id)}`);
}
