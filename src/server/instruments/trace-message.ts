import { AsklineError, type Tracing } from "../../core/index.js";
import type { GatewayMessage } from "../../dialects/gateway.js";
import type { Role } from "../gateway/connection.js";

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
