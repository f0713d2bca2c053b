// The end of the event log, read once for all streams. Each stream that read for itself would cost the store
// one read a stream and commit.
//
//   idle --a stream opens--> starting --position known--> running --the last stream closes--> idle
//   running --the log cannot be read--> idle, and every follower is told to end

import type { Logger } from "../../core/kit/logger.js";
import type { Ask } from "../../core/model/ask.js";
import type { AskEvent } from "../../core/model/event.js";
import type { Hub } from "../../hub/seam/port.js";
import { eventFrame } from "./frame.js";

export class LiveEvent {
  readonly event: AskEvent;
  #frame: string | undefined;

  constructor(event: AskEvent) {
    this.event = event;
  }

  /** Made when the first follower wants it, and once for all. */
  get frame(): string {
    this.#frame ??= eventFrame(this.event);
    return this.#frame;
  }
}

export interface Follower {
  take(live: LiveEvent): void;
  /** There will be no more from this tail. */
  end(): void;
}

export interface Tail {
  /** Keeps the tail running until the result is called. Resolves when `position` is known. */
  open(): Promise<() => void>;
  /** Followers have received all events up to here. */
  readonly position: number;
  /** With sessions, only the events of asks in them, and of asks that have been removed. */
  follow(follower: Follower, sessions?: readonly string[]): () => void;
  /** Whether `position` is known and goes on: nobody follows a tail that is idle. */
  readonly isRunning: boolean;
}

export function createTail(hub: Hub, logger: Logger): Tail {
  const followers = createFollowers<Follower>();
  let users = 0;
  let position = 0;
  let known = false;
  let run: { readonly started: Promise<void>; readonly stop: AbortController } | undefined;

  const read = async (stop: AbortController): Promise<void> => {
    try {
      for await (const batch of hub.eventBatches({ after: position, signal: stop.signal })) {
        for (const event of batch) {
          if (stop.signal.aborted) return;
          position = event.position;
          const live = new LiveEvent(event);
          for (const follower of followers.of(event.ask)) follower.take(live);
        }
      }
    } catch (error) {
      if (!stop.signal.aborted)
        logger.warn("the streams of events end, because the log cannot be read", error);
    } finally {
      if (run?.stop === stop) {
        run = undefined;
        for (const follower of [...followers]) follower.end();
      }
    }
  };

  const start = (): NonNullable<typeof run> => {
    const stop = new AbortController();
    known = false;
    const started = hub.position().then((head) => {
      position = head;
      known = true;
      void read(stop);
    });
    started.catch(() => {
      run = undefined;
    });
    return { started, stop };
  };

  return {
    async open() {
      run ??= start();
      users += 1;
      let closed = false;
      const close = (): void => {
        if (closed) return;
        closed = true;
        users -= 1;
        if (users > 0) return;
        run?.stop.abort();
        run = undefined;
      };
      try {
        await run.started;
      } catch (error) {
        close();
        throw error;
      }
      return close;
    },
    get position() {
      return position;
    },
    follow: (follower, sessions) => followers.add(follower, sessions),
    get isRunning() {
      return run !== undefined && known;
    },
  };
}

/**
 * Those who follow the end of the log. Most devices see one session of very many: they are found by it, so
 * that an event costs as much as it has readers, and not as much as there are.
 */
export interface Followers<F> extends Iterable<F> {
  /** With sessions, only what happens in them. The result takes the follower away again. */
  add(follower: F, sessions?: readonly string[]): () => void;
  /** The followers of this ask; all followers if the ask is no longer known. */
  of(ask: Ask | undefined): Iterable<F>;
}

export function createFollowers<F>(): Followers<F> {
  const all = new Set<F>();
  const everywhere = new Set<F>();
  const bySession = new Map<string, Set<F>>();

  const addTo = (session: string, follower: F): void => {
    const there = bySession.get(session);
    if (there === undefined) bySession.set(session, new Set([follower]));
    else there.add(follower);
  };
  const removeFrom = (session: string, follower: F): void => {
    const there = bySession.get(session);
    there?.delete(follower);
    if (there?.size === 0) bySession.delete(session);
  };

  return {
    add(follower, sessions) {
      all.add(follower);
      if (sessions === undefined) everywhere.add(follower);
      else for (const session of sessions) addTo(session, follower);
      return () => {
        all.delete(follower);
        everywhere.delete(follower);
        for (const session of sessions ?? []) removeFrom(session, follower);
      };
    },
    of(ask) {
      if (ask === undefined) return all;
      const there = bySession.get(ask.session);
      if (there === undefined) return everywhere;
      return everywhere.size === 0 ? there : [...everywhere, ...there];
    },
    [Symbol.iterator]: () => all[Symbol.iterator](),
  };
}
