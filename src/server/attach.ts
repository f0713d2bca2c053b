// Binds the handler to a server of node:http.

import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { getRequestListener } from "@hono/node-server";
import { AsklineError } from "../core/index.js";
import { upgradeUrl } from "./identify-upgrade.js";
import { ALREADY_SENT, rememberExchange } from "./node-requests.js";
import { type PlainResponse, plainOf, wholeResponse } from "./respond.js";

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
export function attachTo(nodeServer: Server, handle: Handle, refuse: Refuse, upgrade: Upgrade): void {
  const onRequest = getRequestListener(
    async (request, { incoming, outgoing }) => {
      // Only servers of node:http are attached, so these are its classes.
      const exchange = { incoming: incoming as IncomingMessage, outgoing: outgoing as ServerResponse };
      rememberExchange(request, exchange);
      const response = await handle(request);
      const plain = plainOf(response);
      if (plain === undefined) return response;
      writePlain(exchange.outgoing, plain);
      return ALREADY_SENT;
    },
    {
      // The host's program may hold on to the globals as they are.
      overrideGlobalObjects: false,
      errorHandler: (error) =>
        wholeResponse(
          refuse(
            error instanceof Error && error.name === "RequestError"
              ? new AsklineError("invalid_request", "this is no request that can be understood")
              : error,
          ),
        ),
    },
  );

  const onUpgrade = (incoming: IncomingMessage, socket: Duplex, head: Buffer): void => {
    const taken = upgrade(incoming, socket, head);
    // Others on this server may know the path.
    if (taken === undefined && nodeServer.listenerCount("upgrade") > 1) return;
    socket.on("error", () => socket.destroy());
    if (taken !== undefined) {
      void taken.then(
        (error) => error === undefined || writeRaw(socket, plainOf(refuse(error))),
        () => socket.destroy(),
      );
      return;
    }
    void handle(new Request(nowhere(incoming))).then(
      (response) => writeRaw(socket, plainOf(response)),
      () => socket.destroy(),
    );
  };

  const onClientError = (error: NodeJS.ErrnoException, socket: Duplex): void => {
    if (!socket.writable || error.code === "ECONNRESET") return void socket.destroy();
    const large = error.code === "HPE_HEADER_OVERFLOW";
    const message = large ? "the headers are too large" : "this is not HTTP as we know it";
    const code = large ? "too_large" : "invalid_request";
    writeRaw(socket, plainOf(refuse(new AsklineError(code, message))));
  };

  nodeServer.on("request", onRequest).on("upgrade", onUpgrade).on("clientError", onClientError);
}

function writePlain(outgoing: ServerResponse, { status, headers, body }: PlainResponse): void {
  if (outgoing.headersSent || outgoing.destroyed) return;
  if (status === 204) outgoing.writeHead(status, headers).end();
  else outgoing.writeHead(status, { ...headers, "content-length": Buffer.byteLength(body) }).end(body);
}

/** To a socket that node:http has let go of. */
function writeRaw(socket: Duplex, plain: PlainResponse | undefined): void {
  if (plain === undefined || !socket.writable) return void socket.destroy();
  const { status, headers, body } = plain;
  const lines = Object.entries({
    ...headers,
    connection: "close",
    "content-length": String(Buffer.byteLength(body)),
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\n${lines.join("")}\r\n${body}`);
}

/** Nobody takes upgrades to this path: whatever it is, as an upgrade it does not exist. */
function nowhere({ headers }: IncomingMessage): URL {
  return upgradeUrl({ headers, url: "/v1/upgrades" }) ?? new URL("http://invalid/");
}
