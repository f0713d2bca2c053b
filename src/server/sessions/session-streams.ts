// All open session streams. Each reads the log of its own session and is woken only by writes to it.
//
//   reading --buffer full-------------> lagging --drained in time--> reading
//   lagging --not drained in time-----> ended
//   any     --reader gone, credential revoked, server closing--> ended

import { type FollowedEvent, followSession } from "../../agents/sessions/follow.js";
import type { SessionHead } from "../../agents/sessions/transcript.js";
import type { Logger } from "../../core/kit/logger.js";
import type { Hub } from "../../hub/seam/port.js";
import type { Principal } from "../access/principal.js";
import type { ServerLimits } from "../http/limits.js";
import { drainedInTime, type Sink } from "../http/sink.js";
import { resumeFrame } from "../live/frame.js";
import { createOpenSet, type OpenSetParts } from "../live/open-set.js";
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

export interface SessionStreamsOptions extends OpenSetParts {
  readonly hub: Hub;
  readonly logger: Logger;
  readonly limits: Required<ServerLimits>;
}

export function createSessionStreams(options: SessionStreamsOptions): SessionStreams {
  const { hub, clock, logger, limits } = options;
  const open = createOpenSet(options);

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
      const end = (): void => stop.abort();
      const { principal, surface, sink, beat } = request;
      sink.onClose(end);
      const disconnect =
        principal.role === "person" ? hub.presence.connect(principal.name, surface) : undefined;
      open.add({ beat, end, over: run(request, stop.signal) }, request.kind, principal, () => {
        disconnect?.();
        request.leave?.();
      });
      // Its reader left before `onClose` was registered.
      if (sink.closed) end();
    },
    get size() {
      return open.size;
    },
    close: open.close,
  };
}
