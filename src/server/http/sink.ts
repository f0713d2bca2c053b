import type { ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { WebSocket } from "ws";
import type { Clock } from "../../core/kit/clock.js";
import { within } from "../../core/kit/tools.js";
import { untilAborted } from "../../core/rules/abort.js";

/** The destination of an event stream. */
export interface Sink {
  write(text: string): void;
  /** Approximate number of bytes written but not read yet. */
  readonly buffered: number;
  /** Resolves once everything written was read, or never will be. */
  drained(): Promise<void>;
  /** Writes a last text and ends, even if the reader does not read. */
  end(text: string): void;
  readonly closed: boolean;
  /** The listener is called once, when the reader is gone or the stream has ended. */
  onClose(listener: () => void): void;
}

/** Whether the reader reads everything before the time is up or the signal aborts. */
export async function drainedInTime(
  sink: Sink,
  clock: Clock,
  milliseconds: number,
  signal?: AbortSignal,
): Promise<boolean> {
  const drained = untilAborted(signal, sink.drained()).then(
    () => !sink.closed,
    () => false,
  );
  return within(clock, milliseconds, drained, () => false);
}

/** How long a connection stays open after its end for a reader that does not read. */
const LINGER_MS = 2_000;

/** Writes directly to the node:http response, without extra memory per reader. */
export function nodeSink(outgoing: ServerResponse, clock: Clock): Sink {
  return {
    write: (text) => void outgoing.write(text),
    get buffered() {
      return outgoing.writableLength;
    },
    drained: () =>
      new Promise((resolve) => {
        if (!outgoing.writableNeedDrain || outgoing.destroyed) return resolve();
        const done = (): void => {
          outgoing.off("drain", done).off("close", done);
          resolve();
        };
        outgoing.on("drain", done).on("close", done);
      }),
    end(text) {
      if (outgoing.writableEnded || outgoing.destroyed) return;
      outgoing.end(text);
      const cancel = clock.schedule(LINGER_MS, () => outgoing.destroy());
      outgoing.once("close", cancel);
    },
    get closed() {
      return outgoing.destroyed || outgoing.writableEnded;
    },
    onClose: (listener) => void outgoing.once("close", listener),
  };
}

/** The body of a Response, for a mounted Fetch handler. */
export function webSink(): { readonly sink: Sink; readonly body: ReadableStream<Uint8Array> } {
  const encoder = new TextEncoder();
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  let closed = false;
  let waiting: (() => void)[] = [];
  let listener = (): void => undefined;
  const wake = (): void => {
    const woken = waiting;
    waiting = [];
    for (const resolve of woken) resolve();
  };
  const close = (): void => {
    if (closed) return;
    closed = true;
    wake();
    listener();
  };
  const body = new ReadableStream<Uint8Array>(
    {
      start(own) {
        controller = own;
      },
      pull: wake,
      cancel: close,
    },
    new ByteLengthQueuingStrategy({ highWaterMark: 16 * 1024 }),
  );
  const room = (): number => controller?.desiredSize ?? 0;
  const sink: Sink = {
    write(text) {
      if (!closed) controller?.enqueue(encoder.encode(text));
    },
    get buffered() {
      return Math.max(0, 16 * 1024 - room());
    },
    drained: () =>
      new Promise((resolve) => {
        if (closed || room() > 0) resolve();
        else waiting.push(resolve);
      }),
    end(text) {
      if (closed) return;
      controller?.enqueue(encoder.encode(text));
      controller?.close();
      close();
    },
    get closed() {
      return closed;
    },
    onClose(own) {
      listener = own;
    },
  };
  return { sink, body };
}

/** How long the client may take to close. */
const CLOSE_WITHIN_MS = 1_000;

/** A WebSocket as a sink for events, one frame each. `stream` is the underlying connection. */
export function socketSink(socket: WebSocket, stream: Duplex, clock: Clock): Sink {
  return {
    write(text) {
      if (socket.readyState === socket.OPEN) socket.send(text);
    },
    get buffered() {
      return socket.bufferedAmount;
    },
    drained: () =>
      new Promise((resolve) => {
        if (!stream.writableNeedDrain || stream.destroyed) return resolve();
        const done = (): void => {
          stream.off("drain", done).off("close", done);
          resolve();
        };
        stream.on("drain", done).on("close", done);
      }),
    end() {
      if (socket.readyState !== socket.OPEN) return;
      socket.close(1001, "resume after the last id");
      const cancel = clock.schedule(CLOSE_WITHIN_MS, () => socket.terminate());
      socket.once("close", cancel);
    },
    get closed() {
      return socket.readyState !== socket.OPEN;
    },
    onClose: (listener) => void socket.once("close", listener),
  };
}
