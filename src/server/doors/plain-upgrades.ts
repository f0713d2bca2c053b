// `Upgrade: h2c`, as curl sends with --http2, is an offer that a server may ignore. Node stops reading HTTP at any
// upgrade once somebody listens for one, so the request goes back to it without the offer.

import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";

/** Whether somebody wants a WebSocket, and not some other protocol that we do not speak. */
export function wantsWebSocket({ headers }: Pick<IncomingMessage, "headers">): boolean {
  return /(^|,)\s*websocket\s*($|,|\/)/i.test(headers.upgrade ?? "");
}

/** Has the node server read the request again, as plain HTTP; its body too, which is still to come. */
export function serveWithoutUpgrade(
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
