// Opening a WebSocket from an upgrade request.

import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { WebSocket, WebSocketServer } from "ws";
import { AsklineError } from "../../core/index.js";
import { GATEWAY_TOKEN_PROTOCOL } from "../../dialects/gateway.js";

/** Where the upgrade leads to; undefined for no valid URL, or one with a password. */
export function upgradeUrl({ url, headers }: Pick<IncomingMessage, "url" | "headers">): URL | undefined {
  const text = `http://${headers.host ?? "localhost"}${url ?? "/"}`;
  const parsed = URL.canParse(text) ? new URL(text) : undefined;
  return parsed?.username === "" && parsed.password === "" ? parsed : undefined;
}

/** A browser insists on one of the protocols that it offered; the token is repeated only where it stands alone. */
export function chooseProtocol(offered: ReadonlySet<string>): string | false {
  return [...offered].find((name) => !name.startsWith(GATEWAY_TOKEN_PROTOCOL)) ?? [...offered][0] ?? false;
}

/**
 * Makes a WebSocket of an upgrade. Throws a coded error where that is no proper one: `ws` by itself would tell
 * the other end so in a shape of its own.
 */
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
  // It looks at the headers before it returns, so whatever is told here is about this one.
  sockets.on("wsClientError", note);
  try {
    sockets.handleUpgrade(incoming, socket, head, start);
  } finally {
    sockets.off("wsClientError", note);
  }
  if (problem === undefined) return;
  throw new AsklineError("invalid_request", `this is no upgrade to a WebSocket: ${problem.message}`);
}
