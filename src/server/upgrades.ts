// An upgrade to a WebSocket: who asks for it, and opening it. A browser cannot set headers there: it comes with the
// cookie, or with a token among the protocols that it offers.

import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { WebSocket, WebSocketServer } from "ws";
import { AsklineError } from "../core/index.js";
import { GATEWAY_TOKEN_PROTOCOL } from "../dialects/gateway.js";
import type { Principal } from "./auth/principal.js";
import { requireSameOrigin } from "./browsers.js";
import type { Services } from "./call.js";
import { identify } from "./identify.js";

/** Where the upgrade leads to; undefined for no valid URL, or one with a password. */
export function upgradeUrl({ url, headers }: Pick<IncomingMessage, "url" | "headers">): URL | undefined {
  const text = `http://${headers.host ?? "localhost"}${url ?? "/"}`;
  const parsed = URL.canParse(text) ? new URL(text) : undefined;
  return parsed?.username === "" && parsed.password === "" ? parsed : undefined;
}

/** Throws a coded error where the connection is not to be. */
export async function identifyUpgrade(
  incoming: IncomingMessage,
  url: URL,
  services: Services,
): Promise<Principal> {
  const address = services.doors.enter(incoming);
  const origin = services.hosts.originOf(url);
  const request = { headers: credentialHeaders(incoming) };
  const principal = await identify({ request, origin, address, services, findings: {} });
  if (principal.askId !== undefined) {
    throw new AsklineError("forbidden", "a signed link opens one ask, and nothing else");
  }
  // A browser adds a cookie for whatever page asks it to; a token was given on purpose.
  if (principal.credential.kind === "cookie") requireSameOrigin(request.headers, origin, true);
  return principal;
}

/** A browser insists on one of the protocols that it offered; the token is repeated only where it stands alone. */
export function chooseProtocol(offered: ReadonlySet<string>): string | false {
  return [...offered].find((name) => !name.startsWith(GATEWAY_TOKEN_PROTOCOL)) ?? [...offered][0] ?? false;
}

function credentialHeaders({ headers }: IncomingMessage): Headers {
  const chosen = new Headers();
  for (const name of ["cookie", "origin", "sec-fetch-site"]) {
    const value = headers[name];
    if (typeof value === "string") chosen.set(name, value);
  }
  const token = offeredProtocols(headers["sec-websocket-protocol"])
    .find((protocol) => protocol.startsWith(GATEWAY_TOKEN_PROTOCOL))
    ?.slice(GATEWAY_TOKEN_PROTOCOL.length);
  const authorization = headers.authorization ?? (token === undefined ? undefined : `Bearer ${token}`);
  if (authorization !== undefined) chosen.set("authorization", authorization);
  return chosen;
}

function offeredProtocols(header: string | undefined): readonly string[] {
  return (header ?? "").split(",").map((protocol) => protocol.trim());
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
