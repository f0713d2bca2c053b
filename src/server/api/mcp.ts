// The Model Context Protocol at /mcp, where the program that runs the server provides it. Bearer tokens of agents only.

import { AsklineError } from "../../core/model/error.js";
import { readJson } from "../http/read-body.js";
import type { PlainReply, Reply, StreamReply } from "../http/reply.js";
import type { Sink } from "../http/sink.js";
import type { Operation } from "../openapi/operation.js";
import type { Call, Route } from "../routing/call.js";
import { authorized } from "../routing/identify.js";

const MCP: Operation = {
  id: "mcp",
  summary: "The Model Context Protocol: tools with which any MCP client can ask",
  description:
    "Streamable HTTP, without sessions, for protocol revisions 2025-03-26 to 2026-07-28. See docs/mcp.md.",
  body: { schema: "McpMessage" },
  responses: {
    200: {
      description: "The response, as JSON or as an event stream.",
      schema: "McpMessage",
      streams: "McpMessage",
    },
    202: { description: "A notification was accepted." },
    // A problem, or an error of the protocol, such as a missing client capability.
    400: { description: "invalid_request, invalid_json", schema: "McpMessage" },
  },
  errors: ["not_found"],
};

export const mcpRoutes: readonly Route[] = [
  {
    path: "/mcp",
    methods: { POST: authorized({ roles: ["agent"], admin: false, sessions: true }, MCP, forward) },
  },
];

/** The headers that the protocol uses. */
const FORWARDED = ["accept", "mcp-protocol-version", "mcp-session-id", "mcp-method", "mcp-name"];

async function forward(call: Call): Promise<Reply> {
  const { services, request } = call;
  const [, token] = /^bearer +(\S+)$/i.exec(request.headers.get("authorization") ?? "") ?? [];
  if (services.mcp === undefined) {
    throw new AsklineError("not_found", "this server does not speak MCP; its owner can pass `mcp` to it");
  }
  if (token === undefined) {
    throw new AsklineError("unauthorized", "MCP needs a token of an agent as Authorization: Bearer <token>");
  }
  const headers = new Headers({ "content-type": "application/json" });
  for (const name of FORWARDED) {
    const value = request.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  const body = JSON.stringify((await readJson(call)) ?? null);
  const leaving = new AbortController();
  const stopListening = request.onHangUp(() => leaving.abort());
  const response = await services.mcp(
    new Request(request.url, { method: "POST", headers, body, signal: leaving.signal }),
    token,
  );
  const reply = { status: response.status, headers: Object.fromEntries(response.headers) };
  const { body: stream } = response;
  if (stream !== null && response.headers.get("content-type")?.startsWith("text/event-stream")) {
    return { ...reply, start: (sink) => void pump(stream, sink, leaving) } satisfies StreamReply;
  }
  const plain: PlainReply = { ...reply, body: await response.text() };
  stopListening();
  return plain;
}

async function pump(stream: ReadableStream<Uint8Array>, sink: Sink, leaving: AbortController): Promise<void> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  sink.onClose(() => {
    leaving.abort();
    reader.cancel().catch(() => undefined);
  });
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done || sink.closed) break;
      sink.write(decoder.decode(value, { stream: true }));
      await sink.drained();
    }
  } catch {
    // The handler failed after its first bytes: the client sees a stream without a response, and asks again.
  }
  sink.end("");
}
