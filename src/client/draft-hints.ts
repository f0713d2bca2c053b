// Hints that the person has saved a draft at another surface. They arrive on any event stream of this client. While
// there is none that receives all of them, a listener has one of its own; it ends once another one is connected.

import type { DraftHint } from "../core/model/draft-hint.js";

export interface DraftHints {
  listen(listener: (hint: DraftHint) => void, missed?: () => void): () => void;
  /** An event stream received a hint. */
  received(hint: DraftHint): void;
  /** An event stream that gets every hint begins. */
  begin(): OpeningStream;
}

export interface OpeningStream {
  /** The server has begun to send. */
  connected(): void;
  ended(): void;
}

/**
 * `follow` reads an event stream, which reports to `received`, until the signal aborts. It calls `connected` when the
 * server has begun to send.
 */
export function createDraftHints(
  follow: (signal: AbortSignal, connected: () => void) => Promise<void>,
): DraftHints {
  const listeners = new Set<{
    readonly call: (hint: DraftHint) => void;
    readonly missed: (() => void) | undefined;
  }>();
  const streams = new Set<{ connected: boolean }>();
  let own: AbortController | undefined;

  const connected = (): void => {
    for (const { missed } of [...listeners]) missed?.();
  };
  const update = (): void => {
    if (listeners.size === 0 || [...streams].some(({ connected }) => connected)) {
      own?.abort();
      own = undefined;
    } else if (own === undefined && streams.size === 0) {
      own = new AbortController();
      // It fails if the client was closed or its token was refused: the next call of the client throws that error.
      void follow(own.signal, connected).catch(() => undefined);
    }
  };
  return {
    listen(listener, missed) {
      const entry = { call: listener, missed };
      listeners.add(entry);
      // A watch that begins in the same turn makes a stream of our own unnecessary.
      queueMicrotask(update);
      return () => {
        listeners.delete(entry);
        update();
      };
    },
    received(hint) {
      for (const { call } of [...listeners]) call(hint);
    },
    begin() {
      const stream = { connected: false };
      streams.add(stream);
      return {
        connected() {
          stream.connected = true;
          update();
          connected();
        },
        ended() {
          streams.delete(stream);
          update();
        },
      };
    },
  };
}
