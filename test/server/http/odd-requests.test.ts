import type { Socket } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { type Listening, listen } from "../../../src/server/index.js";
import { closeServers, openServer, until } from "../open-server.js";
import { openConnection } from "./raw-connection.js";

const listening: Listening[] = [];
afterEach(async () => {
  for (const own of listening.splice(0)) await own.close();
  await closeServers();
});

const H2C =
  "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA\r\n";

describe("an upgrade to a protocol that is not spoken here", () => {
  it("is an offer: the request is served as it is, and so is the next one", async () => {
    const { port } = await openServer();
    const connection = openConnection(port);
    connection.socket.write(`GET /healthz HTTP/1.1\r\nHost: localhost\r\n${H2C}\r\n`);
    expect(await connection.has(`{"status":"ok"}`)).toMatch(/^HTTP\/1\.1 200 /);
    connection.socket.write(`GET /nowhere HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
    expect(await connection.closed).toContain("HTTP/1.1 404 ");
  });

  it("leaves nothing behind on a connection, however often it is offered", async () => {
    const { nodeServer, port } = await openServer();
    const accepted = new Promise<Socket>((resolve) => nodeServer.once("connection", resolve));
    const connection = openConnection(port);
    const socket = await accepted;
    const listeners = (): number =>
      socket.eventNames().reduce((sum, name) => sum + socket.listenerCount(name), 0);
    const counts: number[] = [];
    for (let count = 1; count <= 20; count += 1) {
      connection.socket.write(`GET /healthz HTTP/1.1\r\nHost: localhost\r\n${H2C}\r\n`);
      await until(() => connection.text().split(`{"status":"ok"}`).length > count);
      counts.push(listeners());
    }
    expect(counts.at(-1)).toBe(counts[1]);
  });

  it("takes the body with it, what has come and what is still to come", async () => {
    const open = await openServer();
    const token = await open.token();
    const connection = openConnection(open.port);
    const body = JSON.stringify({ questions: [{ question: "Größe?" }] });
    const [first, second] = [Buffer.from(body).subarray(0, 10), Buffer.from(body).subarray(10)];
    const head =
      `POST /v1/asks HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n${H2C}` +
      `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n`;
    connection.socket.write(Buffer.concat([Buffer.from(head), first]));
    connection.socket.write(second);
    expect(await connection.has(`"status":"pending"`)).toMatch(/^HTTP\/1\.1 201 /);
    expect((await open.hub.list()).asks[0]?.questions[0]?.question).toBe("Größe?");
  });

  it("stays for others on the same node server who may know it", async () => {
    const open = await openServer();
    open.nodeServer.on("upgrade", (_incoming, socket) => socket.end("HTTP/1.1 101 Theirs\r\n\r\n"));
    const connection = openConnection(open.port);
    connection.socket.write(
      `GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: theirs\r\n\r\n`,
    );
    expect(await connection.closed).toBe("HTTP/1.1 101 Theirs\r\n\r\n");
    connection.socket.destroy();
  });
});

describe("a Host header that names no host", () => {
  it.each(["1.2.3.4.5", "256.256.256.256", "0x7f.1.2.3.4", "[::1", "a b", "localhost:port", "%00"])(
    "%s gave a stack trace",
    async (host) => {
      const { port } = await openServer();
      const connection = openConnection(port);
      connection.socket.write(`GET /healthz HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
      const response = await connection.closed;
      expect(response).toMatch(/^HTTP\/1\.1 4\d\d /);
      expect(response).toContain(`"error"`);
      expect(response).not.toMatch(/\bat \S+ \(|\.[jt]s:\d/);
    },
  );
});

it.each(["/healthz", "http://localhost/healthz"])(
  "took the first of two Host headers for %s",
  async (target) => {
    const { port } = await openServer();
    const connection = openConnection(port);
    const hosts = "Host: localhost\r\nhost: evil.example\r\n";
    connection.socket.write(`GET ${target} HTTP/1.1\r\n${hosts}Connection: close\r\n\r\n`);
    const response = await connection.closed;
    expect(response).toMatch(/^HTTP\/1\.1 400 /);
    expect(response).toContain("send one Host header");
  },
);

it("took the first of two Host headers for a WebSocket", async () => {
  const open = await openServer({ gatewayPaths: ["/ws"] });
  const connection = openConnection(open.port);
  const key = "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==";
  connection.socket.write(
    `GET /ws HTTP/1.1\r\nHost: localhost\r\nhost: evil.example\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n${key}\r\nAuthorization: Bearer ${await open.token()}\r\n\r\n`,
  );
  const response = await connection.has("\r\n\r\n");
  connection.socket.destroy();
  expect(response).toMatch(/^HTTP\/1\.1 400 /);
});

describe("a request target", () => {
  it.each([
    ["http://localhost/healthz", "an absolute URL", 200],
    ["/v1/../healthz", "a path with dots", 200],
    ["/v1/asks/", "a path that ends in a slash", 404],
    ["*", "a star", 400],
    ["/health\\z", "a path with a backslash", 400],
    ["http://a:b@localhost/healthz", "a URL with a password", 400],
  ])("%s (%s) is %i", async (target, _what, status) => {
    const { port } = await openServer();
    const connection = openConnection(port);
    const method = target === "*" ? "OPTIONS" : "GET";
    connection.socket.write(`${method} ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
    expect(await connection.closed).toContain(`HTTP/1.1 ${status} `);
  });

  it.each(["a:b@localhost", "localhost/x?", "localhost:99999"])(
    "with the host %s is refused",
    async (host) => {
      const { port } = await openServer();
      const connection = openConnection(port);
      connection.socket.write(`GET /healthz HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
      expect(await connection.closed).toMatch(/^HTTP\/1\.1 400 [\s\S]*"code":"invalid_request"/);
    },
  );
});

it.each(["HTTP/1.1", "HTTP/1.0"])(
  "a request of %s without a host is told so, in the one shape",
  async (version) => {
    const { server } = await openServer();
    const own = await listen(server, { port: 0 });
    listening.push(own);
    const connection = openConnection(own.port);
    connection.socket.write(`GET /healthz ${version}\r\nConnection: close\r\n\r\n`);
    const told = await connection.closed;
    expect(told).toMatch(/^HTTP\/1\.1 400 /);
    expect(JSON.parse(told.split("\r\n\r\n")[1] ?? "")).toEqual({
      error: { code: "invalid_request", message: expect.stringContaining("send one Host header") },
    });
  },
);
