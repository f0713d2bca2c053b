// Opening a WebSocket from an upgrade request.

import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { type WebSocket, WebSocketServer } from "ws";
import { GATEWAY_TOKEN_PROTOCOL } from "../../agents/shapes/gateway.js";
import { AsklineError } from "../../core/model/error.js";

/**
 * Handles an upgrade to a path that it knows; undefined for any other. The URL's path is below the base path. Resolves
 * with the error to reply with, or with undefined once the connection is open.
 */
export type Upgrade = (
  incoming: IncomingMessage,
  url: URL,
  socket: Duplex,
  head: Buffer,
) => Promise<unknown> | undefined;

/** The URL of the upgrade; undefined if invalid or with a user name or password. */
export function upgradeUrl({ url, headers }: Pick<IncomingMessage, "url" | "headers">): URL | undefined {
  const text = `http://${headers.host ?? "localhost"}${url ?? "/"}`;
  const parsed = URL.canParse(text) ? new URL(text) : undefined;
  return parsed?.username === "" && parsed.password === "" ? parsed : undefined;
}

/** Larger frames than `maxPayload` close the connection (1009). */
export function createSockets(maxPayload: number): WebSocketServer {
  return new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload,
    handleProtocols: chooseProtocol,
  });
}

/** A browser requires one of the protocols that it offered. The token is echoed only if it is the only one. */
function chooseProtocol(offered: ReadonlySet<string>): string | false {
  return [...offered].find((name) => !name.startsWith(GATEWAY_TOKEN_PROTOCOL)) ?? [...offered][0] ?? false;
}

/** Opens a WebSocket. Throws a coded error for a malformed upgrade, which `ws` itself would answer in another shape. */
export function openWebSocket(
  sockets: WebSocketServer,
  incoming: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  start: (webSocket: WebSocket) => void,
): void {
  let problem: Error | undefined;
  const note = (error: Error): void => {
    problem = error;
  };
  // `ws` checks the headers synchronously, so an error reported here is about this upgrade.
  sockets.on("wsClientError", note);
  try {
    sockets.handleUpgrade(incoming, socket, head, start);
  } finally {
    sockets.off("wsClientError", note);
  }
  if (problem === undefined) return;
  throw new AsklineError("invalid_request", `malformed WebSocket upgrade: ${problem.message}`);
}
