// What goes out over one WebSocket, and the bound on what the other end has not taken.
//
// Frames wait until what is being worked on is done, or several others have some: a commit ends many asks at once, who
// is woken by the first frame takes the core away from the rest, and who is woken by the last has waited for all. What
// then goes to one socket is one write.

import type { Duplex } from "node:stream";
import type { WebSocket } from "ws";
import type { Clock } from "../../core/index.js";

/** Of the bound for a slow reader: so many times that is too much at any speed. */
const FAR_TOO_MUCH = 32;

export interface Sender {
  send(text: string): void;
  /** Sends what waits, now. */
  flush(): void;
  /** Whether more may be sent now: the other end takes what it gets. */
  readonly isReady: boolean;
  /** The connection is gone. */
  end(): void;
}

export interface SenderOptions {
  readonly clock: Clock;
  readonly limits: { readonly streamBuffer: number; readonly slowReaderMs: number };
}

/** So many connections that have something to send are enough to begin with. */
const ENOUGH = 8;

/** Those that have something to send, of all connections. */
let waiting: (() => void)[] = [];

function flushAll(): void {
  const all = waiting;
  waiting = [];
  for (const flush of all) flush();
}

export function createSender(socket: WebSocket, stream: Duplex, { clock, limits }: SenderOptions): Sender {
  let texts: string[] = [];
  let length = 0;
  let cancelSlow: (() => void) | undefined;

  const watchReader = (): void => {
    if (socket.bufferedAmount > limits.streamBuffer * FAR_TOO_MUCH) return void socket.terminate();
    cancelSlow ??= clock.schedule(limits.slowReaderMs, () => {
      cancelSlow = undefined;
      if (socket.bufferedAmount > limits.streamBuffer) socket.terminate();
    });
  };

  const flush = (): void => {
    const all = texts;
    texts = [];
    length = 0;
    if (all.length === 0 || socket.readyState !== socket.OPEN) return;
    try {
      stream.cork();
      for (const text of all) socket.send(text);
      stream.uncork();
    } catch {
      // Whatever is wrong with one connection must not keep the others from getting theirs.
      socket.terminate();
      return;
    }
    if (socket.bufferedAmount > limits.streamBuffer) watchReader();
  };

  return {
    send(text) {
      if (socket.readyState !== socket.OPEN) return;
      texts.push(text);
      length += text.length;
      if (length > limits.streamBuffer) return flush();
      if (texts.length > 1) return;
      // After the promises that are being worked off, as those are that a commit has kept.
      if (waiting.length === 0) process.nextTick(flushAll);
      waiting.push(flush);
      if (waiting.length >= ENOUGH) flushAll();
    },
    flush,
    get isReady() {
      return socket.bufferedAmount + length <= limits.streamBuffer;
    },
    end() {
      cancelSlow?.();
      texts = [];
    },
  };
}
