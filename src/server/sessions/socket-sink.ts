import type { Duplex } from "node:stream";
import type { WebSocket } from "ws";
import type { Clock } from "../../core/index.js";
import type { Sink } from "../events/sink.js";

/** How long the other end may take to close. */
const CLOSE_WITHIN_MS = 1_000;

/** A WebSocket as a place for events, one frame each. `stream` is the connection under it. */
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
