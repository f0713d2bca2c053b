// What a route answers with. It is a plain value until it is sent, over node:http or as a Fetch response.

import { STATUS_CODES } from "node:http";
import type { AsklineError } from "../../core/index.js";
import { meaningOf } from "../../core/model/error.js";
import type { Sink } from "./sink.js";

export interface PlainReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Events that are written for as long as the reader stays. */
export interface StreamReply extends Omit<PlainReply, "body"> {
  readonly start: (sink: Sink) => void;
}

/** A reply that is not ready yet. Nothing of its request is kept until then. */
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

/** The one shape of every error. */
export function problemBody({ code, message, issues, outcome }: AsklineError): object {
  return {
    error: {
      code,
      message,
      ...(issues !== undefined && { issues }),
      ...(outcome !== undefined && { outcome }),
    },
  };
}

export function problem(error: AsklineError): PlainReply {
  return json(meaningOf(error.code).status, problemBody(error), problemHeaders(error));
}

/** What HTTP wants said beside the status. */
export function problemHeaders({
  code,
  retryAfterMs = 1_000,
}: Pick<AsklineError, "code" | "retryAfterMs">): Readonly<Record<string, string>> {
  const status = meaningOf(code).status;
  if (status === 401) return { "www-authenticate": `Bearer realm="askline"` };
  // What was not read of the body would be taken for the next request.
  if (status === 413 || status === 408) return { connection: "close" };
  if (status !== 503 && status !== 429) return {};
  const retryAfter = { "retry-after": String(Math.max(1, Math.ceil(retryAfterMs / 1_000))) };
  // The next request is for another server, or for this one after a restart.
  return code === "closed" ? { ...retryAfter, connection: "close" } : retryAfter;
}

/** The text of a reply, for a connection that node:http does not serve and that is closed behind it. */
export function rawReply({ status, headers, body }: PlainReply): string {
  const lines = Object.entries({
    ...headers,
    connection: "close",
    "content-length": String(Buffer.byteLength(body)),
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\n${lines.join("")}\r\n${body}`;
}
