// `askline mcp --http`: an HTTP endpoint on loopback that checks each token at the server behind it.

import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import type { ReadableStream as NodeReadableStream } from "node:stream/web";
import type { McpHttp } from "../../adapters/mcp/index.js";
import { messageOf } from "../../core/kit/tools.js";
import { isLoopback } from "../../server/access/hosts.js";

const MOST_BYTES = 2 * 1024 * 1024;
/** How long a token is known to be valid. The server behind checks it again with each ask. */
const KNOWN_MS = 30_000;

export function nodeFetchHandler(
  http: McpHttp,
  serverUrl: string,
): (incoming: IncomingMessage, outgoing: ServerResponse) => void {
  const known = new Map<string, number>();
  const isValid = async (token: string): Promise<boolean> => {
    if ((known.get(token) ?? 0) > performance.now()) return true;
    const response = await fetch(`${serverUrl}/v1/server`, {
      headers: { authorization: `Bearer ${token}` },
      redirect: "manual",
      signal: AbortSignal.timeout(5_000),
    });
    if (!response.ok) return false;
    if (known.size > 1_000) known.clear();
    known.set(token, performance.now() + KNOWN_MS);
    return true;
  };

  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const url = new URL(incoming.url ?? "/", `http://${incoming.headers.host ?? "localhost"}`);
    // A page of another site must not reach it, by name or by script.
    if (!isLoopback(url.hostname)) return refuse(outgoing, 421, "this endpoint is reached as 127.0.0.1 only");
    if (incoming.headers.origin !== undefined) return refuse(outgoing, 403, "not for web pages");
    if (url.pathname !== "/mcp") return refuse(outgoing, 404, "the MCP endpoint is /mcp");
    const [, token] = /^bearer +(\S+)$/i.exec(incoming.headers.authorization ?? "") ?? [];
    if (token === undefined || !(await isValid(token))) {
      outgoing.setHeader("www-authenticate", 'Bearer realm="askline"');
      return refuse(outgoing, 401, "send a token of the server as Authorization: Bearer");
    }
    const body = await readBody(incoming);
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

/** Undefined for one that is too large. */
async function readBody(incoming: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of incoming) {
    length += (chunk as Buffer).length;
    if (length > MOST_BYTES) return undefined;
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString("utf8");
}
