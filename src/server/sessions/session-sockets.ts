// A session over a WebSocket: sends its events and receives a person's messages. Each frame carries the id of its
// event, so `?after=` can resume.

import type { IncomingMessage } from "node:http";
import type { WebSocket } from "ws";
import { type FollowedEvent, startOf } from "../../agents/sessions/follow.js";
import { takeMessage } from "../../agents/sessions/take-message.js";
import type { Clock } from "../../core/kit/clock.js";
import { parseDocument } from "../../core/kit/json.js";
import type { Logger } from "../../core/kit/logger.js";
import { AsklineError } from "../../core/model/error.js";
import type { Hub } from "../../hub/seam/port.js";
import type { Principal } from "../access/principal.js";
import type { RateLimits } from "../access/rate-limits.js";
import type { ServerLimits } from "../http/limits.js";
import { SESSION_AFTER, SESSION_SURFACE } from "../http/parameters.js";
import { problemBody } from "../http/reply.js";
import { socketSink } from "../http/sink.js";
import { createSockets, openWebSocket, type Upgrade } from "../http/upgrades.js";
import { CLOSING } from "../live/waits.js";
import { requireVisibleSession, sessionIdIn } from "./find-session.js";
import { type SessionStreams, sessionFrames } from "./session-streams.js";

const PATH = /^\/v1\/sessions\/[^/]+\/stream$/;
/** Concurrent messages per connection; the socket is paused beyond that. */
const MOST_IN_HAND = 16;

export interface SessionSockets {
  /** Takes an upgrade to a session's stream; undefined for any other path. */
  readonly upgrade: Upgrade;
  /** Refuses new connections. Open ones end when the session streams close. */
  close(): void;
}

export interface SessionSocketsOptions {
  readonly hub: Hub;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly limits: Required<ServerLimits>;
  readonly rateLimits: Pick<RateLimits, "admit" | "receive" | "socket">;
  readonly sessionStreams: SessionStreams;
  /** The caller of an upgrade. Rejects with a coded error where it is refused. */
  readonly identify: (incoming: IncomingMessage, url: URL) => Promise<Principal>;
}

export function createSessionSockets(options: SessionSocketsOptions): SessionSockets {
  const { hub, clock, logger, limits, rateLimits, sessionStreams, identify } = options;
  let closed = false;
  const sockets = createSockets(limits.body);

  const take = async (...[incoming, url, socket, head]: Parameters<Upgrade>): Promise<unknown> => {
    try {
      if (closed) throw new AsklineError("closed", CLOSING);
      const principal = await identify(incoming, url);
      const { sessionId } = await requireVisibleSession(hub, principal, sessionIdIn(url));
      const surface = SESSION_SURFACE.read(url.searchParams);
      const after = SESSION_AFTER.read(url.searchParams);
      const { position } = await startOf(hub, sessionId, after);
      rateLimits.socket(principal, incoming, socket);
      openWebSocket(sockets, incoming, socket, head, (webSocket) => {
        const sink = socketSink(webSocket, socket, clock);
        listen(webSocket, principal, sessionId, surface);
        const from = after ?? String(position);
        sessionStreams.start({
          ...{ principal, surface, sink, after: from },
          frames: (signal) => sessionFrames(hub, principal, sessionId, { after: from, frame, signal }),
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
      rateLimits.admit(principal);
      rateLimits.receive(principal, text?.length ?? 0);
      // Checked for each message: the session may have been removed and reopened by another agent.
      await requireVisibleSession(hub, principal, sessionId);
      const by = { kind: "person" as const, id: principal.name, surface };
      await takeMessage(hub, sessionId, parse(text), { by });
      return undefined;
    } catch (error) {
      if (!(error instanceof AsklineError)) logger.error("failed to handle a session message", error);
      const shown =
        error instanceof AsklineError ? error : new AsklineError("internal", "internal error; try again");
      return { type: "error", ...problemBody(shown), retryAfterMs: shown.retryAfterMs };
    }
  };

  return {
    upgrade: (incoming, url, socket, head) =>
      PATH.test(url.pathname) ? take(incoming, url, socket, head) : undefined,
    close() {
      closed = true;
    },
  };
}

function frame({ id, event }: FollowedEvent): string {
  return JSON.stringify({ ...event, id });
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

function parse(text: string | undefined): unknown {
  if (text === undefined)
    throw new AsklineError("invalid_json", "send JSON in a text frame, not a binary one");
  try {
    return parseDocument(text);
  } catch {
    throw new AsklineError("invalid_json", "malformed JSON");
  }
}
