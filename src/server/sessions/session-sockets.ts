// A session over a WebSocket: sends its events and receives a person's messages. Each frame carries the id of its
// event, so `?after=` can resume.

import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { type WebSocket, WebSocketServer } from "ws";
import { AsklineError } from "../../core/index.js";
import { startOf, takeMessage } from "../../sessions/index.js";
import type { Upgrade } from "../attach.js";
import type { Principal } from "../auth/principal.js";
import type { Services } from "../call.js";
import { socketSink } from "../events/sink.js";
import { SESSION_AFTER, SESSION_SURFACE } from "../parameters.js";
import { problemBody } from "../reply.js";
import { chooseProtocol, identifyUpgrade, openWebSocket, upgradeUrl } from "../upgrades.js";
import { CLOSING } from "../waits.js";
import { requireVisibleSession, sessionIdIn } from "./find-session.js";

const PATH = /^\/v1\/sessions\/[^/]+\/stream$/;
/** Concurrent messages per connection; the socket is paused beyond that. */
const MOST_IN_HAND = 16;

export interface SessionSockets {
  /** Takes an upgrade to a session's stream; undefined for any other path. */
  readonly upgrade: Upgrade;
  /** Refuses new connections. Open ones end when the session streams close. */
  close(): void;
}

export function createSessionSockets(services: Services): SessionSockets {
  const { hub, limits, sessionStreams, clock } = services;
  let closed = false;
  const sockets = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: limits.body,
    handleProtocols: chooseProtocol,
  });

  const take = async (
    incoming: IncomingMessage,
    url: URL,
    socket: Duplex,
    head: Buffer,
  ): Promise<unknown> => {
    try {
      if (closed) throw new AsklineError("closed", CLOSING);
      const principal = await identifyUpgrade(incoming, url, services);
      const { sessionId } = await requireVisibleSession(hub, principal, sessionIdIn(url));
      const surface = SESSION_SURFACE.read(url.searchParams);
      const after = SESSION_AFTER.read(url.searchParams);
      const { position } = await startOf(hub, sessionId, after);
      services.doors.socket(principal, incoming, socket);
      openWebSocket(sockets, incoming, socket, head, (webSocket) => {
        const sink = socketSink(webSocket, socket, clock);
        listen(webSocket, principal, sessionId, surface);
        sessionStreams.start({
          ...{ principal, sessionId, surface, sink, after: after ?? String(position) },
          frame: ({ id, event }) => JSON.stringify({ ...event, id }),
          kind: "session_socket",
          beat: beatOf(webSocket),
        });
      });
      return undefined;
    } catch (error) {
      return error;
    }
  };

  const listen = (socket: WebSocket, principal: Principal, sessionId: string, surface: string): void => {
    let inHand = 0;
    socket.on("message", (data, isBinary) => {
      inHand += 1;
      if (inHand >= MOST_IN_HAND) socket.pause();
      void answer(principal, sessionId, surface, isBinary ? undefined : String(data))
        .then((refusal) => {
          if (refusal !== undefined && socket.readyState === socket.OPEN)
            socket.send(JSON.stringify(refusal));
        })
        .finally(() => {
          inHand -= 1;
          if (inHand < MOST_IN_HAND) socket.resume();
        });
    });
    socket.on("error", () => socket.terminate());
  };

  /** The error frame for a refused message; an accepted one shows up in the stream. */
  const answer = async (
    principal: Principal,
    sessionId: string,
    surface: string,
    text: string | undefined,
  ): Promise<object | undefined> => {
    try {
      if (principal.role === "agent") {
        throw new AsklineError(
          "forbidden",
          "only a person can send messages; an agent posts to the session's events",
        );
      }
      services.doors.admit(principal);
      // Checked for each message: the session may have been removed and reopened by another agent.
      await requireVisibleSession(hub, principal, sessionId);
      const by = { kind: "person" as const, id: principal.name, surface };
      await takeMessage(hub, sessionId, parse(text), { by });
      return undefined;
    } catch (error) {
      if (!(error instanceof AsklineError))
        services.logger.error("failed to handle a session message", error);
      const shown =
        error instanceof AsklineError ? error : new AsklineError("internal", "internal error; try again");
      return { type: "error", ...problemBody(shown), ...retryAfter(shown) };
    }
  };

  return {
    upgrade(incoming, socket, head) {
      const url = upgradeUrl(incoming);
      return url !== undefined && PATH.test(url.pathname) ? take(incoming, url, socket, head) : undefined;
    },
    close() {
      closed = true;
    },
  };
}

/** Pings on each call; terminates the connection if nothing came since the last ping. */
function beatOf(socket: WebSocket): () => void {
  let alive = true;
  const live = (): void => {
    alive = true;
  };
  socket.on("pong", live).on("message", live);
  return () => {
    if (!alive) return socket.terminate();
    alive = false;
    socket.ping();
  };
}

function retryAfter({ retryAfterMs }: AsklineError): { readonly retryAfterMs?: number } {
  return retryAfterMs === undefined ? {} : { retryAfterMs };
}

function parse(text: string | undefined): unknown {
  if (text === undefined)
    throw new AsklineError("invalid_json", "send JSON in a text frame, not a binary one");
  try {
    return JSON.parse(text);
  } catch {
    throw new AsklineError("invalid_json", "malformed JSON");
  }
}
