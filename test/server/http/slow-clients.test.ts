import type { Socket } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { openSession } from "../../../src/agents/sessions/index.js";
import { systemClock } from "../../../src/index.js";
import { type Listening, listen, type ServerLimits } from "../../../src/server/index.js";
import { call, closeServers, type OpenServer, openServer, posted, refusal, until } from "../open-server.js";
import { openConnection } from "./raw-connection.js";

const listening: Listening[] = [];
afterEach(async () => {
  for (const own of listening.splice(0)) await own.close();
  await closeServers();
});

/** A server as `askline serve` has one, with the machine's clock. */
async function serving(limits: ServerLimits): Promise<OpenServer & { readonly port: number }> {
  const open = await openServer({ limits, clock: systemClock });
  const own = await listen(open.server, { port: 0 });
  listening.push(own);
  return { ...open, port: own.port, url: own.url };
}

describe("a client that sends slowly", () => {
  it("its headers, is told so and cut off", async () => {
    const { port } = await serving({ headersMs: 50 });
    const connection = openConnection(port);
    connection.socket.write("GET /healthz HTTP/1.1\r\nHost: loc");
    expect(await connection.closed).toMatch(/^HTTP\/1\.1 408 .*"code":"request_timeout"/s);
  });

  it("nothing at all, is cut off", async () => {
    const { port } = await serving({ headersMs: 50 });
    await openConnection(port).closed;
  });

  it("its body, is told so and cut off, and nothing was asked", async () => {
    const open = await serving({ bodyMs: 50 });
    const token = await open.token();
    const connection = openConnection(open.port);
    connection.socket.write(
      `POST /v1/asks HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n` +
        `Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"questions":`,
    );
    const told = await connection.closed;
    expect(told).toMatch(/^HTTP\/1\.1 408 .*"code":"request_timeout"/s);
    expect(told).toMatch(/\r\nconnection: close\r\n/i);
    expect((await open.hub.list()).asks).toEqual([]);
  });

  it("a body that nobody reads, is cut off", async () => {
    const { port } = await serving({ headersMs: 25, bodyMs: 25 });
    const connection = openConnection(port);
    connection.socket.write("POST /nowhere HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{");
    expect(await connection.closed).toMatch(/^HTTP\/1\.1 404 /);
  });

  it("its next request, loses the connection", async () => {
    const { port } = await serving({ idleMs: 50 });
    const connection = openConnection(port);
    connection.socket.write("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n");
    expect(await connection.closed).toMatch(/^HTTP\/1\.1 200 .*\{"status":"ok"\}$/s);
  });

  it("a body to a handler that is mounted elsewhere, is told so", async () => {
    const open = await openServer();
    const body = new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array([123])) });
    const request = new Request("http://localhost/v1/asks", {
      method: "POST",
      headers: { authorization: `Bearer ${await open.token()}`, "content-type": "application/json" },
      body,
      duplex: "half",
    } as RequestInit);
    const timers = open.clock.timers;
    const response = open.server.fetch(request);
    await until(() => open.clock.timers > timers);
    await open.clock.advance(30_000);
    expect((await response).status).toBe(408);
  });
});

describe("a client that does not read", () => {
  /** Sends requests whose responses are more than the system's buffers take, and reads none of them. */
  async function unread(open: OpenServer): Promise<Socket> {
    const token = await open.token();
    const context = "x".repeat(60_000);
    for (let count = 0; count < 200; count += 1) await posted(open, token, { context });
    const accepted = new Promise<Socket>((resolve) => open.nodeServer.once("connection", resolve));
    const { socket } = openConnection(open.port, { reads: false });
    socket.pause();
    socket.write(
      `GET /v1/asks?limit=200 HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n\r\n`,
    );
    const connection = await accepted;
    await until(() => connection.writableLength > 0);
    return connection;
  }

  it("its response, is cut off", async () => {
    const open = await openServer();
    const connection = await unread(open);
    expect(connection.destroyed).toBe(false);
    await open.clock.advance(30_000);
    await until(() => connection.destroyed);
  });

  it("why it was refused a WebSocket, is cut off", async () => {
    const open = await openServer();
    const accepted = new Promise<Socket>((resolve) => open.nodeServer.once("connection", resolve));
    const { socket } = openConnection(open.port, { reads: false });
    socket.pause();
    socket.write(
      "GET /v1/gateway HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n" +
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
    );
    const connection = await accepted;
    await until(() => connection.writableFinished);
    await open.clock.advance(1_000);
    await until(() => connection.destroyed);
  });

  /** Streams a session to somebody who reads nothing, until more waits for them than may. */
  async function unreadSession(open: OpenServer): Promise<Socket> {
    const session = await openSession({ hub: open.hub, sessionId: "s", asker: "agent" });
    const accepted = new Promise<Socket>((resolve) => open.nodeServer.once("connection", resolve));
    const { socket } = openConnection(open.port, { reads: false });
    socket.pause();
    const token = await open.token();
    socket.write(
      `GET /v1/sessions/s/stream HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n\r\n`,
    );
    const connection = await accepted;
    await until(() => open.server.open().streams === 1);
    const timers = open.clock.timers;
    await until(async () => {
      await session.write({ type: "text", text: "x".repeat(60_000) });
      return open.clock.timers > timers;
    });
    return connection;
  }

  it("the events of a session, is cut off", async () => {
    const open = await openServer({ limits: { streamBuffer: 64 * 1024 } });
    const connection = await unreadSession(open);
    await open.clock.advance(30_000);
    await open.clock.advance(2_000);
    await until(() => connection.destroyed);
    expect(open.server.open().streams).toBe(0);
  });

  it("the events of a session, does not hold up a server that stops", async () => {
    const open = await openServer({ limits: { streamBuffer: 64 * 1024 } });
    await unreadSession(open);
    await open.server.close();
    expect(open.server.open().streams).toBe(0);
  });

  it("anything, as it has gone before its session's stream began, leaves no place taken", async () => {
    const open = await openServer();
    await openSession({ hub: open.hub, sessionId: "s", asker: "agent" });
    let release = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { bounds } = open.hub.logs;
    const looked = new Promise<void>((resolve) => {
      Object.assign(open.hub.logs, {
        bounds: async (log: string) => {
          resolve();
          await gate;
          return bounds(log);
        },
      });
    });
    const accepted = new Promise<Socket>((resolve) => open.nodeServer.once("connection", resolve));
    const { socket } = openConnection(open.port);
    const token = await open.token();
    socket.write(
      `GET /v1/sessions/s/stream HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n\r\n`,
    );
    await looked;
    const connection = await accepted;
    const gone = new Promise((resolve) => void connection.once("close", resolve));
    socket.destroy();
    await gone;
    release();
    // The request is over once its stream has begun.
    await until(() => open.server.open().requests === 0);
    await until(() => open.server.open().streams === 0);
  });

  it("and does not answer pings on a session's WebSocket, is cut off", async () => {
    const open = await openServer();
    await openSession({ hub: open.hub, sessionId: "s", asker: "agent" });
    const socket = new WebSocket(`ws://127.0.0.1:${open.port}/v1/sessions/s/stream`, {
      headers: { authorization: `Bearer ${await open.token()}` },
    });
    await new Promise((resolve) => void socket.on("open", resolve));
    const ponged = new Promise((resolve) => void socket.once("ping", resolve));
    await open.clock.advance(15_000);
    await ponged;
    const closed = new Promise<number>((resolve) => void socket.on("close", resolve));
    socket.pause();
    // One that was answered before the pause may still be on its way.
    await until(async () => {
      await open.clock.advance(15_000);
      return open.server.open().sockets === 0;
    });
    socket.resume();
    expect(await closed).toBe(1006);
  });
});

it("does not wait, when it stops, for a client that has said nothing yet", async () => {
  const open = await openServer({ limits: { stopMs: 60_000 }, clock: systemClock });
  const own = await listen(open.server, { port: 0 });
  const silent = openConnection(own.port);
  // Accepted in order: when the second is served, the first is there too.
  expect((await fetch(`${own.url}/healthz`)).status).toBe(200);
  await own.close();
  await silent.closed;
});

it("does not take more connections than it may", async () => {
  const { port, url } = await serving({ connections: 1 });
  const first = openConnection(port);
  first.socket.write("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n");
  await first.has("ok");
  await openConnection(port).closed;
  first.socket.destroy();
  await until(async () => (await fetch(`${url}/healthz`).catch(() => undefined))?.ok);
});

it("serves a body in pieces that come in time", async () => {
  const open = await serving({ bodyMs: 60_000 });
  const token = await open.token();
  const connection = openConnection(open.port);
  const body = JSON.stringify({ questions: [{ question: "Why?" }] });
  connection.socket.write(
    `POST /v1/asks HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
  );
  for (const piece of body) connection.socket.write(piece);
  expect(await connection.has(`"status":"pending"`)).toMatch(/^HTTP\/1\.1 201 /);
  expect(refusal(await call(open, token, "GET /v1/asks"))).toBe("200 no error");
});
