import { connect, type Socket } from "node:net";
import { onTestFinished } from "vitest";
import { until } from "../open-server.js";

export interface RawConnection {
  readonly socket: Socket;
  /** What came so far. */
  text(): string;
  /** Resolves once that has come. */
  has(text: string): Promise<string>;
  /** Resolves with all that came when the server has closed the connection. */
  readonly closed: Promise<string>;
}

/** A connection of one's own, that ends only when the server ends it; nothing is read where `reads` is false. */
export function openConnection(port: number, { reads = true } = {}): RawConnection {
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  let received = "";
  if (reads) {
    socket.setEncoding("utf8").on("data", (chunk: string) => {
      received += chunk;
    });
  }
  socket.on("error", () => undefined);
  onTestFinished(() => void socket.destroy());
  const closed = new Promise<string>((resolve) => {
    const done = (): void => resolve(received);
    socket.on("end", done).on("close", done);
  });
  return {
    socket,
    text: () => received,
    has: (text) => until(() => received.includes(text) && received),
    closed,
  };
}
