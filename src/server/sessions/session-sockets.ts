// A session over a WebSocket: its events go out, a person's messages come in. `?after=` resumes, as each frame
// carries the id of its event beside the event's own fields.

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
/** Messages of one connection that are dealt with at once: a person sends one after the other. */
const MOST_IN_HAND = 16;

export interface SessionSockets {
  /** Takes an upgrade to a session's stream; undefined for any other path. */
  readonly upgrade: Upgrade;
  /** Takes no more. Those that are open end with the streams of sessions. */
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

  /** What the sender is told where its message could not be taken; otherwise the stream tells everybody. */
  const answer = async (
    principal: Principal,
    sessionId: string,
    surface: string,
    text: string | undefined,
  ): Promise<object | undefined> => {
    try {
      if (principal.role === "agent") {
        throw new AsklineError("forbidden", "only a person answers; an agent writes to the session's events");
      }
      services.doors.admit(principal);
      // Again for each: the session may have been removed since, and be another's by now.
      await requireVisibleSession(hub, principal, sessionId);
      const by = { kind: "person" as const, id: principal.name, surface };
      await takeMessage(hub, sessionId, parse(text), { by });
      return undefined;
    } catch (error) {
      if (!(error instanceof AsklineError)) services.logger.error("a message could not be taken", error);
      const told =
        error instanceof AsklineError ? error : new AsklineError("internal", "something went wrong here");
      return { type: "error", ...problemBody(told), ...retryAfter(told) };
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

/** Asks for a sign of life each time; ends the connection where none came since the last. */
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
  if (text === undefined) throw new AsklineError("invalid_json", "send JSON as text, not as binary");
  try {
    return JSON.parse(text);
  } catch {
    throw new AsklineError("invalid_json", "this is not JSON");
  }
}
