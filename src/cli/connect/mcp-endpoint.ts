// `askline mcp --http`: an HTTP endpoint on loopback that checks each token at the server behind it.

import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import type { ReadableStream as NodeReadableStream } from "node:stream/web";
import type { McpHttp } from "../../agents/mcp/http.js";
import { messageOf } from "../../core/kit/tools.js";
import { isLoopback } from "../../server/access/hosts.js";
import { readAll } from "../input/read-json.js";
import type { ServerFetch } from "./server-fetch.js";

const MOST_BYTES = 2 * 1024 * 1024;
/** How long a token is known to be valid. The server behind checks it again with each ask. */
const KNOWN_MS = 30_000;

type Refusal = readonly [status: number, message: string];
const NO_TOKEN: Refusal = [401, "send a token of the server as Authorization: Bearer"];
const NOT_AN_AGENT: Refusal = [
  403,
  "the token is a person's; only an agent's may ask (askline token create --role agent)",
];

export function nodeFetchHandler(
  http: McpHttp,
  serverUrl: string,
  fetch: ServerFetch,
): (incoming: IncomingMessage, outgoing: ServerResponse) => void {
  const known = new Map<string, number>();
  /** Why the server would refuse the token at its own /mcp; undefined if it would not. */
  const refusalOf = async (token: string): Promise<Refusal | undefined> => {
    if ((known.get(token) ?? 0) > performance.now()) return undefined;
    // Only agents may, and there is no such ask, so that nothing happens.
    const { status } = await fetch(`${serverUrl}/v1/asks/none/resume`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}` },
      redirect: "manual",
      signal: AbortSignal.timeout(5_000),
    });
    if (status === 403) return NOT_AN_AGENT;
    if (status === 401) return NO_TOKEN;
    if (status !== 404) throw new Error(`the server could not check the token: status ${status}`);
    if (known.size > 1_000) known.clear();
    known.set(token, performance.now() + KNOWN_MS);
    return undefined;
  };

  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const url = new URL(incoming.url ?? "/", `http://${incoming.headers.host ?? "localhost"}`);
    // A page of another site must not reach it, by name or by script.
    if (!isLoopback(url.hostname)) return refuse(outgoing, 421, "this endpoint is reached as 127.0.0.1 only");
    const { origin = url.origin } = incoming.headers;
    if (origin !== url.origin)
      return refuse(outgoing, 403, `not for pages of other origins than ${url.origin}`);
    if (url.pathname !== "/mcp") return refuse(outgoing, 404, "the MCP endpoint is /mcp");
    const [, token] = /^bearer +(\S+)$/i.exec(incoming.headers.authorization ?? "") ?? [];
    const refusal = token === undefined ? NO_TOKEN : await refusalOf(token);
    if (token === undefined || refusal !== undefined) {
      if (refusal === NO_TOKEN) outgoing.setHeader("www-authenticate", 'Bearer realm="askline"');
      return refuse(outgoing, ...(refusal ?? NO_TOKEN));
    }
    const body = await readAll(incoming, MOST_BYTES);
    if (body === undefined) return refuse(outgoing, 413, `the body is larger than ${MOST_BYTES} bytes`);
    const leaving = new AbortController();
    outgoing.once("close", () => leaving.abort());
    const request = new Request(url, {
      method: incoming.method ?? "GET",
      headers: Object.entries(incoming.headers).flatMap(([name, value]) =>
        typeof value === "string" ? [[name, value] as [string, string]] : [],
      ),
      ...(body.length > 0 && { body }),
      signal: leaving.signal,
    });
    const response = await http.fetch(request, token);
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    if (response.body === null) return void outgoing.end();
    // Errors mean that the reader is gone.
    Readable.fromWeb(response.body as NodeReadableStream)
      .on("error", () => outgoing.destroy())
      .pipe(outgoing);
  };

  return (incoming, outgoing) => {
    answer(incoming, outgoing).catch((error: unknown) => {
      if (!outgoing.headersSent) refuse(outgoing, 502, messageOf(error));
      else outgoing.destroy();
    });
  };
}

function refuse(outgoing: ServerResponse, status: number, message: string): void {
  outgoing.writeHead(status, { "content-type": "application/json" });
  outgoing.end(JSON.stringify({ jsonrpc: "2.0", id: null, error: { code: -32_000, message } }));
}
