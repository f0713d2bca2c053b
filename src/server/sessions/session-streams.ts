// All open streams of sessions. Each reads its own session's log: it is woken by what is written there, and by
// nothing else of this process.
//
//   reading --more waits for the reader than it may hold--> lagging --took it in time--> reading
//   lagging --did not--> ended
//   any --the reader is gone, its credential is, or the server closes--> ended

import type { Clock, Logger } from "../../core/index.js";
import type { Hub } from "../../hub/index.js";
import { type FollowedEvent, followSession, type SessionHead } from "../../sessions/index.js";
import type { Auth } from "../auth/auth.js";
import type { Principal } from "../auth/principal.js";
import { resumeFrame } from "../events/frame.js";
import { drainedInTime, type Sink } from "../events/sink.js";
import { every, everyCheck } from "../every.js";
import type { Connections } from "../instruments/connections.js";
import type { ServerLimits } from "../limits.js";
import { maySeeSession } from "./find-session.js";

export interface SessionStreamRequest {
  readonly principal: Principal;
  readonly sessionId: string;
  readonly kind: "session_events" | "session_socket";
  /** What a person reads it with: while they do, that is connected. */
  readonly surface: string;
  /** The id of the last event that was read; checked. */
  readonly after: string;
  readonly sink: Sink;
  readonly frame: (followed: FollowedEvent) => string;
  /** Says that the stream is alive. */
  readonly beat: () => void;
  /** Called when it is over: its place is free. */
  readonly leave?: () => void;
}

export interface SessionStreams {
  start(request: SessionStreamRequest): void;
  readonly size: number;
  close(): Promise<void>;
}

interface Open {
  readonly request: SessionStreamRequest;
  readonly stop: AbortController;
  readonly over: Promise<void>;
}

export interface SessionStreamsOptions {
  readonly hub: Hub;
  readonly auth: Auth;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly limits: Required<ServerLimits>;
  readonly connections: Connections;
}

export function createSessionStreams(options: SessionStreamsOptions): SessionStreams {
  const { hub, auth, clock, logger, limits, connections } = options;
  const open = new Set<Open>();
  let stopTimers: (() => void) | undefined;
  let closed = false;

  const check = async (): Promise<void> => {
    for (const { request, stop } of [...open]) {
      if (!(await auth.isValid(request.principal.credential))) stop.abort();
    }
  };

  const startTimers = (): (() => void) => {
    const stops = [
      every(clock, limits.heartbeatMs, () => {
        for (const { request } of open) request.beat();
      }),
      everyCheck(clock, logger, check),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  };

  const run = async (request: SessionStreamRequest, signal: AbortSignal): Promise<void> => {
    const { sessionId, after, sink, frame, principal } = request;
    const mayRead = (head: SessionHead): boolean => maySeeSession(principal, head);
    let position = after;
    try {
      for await (const followed of followSession(hub, sessionId, { after, signal, mayRead })) {
        if (sink.closed) return;
        sink.write(frame(followed));
        position = followed.id;
        if (
          sink.buffered > limits.streamBuffer &&
          !(await drainedInTime(sink, clock, limits.slowReaderMs, signal))
        )
          return;
      }
    } catch (error) {
      if (!signal.aborted) logger.warn(`the stream of a session ends: ${String(error)}`);
    } finally {
      sink.end(resumeFrame(position));
    }
  };

  return {
    start(request) {
      const stop = new AbortController();
      const { principal, surface, sink } = request;
      sink.onClose(() => stop.abort());
      const disconnect =
        principal.role === "person" ? hub.presence.connect(principal.name, surface) : undefined;
      const own: Open = { request, stop, over: run(request, stop.signal) };
      open.add(own);
      const counted = connections.open(request.kind, principal);
      // It came while the others were told to end, or its reader has gone already and will not say so again.
      if (closed || sink.closed) stop.abort();
      stopTimers ??= startTimers();
      void own.over.then(() => {
        open.delete(own);
        counted();
        disconnect?.();
        request.leave?.();
        if (open.size > 0) return;
        stopTimers?.();
        stopTimers = undefined;
      });
    },
    get size() {
      return open.size;
    },
    async close() {
      closed = true;
      const streams = [...open];
      for (const { stop } of streams) stop.abort();
      await Promise.all(streams.map(({ over }) => over));
    },
  };
}
