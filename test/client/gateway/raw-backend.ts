// A backend written from the gateway protocol alone: raw `ws`, without Askline's code.

import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { type WebSocket, WebSocketServer } from "ws";
import { type RawSocket, wrap } from "../../server/gateway/raw-socket.js";

export interface RawBackend {
  readonly url: string;
  /** The next plugin that connects. */
  plugin(): Promise<RawSocket>;
  readonly connections: number;
  close(): Promise<void>;
}

export async function openBackend(port = 0): Promise<RawBackend> {
  const server = new WebSocketServer({ port, host: "127.0.0.1" });
  const waiting: RawSocket[] = [];
  let takers: ((plugin: RawSocket) => void)[] = [];
  let connections = 0;
  server.on("connection", (socket: WebSocket) => {
    connections += 1;
    const plugin = wrap(socket);
    const [taker, ...others] = takers;
    takers = others;
    if (taker === undefined) waiting.push(plugin);
    else taker(plugin);
  });
  await new Promise((resolve) => {
    server.once("listening", resolve);
  });
  const close = async (): Promise<void> => {
    for (const socket of server.clients) socket.terminate();
    await new Promise((resolve) => {
      server.close(resolve);
    });
  };
  onTestFinished(close);
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    plugin() {
      const plugin = waiting.shift();
      if (plugin !== undefined) return Promise.resolve(plugin);
      return new Promise((resolve) => {
        takers.push(resolve);
      });
    },
    get connections() {
      return connections;
    },
    close,
  };
}
