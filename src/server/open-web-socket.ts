import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { WebSocket, WebSocketServer } from "ws";
import { AsklineError } from "../core/index.js";

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
