// Binds the handler to a server of node:http.

import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { getRequestListener } from "@hono/node-server";
import { AsklineError } from "../core/index.js";
import { serveWithoutUpgrade, wantsWebSocket } from "./doors/plain-upgrades.js";
import { cutOffSlowReader, type DoorContext } from "./doors/slow-readers.js";
import { upgradeUrl } from "./identify-upgrade.js";
import { lastWords } from "./last-words.js";
import { ALREADY_SENT, type NodeExchange, rememberExchange } from "./node-requests.js";
import { type PlainResponse, plainOf, wholeResponse } from "./respond.js";

/** How long the other end may take to read what it was refused with. */
const LINGER_MS = 1_000;

type Handle = (request: Request) => Promise<Response>;
type Refuse = (error: unknown) => Response;

/**
 * Takes an upgrade to a path that it knows; undefined for any other. Resolves with the error that the other
 * end is to be told, or with undefined once the connection stands.
 */
export type Upgrade = (
  incoming: IncomingMessage,
  socket: Duplex,
  head: Buffer,
) => Promise<unknown> | undefined;

/** Serves everything that comes to the node server. */
export function attachTo(
  nodeServer: Server,
  handle: Handle,
  refuse: Refuse,
  upgrade: Upgrade,
  context: DoorContext,
): void {
  const onRequest = getRequestListener(
    async (request, { incoming, outgoing }) => {
      // Only servers of node:http are attached, so these are its classes.
      const exchange = exchangeWith(incoming as IncomingMessage, outgoing as ServerResponse, context);
      rememberExchange(request, exchange);
      const response = await handle(request);
      if (plainOf(response) === undefined) return response;
      exchange.answer(response);
      return ALREADY_SENT;
    },
    {
      // The host's program may hold on to the globals as they are.
      overrideGlobalObjects: false,
      errorHandler: (error) =>
        wholeResponse(
          refuse(error instanceof Error && error.name === "RequestError" ? misunderstood(error) : error),
        ),
    },
  );

  const onUpgrade = (incoming: IncomingMessage, socket: Duplex, head: Buffer): void => {
    const taken = wantsWebSocket(incoming) ? upgrade(incoming, socket, head) : undefined;
    // Others on this server may know the path.
    if (taken === undefined && nodeServer.listenerCount("upgrade") > 1) return;
    if (!wantsWebSocket(incoming)) return void serveWithoutUpgrade(nodeServer, incoming, socket, head);
    socket.on("error", () => socket.destroy());
    if (taken !== undefined) {
      void taken.then(
        (error) => error === undefined || writeRaw(socket, plainOf(refuse(error)), context),
        () => socket.destroy(),
      );
      return;
    }
    void handle(new Request(nowhere(incoming))).then(
      (response) => writeRaw(socket, plainOf(response), context),
      () => socket.destroy(),
    );
  };

  const onClientError = (error: NodeJS.ErrnoException, socket: Duplex): void => {
    // Behind the beginning of a response, another one would only be garbage.
    const answered = (socket as { readonly _httpMessage?: ServerResponse | null })._httpMessage?.headersSent;
    if (!socket.writable || error.code === "ECONNRESET" || answered) return void socket.destroy();
    writeRaw(socket, plainOf(refuse(clientErrorOf(error.code))), context);
  };

  // What nobody knows to expect is no reason to refuse a request; Node would, in a shape of its own.
  nodeServer.on("checkExpectation", onRequest);
  nodeServer.on("request", onRequest).on("upgrade", onUpgrade).on("clientError", onClientError);
}

/** Not made where the request is handled: what it keeps would include the request. */
function exchangeWith(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  context: DoorContext,
): NodeExchange {
  return {
    incoming,
    outgoing,
    answer(response) {
      const plain = plainOf(response);
      if (plain !== undefined) writePlain(outgoing, plain, context);
    },
  };
}

function writePlain(
  outgoing: ServerResponse,
  { status, headers, body }: PlainResponse,
  context: DoorContext,
): void {
  if (outgoing.headersSent || outgoing.destroyed) return;
  if (context.isClosing()) outgoing.setHeader("connection", "close");
  if (status === 204) outgoing.writeHead(status, headers).end();
  else outgoing.writeHead(status, { ...headers, "content-length": Buffer.byteLength(body) }).end(body);
  cutOffSlowReader(outgoing, context);
}

/** To a socket that node:http has let go of; whether the other end reads it or not, it is closed then. */
function writeRaw(socket: Duplex, plain: PlainResponse | undefined, { clock }: DoorContext): void {
  if (plain === undefined || !socket.writable) return void socket.destroy();
  socket.end(lastWords(plain));
  const cancel = clock.schedule(LINGER_MS, () => socket.destroy());
  socket.once("close", cancel);
}

function clientErrorOf(code: string | undefined): AsklineError {
  switch (code) {
    case "HPE_HEADER_OVERFLOW":
      return new AsklineError("too_large", "the headers are too large");
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return new AsklineError("request_timeout", "the request took too long to come; send it again, faster");
    default:
      return new AsklineError("invalid_request", "this is not HTTP as we know it");
  }
}

function misunderstood({ message }: Error): AsklineError {
  return new AsklineError(
    "invalid_request",
    /host header/i.test(message)
      ? "this request does not say which host it is for; send one Host header, such as that of the URL"
      : "this is no request that can be understood",
  );
}

/** Nobody takes upgrades to this path: whatever it is, as an upgrade it does not exist. */
function nowhere({ headers }: IncomingMessage): URL {
  return upgradeUrl({ headers, url: "/v1/upgrades" }) ?? new URL("http://invalid/");
}
