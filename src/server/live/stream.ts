// One reader of events.
//
//   replaying --has reached the tail--> live --more waits for it than it may hold--> lagging
//   lagging --took it all in time--> replaying --did not--> ended
//   any --the reader is gone, the credential is, or the server closes--> ended
//
// What a reader has not taken is never kept beyond the bound and one event: it is in the log, to be read again.

import type { AskEvent, Clock } from "../../core/index.js";
import { drainedInTime, type Sink } from "../http/sink.js";
import { eventFrame, positionFrame, resumeFrame } from "./frame.js";
import type { Follower, Tail } from "./tail.js";

/** While replaying, the reader sets the pace: there is no hurry to read ahead of it. */
const REPLAY_BUFFER = 16 * 1024;

export interface StreamOptions {
  readonly sink: Sink;
  readonly tail: Tail;
  readonly position: number;
  /** Events above a position, for the time before the tail is reached. */
  readonly replay: (after: number) => AsyncIterable<AskEvent>;
  readonly wants: (event: AskEvent) => boolean;
  /** The sessions that anything wanted is of, where these are known: other events need not be looked at. */
  readonly sessions: readonly string[] | undefined;
  readonly clock: Clock;
  readonly limits: { readonly streamBuffer: number; readonly slowReaderMs: number };
}

export interface Stream {
  /** Says that it is alive, and where the reader is. */
  beat(): void;
  end(): void;
  /** Everything up to here was written to the reader, or was not for it. */
  readonly position: number;
  /** Resolves when it is over, whoever ended it. */
  readonly over: Promise<void>;
}

export function startStream(options: StreamOptions): Stream {
  const { sink, tail, wants, clock, limits } = options;
  let position = options.position;
  let leaveTail: (() => void) | undefined;
  // At the tail, only what may be wanted is handed over: everything else up to where the tail is was left out.
  const reached = (): number => (leaveTail === undefined ? position : Math.max(position, tail.position));

  const end = (): void => {
    sink.end(resumeFrame(reached()));
    leaveTail?.();
  };

  const replay = async (): Promise<void> => {
    for await (const event of options.replay(position)) {
      if (sink.closed) return;
      position = event.position;
      if (wants(event)) {
        sink.write(eventFrame(event));
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
      // Looked at in the same turn as the tail is joined: nothing falls between.
      if (position < tail.position) await replay();
      else {
        await live();
        if (!sink.closed && !(await drainedInTime(sink, clock, limits.slowReaderMs))) end();
      }
    }
  };

  return {
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
