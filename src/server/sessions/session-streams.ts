// All open session streams. Each reads the log of its own session and is woken only by writes to it.
//
//   reading --buffer full-------------> lagging --drained in time--> reading
//   lagging --not drained in time-----> ended
//   any     --reader gone, credential revoked, server closing--> ended

import { type FollowedEvent, followSession } from "../../agents/sessions/follow.js";
import type { SessionHead } from "../../agents/sessions/transcript.js";
import type { Clock } from "../../core/kit/clock.js";
import type { Logger } from "../../core/kit/logger.js";
import type { Hub } from "../../hub/seam/port.js";
import type { Principal } from "../access/principal.js";
import type { ServerLimits } from "../http/limits.js";
import { drainedInTime, type Sink } from "../http/sink.js";
import type { Connections } from "../instruments/connections.js";
import type { CredentialWatch } from "../live/credential-watch.js";
import { every } from "../live/every.js";
import { resumeFrame } from "../live/frame.js";
import { maySeeSession } from "./find-session.js";

export interface SessionStreamRequest {
  readonly principal: Principal;
  readonly kind: "session_events" | "session_socket";
  /** The person's surface, reported as connected while the stream is open. */
  readonly surface: string;
  /** The id of the last event that was read; already validated. */
  readonly after: string;
  readonly sink: Sink;
  /** The frames after that event, then live, until the signal aborts. */
  readonly frames: (signal: AbortSignal) => AsyncIterable<StreamFrame>;
  /** Sends a heartbeat. */
  readonly beat: () => void;
  /** Called when the stream has ended, to release its connection slot. */
  readonly leave?: () => void;
}

export interface StreamFrame {
  /** Where to resume. */
  readonly id: string;
  readonly text: string;
}

/** The frames of one session, for a reader who may read it. */
export async function* sessionFrames(
  hub: Hub,
  principal: Principal,
  sessionId: string,
  {
    after,
    frame,
    signal,
  }: {
    readonly after: string;
    readonly frame: (followed: FollowedEvent) => string;
    readonly signal: AbortSignal;
  },
): AsyncGenerator<StreamFrame, void, void> {
  const mayRead = (head: SessionHead): boolean => maySeeSession(principal, head);
  for await (const followed of followSession(hub, sessionId, { after, signal, mayRead })) {
    yield { id: followed.id, text: frame(followed) };
  }
}

export interface SessionStreams {
  start(request: SessionStreamRequest): void;
  readonly size: number;
  close(): Promise<void>;
}

interface OpenStream {
  readonly request: SessionStreamRequest;
  readonly stop: AbortController;
  readonly over: Promise<void>;
}

export interface SessionStreamsOptions {
  readonly hub: Hub;
  readonly credentials: CredentialWatch;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly limits: Required<ServerLimits>;
  readonly connections: Connections;
}

export function createSessionStreams(options: SessionStreamsOptions): SessionStreams {
  const { hub, credentials, clock, logger, limits, connections } = options;
  const open = new Set<OpenStream>();
  let stopBeat: (() => void) | undefined;
  let closed = false;

  const startBeat = (): (() => void) =>
    every(clock, limits.heartbeatMs, () => {
      for (const { request } of open) request.beat();
    });

  const run = async (request: SessionStreamRequest, signal: AbortSignal): Promise<void> => {
    const { after, sink } = request;
    let position = after;
    try {
      for await (const { id, text } of request.frames(signal)) {
        if (sink.closed) return;
        sink.write(text);
        position = id;
        if (
          sink.buffered > limits.streamBuffer &&
          !(await drainedInTime(sink, clock, limits.slowReaderMs, signal))
        )
          return;
      }
    } catch (error) {
      if (!signal.aborted) logger.warn(`a session stream ended: ${String(error)}`);
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
      const own: OpenStream = { request, stop, over: run(request, stop.signal) };
      open.add(own);
      const unwatch = credentials.add(principal.credential, () => stop.abort());
      const counted = connections.open(request.kind, principal);
      // It started during close, or its reader left before `onClose` was registered.
      if (closed || sink.closed) stop.abort();
      stopBeat ??= startBeat();
      void own.over.then(() => {
        open.delete(own);
        unwatch();
        counted();
        disconnect?.();
        request.leave?.();
        if (open.size > 0) return;
        stopBeat?.();
        stopBeat = undefined;
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
