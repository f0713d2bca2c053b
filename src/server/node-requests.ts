import type { IncomingMessage, ServerResponse } from "node:http";

/** What lies under a request that came over node:http: the quick way to its body and its response. */
export interface NodeExchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

// Kept beside the requests, not in them: a framework that mounts the handler passes requests of its own.
const exchanges = new WeakMap<Request, NodeExchange>();

export function rememberExchange(request: Request, exchange: NodeExchange): void {
  exchanges.set(request, exchange);
}

export function exchangeOf(request: Request): NodeExchange | undefined {
  return exchanges.get(request);
}

/** The handler has written the response itself. */
export const ALREADY_SENT: Response = new Response(null, { headers: { "x-hono-already-sent": "true" } });
