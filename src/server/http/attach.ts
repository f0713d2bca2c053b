// Connects the handler to a node:http server: connections, requests, upgrades and errors.

import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { Clock } from "../../core/kit/clock.js";
import { AsklineError } from "../../core/model/error.js";
import type { ServerLimits } from "./limits.js";
import { json, type PlainReply, type Reply, rawReply, type StreamReply } from "./reply.js";
import { nodeRequest, pathUrl, type ServerRequest } from "./request.js";
import { nodeSink } from "./sink.js";
import { type Upgrade, upgradeUrl } from "./upgrades.js";

/** How long the client may take to read a refusal. */
const LINGER_MS = 1_000;

type Handle = (request: ServerRequest) => Promise<Reply>;
type Refuse = (error: unknown) => PlainReply;

/** A request listener of node:http that is also middleware of Express and Connect. */
export type NodeHandler = (incoming: IncomingMessage, outgoing: ServerResponse, next?: () => void) => void;

export interface AttachContext {
  readonly handle: Handle;
  readonly refuse: Refuse;
  /** Whether the server has a route for this URL. */
  readonly serves: (url: URL) => boolean;
  readonly upgrade: Upgrade;
  /** The URL with its path below the base path; undefined for a path outside of it. */
  readonly enter: (url: URL) => URL | undefined;
  readonly clock: Clock;
  readonly limits: Required<ServerLimits>;
  /** Counts a connection; throws where its address has too many. */
  readonly connect: (connection: Socket) => void;
  /** Whether the server is shutting down: connections then close after their response. */
  readonly isClosing: () => boolean;
}

/** Responds to each request, except that it calls `next`, if there is one, for a path that the server does not serve. */
export function nodeHandler(context: AttachContext): NodeHandler {
  const { handle, refuse } = context;
  const respond = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    try {
      const reply = await handle(nodeRequest(incoming, outgoing));
      if ("held" in reply) sendLater(reply.held, outgoing, context, isHeldByPage(incoming));
      else send(reply, outgoing, context);
    } catch (error) {
      // Node parses the bytes after the headers in the same turn. Garbage there closes the connection, so wait for
      // it: the reply must not promise keep-alive.
      await undefined;
      send(refuse(error), outgoing, context);
    }
  };
  return (incoming, outgoing, next) => {
    if (next !== undefined && !isServed(incoming, context)) return next();
    void respond(incoming, outgoing).catch(() => outgoing.destroy());
  };
}

function isServed(incoming: IncomingMessage, { serves }: AttachContext): boolean {
  const url = pathUrl(incoming);
  return url !== undefined && serves(url);
}

type Emit = (event: string | symbol, ...args: unknown[]) => boolean;

const attached = new WeakSet<Server>();

/**
 * Serves the requests and upgrades of the node server, except that other listeners get all paths that the server does
 * not serve. They must not see the others: two listeners that respond to one request can end the process. Listeners
 * cannot keep an event from one another, so `emit` is replaced.
 */
export function attachTo(nodeServer: Server, context: AttachContext): void {
  const { handle, refuse, upgrade, enter } = context;
  const onRequest = nodeHandler(context);
  const emit: Emit = nodeServer.emit.bind(nodeServer) as Emit;
  const isShared = attached.has(nodeServer);
  attached.add(nodeServer);
  const hasOthers = (event: "request" | "upgrade"): boolean =>
    isShared || nodeServer.listenerCount(event) > nodeServer.listenerCount(event, keepUpgrades);

  /** Drops a connection of an address that has too many: file descriptors are limited. */
  const onConnection = (socket: Socket): void => {
    try {
      context.connect(socket);
    } catch (error) {
      // Does not wait for the reader, which could keep the connection open.
      socket.end(rawReply(refuse(error)), () => socket.destroy());
    }
  };

  const onUpgrade = (incoming: IncomingMessage, socket: Duplex, head: Buffer): void => {
    const outer = wantsWebSocket(incoming) ? upgradeUrl(incoming) : undefined;
    const url = outer && enter(outer);
    const taken = url && upgrade(incoming, url, socket, head);
    if (taken === undefined && hasOthers("upgrade")) return void emit("upgrade", incoming, socket, head);
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
    // After the start of a response, another one would be garbage.
    const answered = (socket as { readonly _httpMessage?: ServerResponse | null })._httpMessage?.headersSent;
    if (!socket.writable || error.code === "ECONNRESET" || answered) return void socket.destroy();
    writeRaw(socket, refuse(clientErrorOf(error.code)), context);
  };

  const intercept: Emit = (event, ...args) => {
    if (event === "request") {
      const [incoming, outgoing] = args as [IncomingMessage, ServerResponse];
      if (hasOthers("request") && !isServed(incoming, context)) return emit(event, ...args);
      onRequest(incoming, outgoing);
    } else if (event === "upgrade") {
      onUpgrade(...(args as [IncomingMessage, Duplex, Buffer]));
    } else return emit(event, ...args);
    return true;
  };

  // A host with its own listeners has its own limits and error replies.
  if (!hasOthers("request")) nodeServer.on("connection", onConnection);
  if (nodeServer.listenerCount("clientError") === 0) nodeServer.on("clientError", onClientError);
  // Node would refuse an unknown Expect header, in another error shape; it is ignored instead.
  if (nodeServer.listenerCount("checkExpectation") === 0) {
    nodeServer.on("checkExpectation", (...args) => nodeServer.emit("request", ...args));
  }
  if (!isShared) nodeServer.on("upgrade", keepUpgrades);
  nodeServer.emit = intercept;
}

/** Node reports upgrades only if there is a listener. */
const keepUpgrades = (): void => undefined;

/** A separate function, so that its closure does not keep the request alive. */
function sendLater(
  held: Promise<PlainReply>,
  outgoing: ServerResponse,
  context: AttachContext,
  isByPage: boolean,
): void {
  // Before it has headers, a browser sends a request again when its connection breaks, with its credential, to the
  // program that then has the port, before our script could ask for a proof.
  if (isByPage && !outgoing.headersSent) {
    const { headers } = json(200, {});
    outgoing.writeHead(200, headers).flushHeaders();
  }
  void held.then(
    (reply) => {
      if (!isByPage) send(reply, outgoing, context);
      // Too late for another status: the page tries again, and gets it then.
      else if (reply.status === 200) outgoing.end(reply.body);
      else outgoing.destroy();
    },
    () => outgoing.destroy(),
  );
}

/** A `GET` by one of our own pages: scripts of other origins need headers that depend on the reply. */
function isHeldByPage({ method, headers }: IncomingMessage): boolean {
  return method === "GET" && headers["sec-fetch-site"] === "same-origin";
}

function send(reply: PlainReply | StreamReply, outgoing: ServerResponse, context: AttachContext): void {
  const { status, headers } = reply;
  if ("start" in reply) {
    // Something else has already responded.
    if (outgoing.headersSent) outgoing.destroy();
    if (!outgoing.destroyed) outgoing.writeHead(status, headers);
    // Also if the reader is already gone: the stream then ends at once and frees its slot.
    reply.start(nodeSink(outgoing, context.clock));
    return;
  }
  if (outgoing.headersSent || outgoing.destroyed) return;
  if (context.isClosing()) outgoing.setHeader("connection", "close");
  const { body } = reply;
  const isEmpty = status === 204 || status === 304 || (body === "" && outgoing.req.method === "HEAD");
  const length = isEmpty ? {} : { "content-length": Buffer.byteLength(body) };
  outgoing.writeHead(status, { ...headers, ...length }).end(body);
  cutOffSlowReader(outgoing, context);
}

/** Writes to a socket that node:http no longer serves, then closes it, even if the client does not read. */
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
      return new AsklineError("request_timeout", "the request took too long to arrive; send it again");
    default:
      return new AsklineError("invalid_request", "malformed HTTP request");
  }
}

/** A request to a path that does not exist, for an upgrade that nothing handles. */
function nowhere({ headers }: IncomingMessage): ServerRequest {
  const url = upgradeUrl({ headers, url: "/v1/upgrades" }) ?? new URL("http://invalid/");
  return { method: "GET", url, headers: new Headers(), onHangUp: () => () => undefined };
}

/**
 * Disconnects a reader that stops reading the response. A slow reader may continue while it reads at least
 * `streamBuffer` bytes per interval. Costs nothing if the response was sent at once.
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

// `Upgrade: h2c`, which curl sends with --http2, is an offer that a server may ignore. Node stops parsing HTTP at any
// upgrade once there is a listener, so the request is fed back to it without the offer.

/** Whether the upgrade is to a WebSocket. */
function wantsWebSocket({ headers }: Pick<IncomingMessage, "headers">): boolean {
  return /(^|,)\s*websocket\s*($|,|\/)/i.test(headers.upgrade ?? "");
}

/** Has the node server parse the request again as plain HTTP, including the body that has not arrived yet. */
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
