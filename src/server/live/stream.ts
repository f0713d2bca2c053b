// One reader of events.
//
//   replaying --reaches the tail--> live --its buffer is full--> lagging
//   lagging --reads it all in time--> replaying, otherwise --> ended
//   any --the reader disconnects, the credential is revoked, or the server closes--> ended
//
// At most `streamBuffer` bytes are kept for a reader: an event that does not fit is read again from the log later. What
// is sent, or read for a replay, is charged to the reader's token; a live reader above its rate replays at that rate.

import type { Clock } from "../../core/kit/clock.js";
import type { AskEvent } from "../../core/model/event.js";
import { askSize } from "../../hub/seam/ask-size.js";
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
  /** So many bytes were read for the reader, or sent to it. Returns in how many milliseconds more may be. */
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

  /** Ends a pause. Set only while there is one: a stream that waits is one of thousands. */
  let wake: (() => void) | undefined;

  const replay = async (): Promise<void> => {
    for await (const event of options.replay(position)) {
      if (sink.closed) return;
      position = event.position;
      const wanted = wants(event);
      const frame = wanted ? eventFrame(event) : "";
      // What was read, even if a large ask is not sent.
      const size = wanted && event.ask !== undefined ? askSize(event.ask) : 0;
      const wait = options.read(Math.max(frame.length, size) + COST_OF_ONE);
      if (wait > 0) {
        await pause(clock, wait, (end) => {
          wake = end;
        });
      }
      if (wanted && !sink.closed) {
        sink.write(frame);
        if (sink.buffered > REPLAY_BUFFER && !(await drainedInTime(sink, clock, limits.slowReaderMs)))
          return end();
      }
      if (position >= tail.position) return;
    }
  };

  /** Resolves with the milliseconds until the token may read more. */
  const live = (): Promise<number> =>
    new Promise((resolve) => {
      const leave = (at = reached(), wait = 0): void => {
        unfollow();
        position = at;
        leaveTail = undefined;
        resolve(wait);
      };
      const follower: Follower = {
        take(live) {
          if (live.event.position <= position) return;
          if (wants(live.event)) {
            const { length } = live.frame;
            if (sink.buffered + length > limits.streamBuffer) return leave(live.event.position - 1);
            sink.write(live.frame);
            const wait = options.read(length + COST_OF_ONE);
            if (wait > 0) return leave(live.event.position, wait);
          }
          position = live.event.position;
        },
        end,
      };
      const unfollow = tail.follow(follower, options.sessions);
      leaveTail = leave;
    });

  const run = async (): Promise<void> => {
    sink.onClose(() => {
      leaveTail?.();
      wake?.();
    });
    sink.write(`retry: 1000\n${positionFrame(position)}`);
    while (!sink.closed) {
      // Checked in the same turn as the tail is joined, so no event is missed.
      if (position < tail.position) await replay();
      else {
        const wait = await live();
        if (wait > 0 && !sink.closed) {
          await pause(clock, wait, (end) => {
            wake = end;
          });
        }
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

/** Resolves after that time, or when the function that `begun` gets is called. */
function pause(clock: Clock, milliseconds: number, begun: (end: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    const cancel = clock.schedule(milliseconds, resolve);
    begun(() => {
      cancel();
      resolve();
    });
  });
}
