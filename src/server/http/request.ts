// A request as the routes see it: the same whether it came over node:http or as a Fetch request.

import type { IncomingMessage, ServerResponse } from "node:http";
import { AsklineError } from "../../core/model/error.js";

export interface ServerRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: RequestHeaders;
  /** Undefined for a Fetch request: its sender's address is not known. */
  readonly incoming?: IncomingMessage;
  /** The body of a Fetch request. */
  readonly body?: ReadableStream<Uint8Array> | null;
  readonly onHangUp: OnHangUp;
}

/** Names are case-insensitive; repeated headers are joined, as in Fetch. */
export type RequestHeaders = Pick<Headers, "get">;

/** Calls the listener once the sender is gone or has its response; the result removes the listener. */
export type OnHangUp = (listener: () => void) => () => void;

export function fetchRequest(request: Request): ServerRequest {
  const { method, headers, body, signal } = request;
  return {
    ...{ method, headers, body },
    url: new URL(request.url),
    onHangUp(listener) {
      signal.addEventListener("abort", listener, { once: true });
      if (signal.aborted) listener();
      return () => signal.removeEventListener("abort", listener);
    },
  };
}

/** Throws `invalid_request` if host and target do not form a URL. */
export function nodeRequest(incoming: IncomingMessage, outgoing: ServerResponse): ServerRequest {
  return {
    method: incoming.method ?? "GET",
    url: urlOf(incoming),
    headers: headersOf(incoming),
    incoming,
    onHangUp: hangUpOf(outgoing),
  };
}

/** A separate closure: a held response keeps this function, and must not keep the request alive. */
function hangUpOf(outgoing: ServerResponse): OnHangUp {
  return (listener) => {
    outgoing.once("close", listener);
    if (outgoing.closed) listener();
    return () => outgoing.off("close", listener);
  };
}

/** Reads the raw headers, which node:http keeps anyway; its parsed headers would cost memory per open request. */
export function headersOf({ rawHeaders }: Pick<IncomingMessage, "rawHeaders">): RequestHeaders {
  return {
    get(name) {
      const wanted = name.toLowerCase();
      let found: string | null = null;
      for (let index = 0; index < rawHeaders.length; index += 2) {
        const key = rawHeaders[index] ?? "";
        if (key.length !== wanted.length || key.toLowerCase() !== wanted) continue;
        const value = rawHeaders[index + 1] ?? "";
        found = found === null ? value : `${found}${wanted === "cookie" ? "; " : ", "}${value}`;
      }
      return found;
    },
  };
}

/** The target as the client sent it: Express and Connect remove the path of a mount from `url`. */
function targetOf(incoming: IncomingMessage & { readonly originalUrl?: unknown }): string {
  const { originalUrl, url = "" } = incoming;
  return typeof originalUrl === "string" ? originalUrl : url;
}

/** The URL as far as its path matters; undefined if the target has none. */
export function pathUrl(incoming: IncomingMessage): URL | undefined {
  const target = targetOf(incoming);
  const text = target.startsWith("/") ? `http://localhost${target}` : target;
  return URL.canParse(text) ? new URL(text) : undefined;
}

/** What is wrong with the Host header that the client sent. */
const NO_HOST = "missing or malformed Host header; send one Host header, the host of the URL";
const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d+)?$/i;

/** Two of them count as one that is malformed: programs disagree on which one counts. */
export function requireHost(incoming: IncomingMessage): void {
  // Node's own `headers` has only the first of two.
  if (!HOST.test(headersOf(incoming).get("host") ?? "")) throw new AsklineError("invalid_request", NO_HOST);
}

function urlOf(incoming: IncomingMessage): URL {
  const { socket } = incoming;
  const host = headersOf(incoming).get("host") ?? "";
  const target = targetOf(incoming);
  const scheme = "encrypted" in socket ? "https" : "http";
  const isAbsolute = /^https?:\/\//.test(target);
  if (!isAbsolute || host !== "") requireHost(incoming);
  const text = isAbsolute ? target : `${scheme}://${host}${target}`;
  const url = (isAbsolute || target.startsWith("/")) && URL.canParse(text) ? new URL(text) : undefined;
  // Programs disagree on whether a backslash separates parts of a path.
  const hasBackslash = target.split("?", 1)[0]?.includes("\\");
  if (url === undefined || hasBackslash || url.username !== "" || url.password !== "") {
    throw new AsklineError("invalid_request", "malformed request target; send a path, such as /v1/asks");
  }
  return url;
}
