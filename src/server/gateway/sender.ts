// Sends frames over one WebSocket, and bounds the backlog of a slow peer.
//
// Frames are batched until the current promises have run, or until several connections have frames: one commit settles
// many asks, and sending each frame at once would wake a client while the others still wait. All frames of one socket
// go out in one write.

import type { Duplex } from "node:stream";
import type { WebSocket } from "ws";
import type { Clock } from "../../core/kit/clock.js";

/** A backlog of this many times the buffer limit ends the connection at once. */
const BACKLOG_FACTOR = 32;

export interface Sender {
  send(text: string): void;
  /** Sends waiting frames now. */
  flush(): void;
  /** Whether the peer keeps up, so that more may be sent now. */
  readonly isReady: boolean;
  /** The connection was closed. */
  end(): void;
}

export interface SenderOptions {
  readonly clock: Clock;
  readonly limits: { readonly streamBuffer: number; readonly slowReaderMs: number };
}

/** Flush at once when this many connections have frames. */
const FLUSH_AT = 8;

/** The flush functions of all connections with waiting frames. */
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
    if (socket.bufferedAmount > limits.streamBuffer * BACKLOG_FACTOR) return void socket.terminate();
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
      // An error on one connection must not stop the others.
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
      // Runs after the promises of the current commit.
      if (waiting.length === 0) process.nextTick(flushAll);
      waiting.push(flush);
      if (waiting.length >= FLUSH_AT) flushAll();
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
