import type { IncomingMessage, ServerResponse } from "node:http";

/** What lies under a request that came over node:http: the quick way to its body and its response. */
export interface NodeExchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  /** Sends a response that was not ready when the handler returned, which then said {@link ALREADY_SENT}. */
  answer(response: Response): void;
}

// Kept beside the requests, not in them: a framework that mounts the handler passes requests of its own.
const exchanges = new WeakMap<Request, NodeExchange>();

export function rememberExchange(request: Request, exchange: NodeExchange): void {
  exchanges.set(request, exchange);
}

export function exchangeOf(request: Request): NodeExchange | undefined {
  return exchanges.get(request);
}

const later = new WeakMap<Request, Promise<Response>>();

/** The handling of this request ends without a response, and the response comes by itself. */
export function rememberLater(request: Request, response: Promise<Response>): void {
  later.set(request, response);
}

export function laterOf(request: Request): Promise<Response> | undefined {
  return later.get(request);
}

/** Calls back when the sender is gone, or has its response; the result takes that back. */
export type HangUp = (heard: () => void) => () => void;

/**
 * Over node:http without the request's own signal: that is made together with a whole Request of another kind,
 * which every one that is held would keep.
 */
export function hangUpOf(request: Request): HangUp {
  const outgoing = exchangeOf(request)?.outgoing;
  return outgoing === undefined ? hangUpBySignal(request.signal) : hangUpByClose(outgoing);
}

function hangUpByClose(outgoing: ServerResponse): HangUp {
  return (heard) => {
    outgoing.once("close", heard);
    if (outgoing.closed) heard();
    return () => outgoing.off("close", heard);
  };
}

function hangUpBySignal(signal: AbortSignal): HangUp {
  return (heard) => {
    signal.addEventListener("abort", heard, { once: true });
    if (signal.aborted) heard();
    return () => signal.removeEventListener("abort", heard);
  };
}

/** The handler has written the response itself, or will. */
export const ALREADY_SENT: Response = new Response(null, { headers: { "x-hono-already-sent": "true" } });
