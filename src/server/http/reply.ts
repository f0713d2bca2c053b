// What a handler returns: a plain value until it is sent, over node:http or as a Fetch response.

import { STATUS_CODES } from "node:http";
import { type AsklineError, meaningOf } from "../../core/model/error.js";
import type { Sink } from "./sink.js";

export interface PlainReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array<ArrayBuffer>;
}

/** Events, written for as long as the reader stays connected. */
export interface StreamReply extends Omit<PlainReply, "body"> {
  readonly start: (sink: Sink) => void;
}

/** A reply that is not ready yet. It does not keep its request in memory. */
export interface HeldReply {
  readonly held: Promise<PlainReply>;
}

export type Reply = PlainReply | StreamReply | HeldReply;

export function json(
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): PlainReply {
  return {
    status,
    headers: {
      "content-type": "application/json; charset=utf-8",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      ...headers,
    },
    body: JSON.stringify(value),
  };
}

export function noContent(): PlainReply {
  return { status: 204, headers: { "cache-control": "no-store" }, body: "" };
}

export function withHeader<R extends PlainReply | StreamReply>(reply: R, name: string, value: string): R {
  return { ...reply, headers: { ...reply.headers, [name]: value } };
}

export const EVENT_STREAM_HEADERS: Readonly<Record<string, string>> = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  // Proxies of the nginx kind would hold events back to fill a buffer.
  "x-accel-buffering": "no",
};

/** The shape of every error. */
export function problemBody({ code, message, issues, outcome }: AsklineError): object {
  return { error: { code, message, issues, outcome } };
}

export function problem(error: AsklineError): PlainReply {
  return json(meaningOf(error.code).status, problemBody(error), problemHeaders(error));
}

/** Headers that HTTP requires for a status. */
export function problemHeaders({
  code,
  retryAfterMs = 1_000,
}: Pick<AsklineError, "code" | "retryAfterMs">): Readonly<Record<string, string>> {
  const status = meaningOf(code).status;
  if (status === 401) return { "www-authenticate": `Bearer realm="askline"` };
  // The unread rest of the body would be parsed as the next request.
  if (status === 413 || status === 408) return { connection: "close" };
  if (status !== 503 && status !== 429) return {};
  const retryAfter = { "retry-after": String(Math.max(1, Math.ceil(retryAfterMs / 1_000))) };
  // The next request should reach another server, or this one after its restart.
  return code === "closed" ? { ...retryAfter, connection: "close" } : retryAfter;
}

/** A reply as text, for a connection that node:http no longer serves and that closes afterwards. */
export function rawReply({ status, headers, body }: PlainReply): string {
  const lines = Object.entries({
    ...headers,
    connection: "close",
    "content-length": String(Buffer.byteLength(body)),
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  // Only refusals are sent this way, and they are text.
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\n${lines.join("")}\r\n${body}`;
}
