// One reader of events.
//
//   replaying --reaches the tail--> live --its buffer is full--> lagging
//   lagging --reads it all in time--> replaying, otherwise --> ended
//   any --the reader disconnects, the credential is revoked, or the server closes--> ended
//
// At most `streamBuffer` bytes and one event are kept for a reader; the rest is read again from the log.

import type { AskEvent, Clock } from "../../core/index.js";
import { drainedInTime, type Sink } from "../http/sink.js";
import { eventFrame, positionFrame, resumeFrame } from "./frame.js";
import type { Follower, Tail } from "./tail.js";

/** While replaying, the reader sets the pace. */
const REPLAY_BUFFER = 16 * 1024;

/** What an event of a replay costs, however small it is, in bytes of a token's rate. */
const COST_OF_ONE = 256;

export interface StreamOptions {
  readonly sink: Sink;
  readonly tail: Tail;
  readonly position: number;
  /** Events after a position, until the tail is reached. */
  readonly replay: (after: number) => AsyncIterable<AskEvent>;
  /** So many bytes were read for the reader. Returns in how many milliseconds more may be. */
  readonly read: (bytes: number) => number;
  readonly wants: (event: AskEvent) => boolean;
  /** If known, the only sessions with wanted events: others are skipped. */
  readonly sessions: readonly string[] | undefined;
  readonly clock: Clock;
  readonly limits: { readonly streamBuffer: number; readonly slowReaderMs: number };
}

export interface Stream {
  /** Sends a frame without a position. Dropped if the reader is too slow. */
  hint(frame: string): void;
  /** Sends a heartbeat with the reader's position. */
  beat(): void;
  end(): void;
  /** Everything up to here was written to the reader or not wanted. */
  readonly position: number;
  /** Resolves when the stream is over, for any reason. */
  readonly over: Promise<void>;
}

export function startStream(options: StreamOptions): Stream {
  const { sink, tail, wants, clock, limits } = options;
  let position = options.position;
  let leaveTail: (() => void) | undefined;
  // At the tail, unwanted events are skipped, so the reader is as far as the tail.
  const reached = (): number => (leaveTail === undefined ? position : Math.max(position, tail.position));

  const end = (): void => {
    sink.end(resumeFrame(reached()));
    leaveTail?.();
  };

  const replay = async (): Promise<void> => {
    for await (const event of options.replay(position)) {
      if (sink.closed) return;
      position = event.position;
      const wanted = wants(event);
      const frame = wanted ? eventFrame(event) : "";
      const wait = options.read(frame.length + COST_OF_ONE);
      if (wait > 0) await new Promise<void>((resolve) => void clock.schedule(wait, resolve));
      if (wanted && !sink.closed) {
        sink.write(frame);
        if (sink.buffered > REPLAY_BUFFER && !(await drainedInTime(sink, clock, limits.slowReaderMs)))
          return end();
      }
      if (position >= tail.position) return;
    }
  };

  const live = (): Promise<void> =>
    new Promise((resolve) => {
      const leave = (): void => {
        unfollow();
        position = reached();
        leaveTail = undefined;
        resolve();
      };
      const follower: Follower = {
        take(live) {
          if (live.event.position <= position) return;
          position = live.event.position;
          if (wants(live.event)) sink.write(live.frame);
          if (sink.buffered > limits.streamBuffer) leave();
        },
        end,
      };
      const unfollow = tail.follow(follower, options.sessions);
      leaveTail = leave;
    });

  const run = async (): Promise<void> => {
    sink.onClose(() => leaveTail?.());
    sink.write(`retry: 1000\n${positionFrame(position)}`);
    while (!sink.closed) {
      // Checked in the same turn as the tail is joined, so no event is missed.
      if (position < tail.position) await replay();
      else {
        await live();
        if (!sink.closed && !(await drainedInTime(sink, clock, limits.slowReaderMs))) end();
      }
    }
  };

  return {
    hint(frame) {
      if (!sink.closed && sink.buffered <= limits.streamBuffer) sink.write(frame);
    },
    beat() {
      if (leaveTail !== undefined) sink.write(positionFrame(reached()));
    },
    end,
    get position() {
      return reached();
    },
    over: run().catch(end),
  };
}
