// Binds the handler to a server of node:http: its connections, requests, upgrades and errors.

import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { AsklineError, type Clock } from "../../core/index.js";
import type { ServerLimits } from "./limits.js";
import { type PlainReply, type Reply, rawReply, type StreamReply } from "./reply.js";
import { nodeRequest, type ServerRequest } from "./request.js";
import { nodeSink } from "./sink.js";
import { upgradeUrl } from "./upgrades.js";

/** How long the other end may take to read what it was refused with. */
const LINGER_MS = 1_000;

type Handle = (request: ServerRequest) => Promise<Reply>;
type Refuse = (error: unknown) => PlainReply;

/**
 * Takes an upgrade to a path that it knows; undefined for any other. Resolves with the error that the other
 * end is to be told, or with undefined once the connection stands.
 */
export type Upgrade = (
  incoming: IncomingMessage,
  socket: Duplex,
  head: Buffer,
) => Promise<unknown> | undefined;

export interface AttachContext {
  readonly clock: Clock;
  readonly limits: Required<ServerLimits>;
  /** Counts a connection; throws where its address has too many. */
  readonly connect: (connection: Socket) => void;
  /** Whether the server stops: then no connection is kept for another request. */
  readonly isClosing: () => boolean;
}

/** Serves everything that comes to the node server. */
export function attachTo(
  nodeServer: Server,
  handle: Handle,
  refuse: Refuse,
  upgrade: Upgrade,
  context: AttachContext,
): void {
  const respond = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    try {
      const reply = await handle(nodeRequest(incoming, outgoing));
      if ("held" in reply) sendLater(reply.held, outgoing, context);
      else send(reply, outgoing, context);
    } catch (error) {
      // Node has not parsed what came behind the headers yet. Garbage there closes the connection, so no reply may
      // promise before that to keep it.
      await undefined;
      send(refuse(error), outgoing, context);
    }
  };
  const onRequest = (incoming: IncomingMessage, outgoing: ServerResponse): void =>
    void respond(incoming, outgoing).catch(() => outgoing.destroy());

  /** Drops a connection of an address that has too many: a server has only so many files to open. */
  const onConnection = (socket: Socket): void => {
    try {
      context.connect(socket);
    } catch (error) {
      // Destroyed without waiting for the reader: it would stay open all the same.
      socket.end(rawReply(refuse(error)), () => socket.destroy());
    }
  };

  const onUpgrade = (incoming: IncomingMessage, socket: Duplex, head: Buffer): void => {
    const taken = wantsWebSocket(incoming) ? upgrade(incoming, socket, head) : undefined;
    // Others on this server may know the path.
    if (taken === undefined && nodeServer.listenerCount("upgrade") > 1) return;
    if (!wantsWebSocket(incoming)) return void serveWithoutUpgrade(nodeServer, incoming, socket, head);
    socket.on("error", () => socket.destroy());
    const refused =
      taken?.then((error) => (error === undefined ? undefined : refuse(error))) ?? handle(nowhere(incoming));
    void refused.then(
      (reply) => reply === undefined || writeRaw(socket, reply, context),
      () => socket.destroy(),
    );
  };

  const onClientError = (error: NodeJS.ErrnoException, socket: Duplex): void => {
    // Behind the beginning of a response, another one would only be garbage.
    const answered = (socket as { readonly _httpMessage?: ServerResponse | null })._httpMessage?.headersSent;
    if (!socket.writable || error.code === "ECONNRESET" || answered) return void socket.destroy();
    writeRaw(socket, refuse(clientErrorOf(error.code)), context);
  };

  nodeServer.on("connection", onConnection);
  // An unknown expectation is no reason to refuse a request; Node would, in a shape of its own.
  nodeServer.on("checkExpectation", onRequest);
  nodeServer.on("request", onRequest).on("upgrade", onUpgrade).on("clientError", onClientError);
}

/** Apart from where the request is handled, so that the request is not kept. */
function sendLater(held: Promise<PlainReply>, outgoing: ServerResponse, context: AttachContext): void {
  void held.then(
    (reply) => send(reply, outgoing, context),
    () => outgoing.destroy(),
  );
}

function send(reply: PlainReply | StreamReply, outgoing: ServerResponse, context: AttachContext): void {
  const { status, headers } = reply;
  if ("start" in reply) {
    if (!outgoing.destroyed) outgoing.writeHead(status, headers);
    // Also where the reader is gone already: then the stream ends at once, and gives back what it holds.
    reply.start(nodeSink(outgoing, context.clock));
    return;
  }
  if (outgoing.headersSent || outgoing.destroyed) return;
  if (context.isClosing()) outgoing.setHeader("connection", "close");
  const { body } = reply;
  const isEmpty = status === 204 || (body === "" && outgoing.req.method === "HEAD");
  const length = isEmpty ? {} : { "content-length": Buffer.byteLength(body) };
  outgoing.writeHead(status, { ...headers, ...length }).end(body);
  cutOffSlowReader(outgoing, context);
}

/** To a socket that node:http has let go of; whether the other end reads it or not, it is closed then. */
function writeRaw(socket: Duplex, reply: Reply, { clock }: AttachContext): void {
  if (!("body" in reply) || !socket.writable) return void socket.destroy();
  socket.end(rawReply(reply));
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
      return new AsklineError("invalid_request", "malformed HTTP request");
  }
}

/** Nothing takes upgrades to this path: as an upgrade it does not exist. */
function nowhere({ headers }: IncomingMessage): ServerRequest {
  const url = upgradeUrl({ headers, url: "/v1/upgrades" }) ?? new URL("http://invalid/");
  return { method: "GET", url, headers: new Headers(), onHangUp: () => () => undefined };
}

/**
 * Cuts off a reader that does not take the response. One that is merely slow keeps going, by as much as
 * a stream may hold for it in the same time. Costs nothing where all of it went out at once.
 */
function cutOffSlowReader(outgoing: ServerResponse, { clock, limits }: AttachContext): void {
  let left = outgoing.writableLength;
  if (left === 0) return;
  let cancel = (): void => undefined;
  const watch = (): void => {
    cancel = clock.schedule(limits.slowReaderMs, () => {
      const taken = left - outgoing.writableLength;
      if (taken < Math.min(left, limits.streamBuffer)) return void outgoing.destroy();
      left = outgoing.writableLength;
      watch();
    });
  };
  watch();
  outgoing.once("close", () => cancel());
}

// `Upgrade: h2c`, as curl sends with --http2, is an offer that a server may ignore. Node stops reading HTTP at any
// upgrade once somebody listens for one, so the request goes back to it without the offer.

/** Whether somebody wants a WebSocket, and not some other protocol that we do not speak. */
function wantsWebSocket({ headers }: Pick<IncomingMessage, "headers">): boolean {
  return /(^|,)\s*websocket\s*($|,|\/)/i.test(headers.upgrade ?? "");
}

/** Has the node server read the request again, as plain HTTP; its body too, which is still to come. */
function serveWithoutUpgrade(
  nodeServer: Server,
  incoming: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): void {
  socket.unshift(Buffer.concat([Buffer.from(headText(incoming), "latin1"), head]));
  nodeServer.emit("connection", socket);
}

function headText({ method, url, httpVersion, rawHeaders }: IncomingMessage): string {
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? "";
    const value = rawHeaders[index + 1] ?? "";
    switch (name.toLowerCase()) {
      case "upgrade":
      case "http2-settings":
        break;
      case "connection": {
        const kept = value.split(",").filter((word) => !/^\s*(upgrade|http2-settings)\s*$/i.test(word));
        if (kept.length > 0) lines.push(`${name}: ${kept.join(",")}`);
        break;
      }
      default:
        lines.push(`${name}: ${value}`);
    }
  }
  return `${lines.join("\r\n")}\r\n\r\n`;
}
