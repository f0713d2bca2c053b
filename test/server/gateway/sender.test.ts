import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { afterEach, expect, it, vi } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { createSender, type Sender } from "../../../src/server/gateway/sender.ts";
import { fakeClock } from "../../../src/testing/index.ts";

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0).reverse()) close();
});

async function connected(): Promise<{
  readonly sender: Sender;
  readonly stream: Socket;
  readonly server: WebSocket;
  readonly received: string[];
  /** Resolves when so many frames have come. */
  got(count: number): Promise<void>;
}> {
  const http = createServer();
  const sockets = new WebSocketServer({ server: http, perMessageDeflate: false });
  closers.push(() => http.close());
  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  const connection = once(sockets, "connection") as Promise<[WebSocket, IncomingMessage]>;
  const client = new WebSocket(`ws://127.0.0.1:${(http.address() as AddressInfo).port}`);
  closers.push(() => client.terminate());
  const received: string[] = [];
  client.on("message", (data) => received.push(String(data)));
  const [server, { socket: stream }] = await connection;
  const limits = { streamBuffer: 1_000, slowReaderMs: 1_000 };
  return {
    sender: createSender(server, stream, { clock: fakeClock(), limits }),
    ...{ stream, server, received },
    got: async (count) => {
      await expect.poll(() => received.length).toBeGreaterThanOrEqual(count);
    },
  };
}

it("sends the frames of one turn as one write, after the turn's promises", async () => {
  const { sender, stream, received, got } = await connected();
  const writes = vi.spyOn(stream, "_writev" as never);
  sender.send("one");
  await Promise.resolve();
  sender.send("two");
  expect(stream.writableLength).toBe(0);
  await got(2);
  expect(received).toEqual(["one", "two"]);
  expect(writes).toHaveBeenCalledTimes(1);
});

it("does not wait for the end of the turn if many connections have frames", async () => {
  const all = await Promise.all(Array.from({ length: 9 }, () => connected()));
  const sent = all.map(({ server }) => vi.spyOn(server, "send"));
  for (const { sender } of all) sender.send("one");
  expect(sent.map(({ mock }) => mock.calls.length)).toEqual([1, 1, 1, 1, 1, 1, 1, 1, 0]);
  await Promise.all(all.map(({ got }) => got(1)));
});

it("bounds the backlog of a slow reader", async () => {
  const { sender, server, received, got } = await connected();
  const sent = vi.spyOn(server, "send");
  for (const text of ["x".repeat(900), "y".repeat(50), "z".repeat(50)]) sender.send(text);
  expect(sent).not.toHaveBeenCalled();
  sender.send("!");
  expect(sent).toHaveBeenCalledTimes(4);
  await got(4);
  expect(received.map((text) => text[0])).toEqual(["x", "y", "z", "!"]);
});

it("sends waiting frames before a close, and none after it", async () => {
  const { sender, server, received, got } = await connected();
  const closed = once(server, "close");
  sender.send("last words");
  sender.flush();
  server.close(1000, "done");
  sender.send("too late");
  await got(1);
  await closed;
  expect(received).toEqual(["last words"]);
});
