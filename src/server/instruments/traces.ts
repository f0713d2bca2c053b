import { AsklineError, type Tracing } from "../../core/index.js";
import type { GatewayMessage } from "../../dialects/gateway.js";
import type { Role } from "../gateway/connection.js";
import type { PlainReply, Reply, StreamReply } from "../reply.js";
import type { ServerRequest } from "../request.js";

/** Answers a request as a span of the trace that its sender is in. */
export function traceRequest(
  tracing: Tracing,
  requestId: string,
  request: ServerRequest,
  route: string,
  answer: () => Promise<Reply>,
): Promise<PlainReply | StreamReply> {
  const options = {
    kind: "server",
    parent: request.headers.get("traceparent") ?? undefined,
    facts: {
      "http.request.method": request.method,
      "http.route": route,
      "askline.request.id": requestId,
    },
  } as const;
  return tracing.span(`${request.method} ${route}`, options, async (span) => {
    const answered = await answer();
    // The span lasts for as long as the request is held.
    const reply = "held" in answered ? await answered.held : answered;
    span.set({ "http.response.status_code": reply.status });
    if (reply.status >= 500) span.fail(String(reply.status));
    return reply;
  });
}

/**
 * Deals with a message of the gateway as a span. Its frames have no place for a traceparent, so each message is the
 * root of a trace; an ask keeps that of its message, and what ends it is linked as over HTTP.
 */
export function traceMessage(tracing: Tracing, role: Role, message: GatewayMessage): Promise<unknown> {
  const options = { kind: "server", facts: { "askline.gateway.role": role.name } } as const;
  return tracing.span(`askline.gateway.${message.kind}`, options, async (span) => {
    const refused = await role.take(message);
    // The message may hold what was asked or answered.
    if (refused !== undefined) span.fail(refused instanceof AsklineError ? refused.code : "internal");
  });
}
