// All open event streams and what they share: the tail of the log and the heartbeat.

import type { Clock } from "../../core/kit/clock.js";
import type { Logger } from "../../core/kit/logger.js";
import { AsklineError } from "../../core/model/error.js";
import type { AskEvent } from "../../core/model/event.js";
import type { Hub } from "../../hub/seam/port.js";
import type { Principal } from "../access/principal.js";
import type { RateLimits } from "../access/rate-limits.js";
import type { ServerLimits } from "../http/limits.js";
import type { Sink } from "../http/sink.js";
import type { Connections } from "../instruments/connections.js";
import type { CredentialWatch } from "./credential-watch.js";
import { draftFrame } from "./frame.js";
import { createOpenSet } from "./open-set.js";
import { type Stream, startStream } from "./stream.js";
import { createTail } from "./tail.js";
import { CLOSING } from "./waits.js";

/** Characters of asks that are read ahead of one reader. */
const REPLAY_SIZE = 256 * 1024;

export interface StreamRequest {
  readonly principal: Principal;
  /** The address that limits count by; undefined if none applies. */
  readonly address: string | undefined;
  /** The person's surface, which counts as connected while the stream is open. */
  readonly surface: string;
  readonly wants: (event: AskEvent) => boolean;
  /** If known, the only sessions with wanted events. */
  readonly sessions: readonly string[] | undefined;
  /** The position to begin after; the end of the log if omitted. */
  readonly after?: number | undefined;
}

export interface Streams {
  /** Checks that the position can be read from. The result starts a stream to a sink. */
  prepare(request: StreamRequest): Promise<(sink: Sink) => void>;
  readonly size: number;
  /** The position of the slowest reader; undefined without readers. */
  slowestPosition(): number | undefined;
  close(): Promise<void>;
}

export function createStreams(
  hub: Hub,
  credentials: CredentialWatch,
  clock: Clock,
  logger: Logger,
  limits: Required<ServerLimits>,
  rateLimits: Pick<RateLimits, "stream" | "read">,
  connections: Connections,
): Streams {
  const tail = createTail(hub, logger);
  const open = createOpenSet<Stream>({ clock, limits, credentials, connections });

  return {
    async prepare({ principal, address, surface, wants, sessions, after }) {
      const leave = rateLimits.stream(principal, address);
      const closeTail = await tail.open().catch((error: unknown) => {
        leave();
        throw error;
      });
      try {
        const position = after ?? tail.position;
        await requirePosition(hub, position, tail.position);
        if (open.isClosed) throw new AsklineError("closed", CLOSING);
        return (sink) => {
          const stream = startStream({
            ...{ sink, tail, position, wants, sessions, clock, limits },
            replay: (from) => hub.events({ after: from, maxSize: REPLAY_SIZE }),
            read: (bytes) => rateLimits.read(principal, bytes),
          });
          const disconnect =
            principal.role === "person" ? hub.presence.connect(principal.name, surface) : undefined;
          const unlisten =
            principal.role === "agent"
              ? undefined
              : hub.onDraft(principal.name, (hint) => {
                  if (sessions === undefined || sessions.includes(hint.session))
                    stream.hint(draftFrame(hint));
                });
          open.add(stream, "events", principal, () => {
            disconnect?.();
            unlisten?.();
            closeTail();
            leave();
          });
        };
      } catch (error) {
        closeTail();
        leave();
        throw error;
      }
    },
    get size() {
      return open.size;
    },
    slowestPosition() {
      let slowest: number | undefined;
      for (const { position } of open) {
        if (slowest === undefined || position < slowest) slowest = position;
      }
      return slowest;
    },
    close: open.close,
  };
}

/** Throws if reading from this position would miss removed events, or if the position is from another store. */
async function requirePosition(hub: Hub, position: number, tail: number): Promise<void> {
  if (position < tail) {
    for await (const _ of hub.events({ after: position, maxSize: 1 })) return;
  } else if (position > tail && position > (await hub.position())) {
    throw new AsklineError(
      "position_trimmed",
      `event ${position} does not exist yet, so this position is from another store; list the asks, then read events from the position of that list`,
    );
  }
}
