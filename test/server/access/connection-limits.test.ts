import type { Socket } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { openSession } from "../../../src/agents/sessions/index.js";
import { SERVER_LIMITS } from "../../../src/server/http/limits.ts";
import type { ServerMetrics } from "../../../src/server/instruments/server-metrics.js";
import { readEvents } from "../event-reader.js";
import { openRaw } from "../gateway/raw-socket.js";
import { openConnection, type RawConnection } from "../http/raw-connection.js";
import {
  awaitedAsk,
  call,
  closeServers,
  openServer,
  posted,
  question,
  refusal,
  until,
  yes,
} from "../open-server.js";
import { readSession } from "../session-reader.js";

afterEach(closeServers);

/** What somebody sends whom the proxy that the server trusts has seen there. */
const from = (address: string) => ({ "x-forwarded-for": address });
const PROXY = { trustedProxies: ["127.0.0.1"] };

const LIMITED = "429 rate_limited";
const OVERLOADED = "503 overloaded";

describe("waiting requests", () => {
  it("are bounded for a token; who is refused has not asked", async () => {
    const open = await openServer({ limits: { tokenWaits: 1 } });
    const token = await open.token();
    const person = await open.token({ role: "person" });
    const first = call(open, token, "POST /v1/asks?wait=60", { questions: [question] });
    const { id } = await awaitedAsk(open);
    const refused = await call(open, token, "POST /v1/asks?wait=1", { questions: [question] });
    expect([refusal(refused), refused.headers.get("retry-after")]).toEqual([LIMITED, "2"]);
    expect(refusal(await call(open, token, `GET /v1/asks/${id}?wait=1`))).toBe(LIMITED);
    expect((await open.hub.list()).asks).toHaveLength(1);
    // What does not wait needs no place, nor does another token.
    expect((await call(open, token, `GET /v1/asks/${id}`)).status).toBe(200);
    const second = call(open, await open.token(), `GET /v1/asks/${id}?wait=60`);
    await until(() => open.server.open().waits === 2);
    await call(open, person, `POST /v1/asks/${id}/answer`, yes);
    expect([(await first).status, (await second).status]).toEqual([201, 200]);
    expect(open.server.open()).toEqual({ waits: 0, streams: 0, sockets: 0, requests: 0 });
    expect((await call(open, token, `GET /v1/asks/${id}?wait=60`)).status).toBe(200);
  });

  it("are bounded in all, and their places are free when they hang up or fail", async () => {
    const open = await openServer({ limits: { waits: 1 } });
    const token = await open.token();
    const { id } = await posted(open, token);
    const hangUp = new AbortController();
    const headers = { authorization: `Bearer ${token}` };
    const waiting = fetch(`${open.url}/v1/asks/${id}?wait=60`, { headers, signal: hangUp.signal });
    waiting.catch(() => undefined);
    await until(() => open.server.open().waits === 1);
    const refused = await call(open, await open.token(), `GET /v1/asks/${id}?wait=60`);
    expect([refusal(refused), refused.headers.get("retry-after")]).toEqual([OVERLOADED, "2"]);
    expect(refused.body.error?.message).toContain("reached its limit of waiting requests");
    hangUp.abort();
    await until(() => open.server.open().waits === 0);
    expect(refusal(await call(open, token, "POST /v1/asks?wait=60", {}))).toBe("422 invalid_ask");
    expect(open.server.open().waits).toBe(0);
  });
});

describe("streams", () => {
  it("of events and of sessions are bounded for a token", async () => {
    const open = await openServer({ limits: { tokenStreams: 2 } });
    await openSession({ hub: open.hub, sessionId: "s", asker: "agent" });
    const token = await open.token();
    const events = await readEvents(open, token);
    const session = await readSession(open, token, "s");
    expect([events.status, session.status]).toEqual([200, 200]);
    expect(refusal(await call(open, token, "GET /v1/events"))).toBe(LIMITED);
    expect(refusal(await call(open, token, "GET /v1/sessions/s/stream"))).toBe(LIMITED);
    const other = await readEvents(open, await open.token());
    expect(other.status).toBe(200);
    events.hangUp();
    session.hangUp();
    await until(() => open.server.open().streams === 1);
    expect((await readEvents(open, token)).status).toBe(200);
  });

  it("of a person's token are fewer than those of an agent's", async () => {
    expect(SERVER_LIMITS).toMatchObject({ tokenStreams: 1_000, personStreams: 200 });
    const open = await openServer({ limits: { tokenStreams: 2, personStreams: 1 } });
    const [agent, person] = [await open.token(), await open.token({ role: "person", name: "ana" })];
    await readEvents(open, person);
    expect(refusal(await call(open, person, "GET /v1/events"))).toBe(LIMITED);
    await readEvents(open, agent);
    expect((await readEvents(open, agent)).status).toBe(200);
    expect(refusal(await call(open, agent, "GET /v1/events"))).toBe(LIMITED);
  });

  it("are bounded in all; one that could not begin leaves no place taken", async () => {
    const open = await openServer({ limits: { streams: 1 } });
    const token = await open.token();
    expect(refusal(await call(open, token, "GET /v1/events?after=99"))).toBe("410 position_trimmed");
    await readEvents(open, token);
    expect(refusal(await call(open, await open.token(), "GET /v1/events"))).toBe(OVERLOADED);
  });
});

describe("WebSockets", () => {
  it("of the gateway and of sessions are bounded for a token, before the upgrade", async () => {
    const open = await openServer({ limits: { tokenSockets: 2 } });
    await openSession({ hub: open.hub, sessionId: "s", asker: "agent" });
    const token = await open.token();
    const session = new WebSocket(`ws://127.0.0.1:${open.port}/v1/sessions/s/stream`, {
      headers: { authorization: `Bearer ${token}` },
    });
    await new Promise((resolve) => void session.on("open", resolve));
    const first = await openRaw(open, { token });
    await expect(openRaw(open, { token })).rejects.toThrow(/^429 .*2 WebSockets open/);
    session.close();
    await first.close();
    await until(() => open.server.open().sockets === 0);
    expect((await openRaw(open, { token })).socket.readyState).toBe(WebSocket.OPEN);
  });

  it("are bounded in all", async () => {
    const open = await openServer({ limits: { sockets: 1 } });
    await openRaw(open, { token: await open.token() });
    await expect(openRaw(open, { token: await open.token() })).rejects.toThrow(/^503 .*overloaded/);
  });
});

describe("what one address holds open", () => {
  it("is bounded over all kinds and tokens, and frees its places", async () => {
    const open = await openServer({ ...PROXY, limits: { addressOpen: 3 } });
    const person = await open.token({ role: "person" });
    const headers = from("198.51.100.1");
    const waiting = call(
      open,
      await open.token(),
      "POST /v1/asks?wait=60",
      { questions: [question] },
      headers,
    );
    const { id } = await awaitedAsk(open);
    const events = await readEvents(open, await open.token(), "", headers);
    const socket = await openRaw(open, { token: await open.token(), headers });
    const token = await open.token();
    const refused = await call(open, token, `GET /v1/asks/${id}?wait=1`, undefined, headers);
    expect([refusal(refused), refused.headers.get("retry-after")]).toEqual([LIMITED, "2"]);
    expect(refused.body.error?.message).toBe(
      "this address has 3 waiting requests, streams and WebSockets open, which is the limit; close some first",
    );
    expect(refusal(await call(open, token, "GET /v1/events", undefined, headers))).toBe(LIMITED);
    await expect(openRaw(open, { token, headers })).rejects.toThrow(/^429 .*this address has 3/);
    // What is over at once needs no place, and another address, or this machine, has its own.
    expect((await call(open, token, `GET /v1/asks/${id}`, undefined, headers)).status).toBe(200);
    const other = await readEvents(open, token, "", from("198.51.100.2"));
    expect(other.status).toBe(200);
    expect((await readEvents(open, token)).status).toBe(200);

    await call(open, person, `POST /v1/asks/${id}/answer`, yes);
    expect((await waiting).status).toBe(201);
    events.hangUp();
    await socket.close();
    await until(() => open.server.open().sockets === 0 && open.server.open().streams === 2);
    for (let count = 0; count < 3; count += 1) {
      expect((await readEvents(open, token, "", headers)).status).toBe(200);
    }
    expect(refusal(await call(open, token, "GET /v1/events", undefined, headers))).toBe(LIMITED);
  });

  it("leaves no place taken where its token, or the server, has none", async () => {
    const open = await openServer({ ...PROXY, limits: { addressOpen: 2, tokenStreams: 1 } });
    const headers = from("198.51.100.1");
    const token = await open.token();
    await readEvents(open, token, "", headers);
    for (let count = 0; count < 3; count += 1) {
      const { body } = await call(open, token, "GET /v1/events", undefined, headers);
      expect(body.error?.message).toMatch(/^this token has 1 streams open/);
    }
    expect((await readEvents(open, await open.token(), "", headers)).status).toBe(200);
  });
});

describe("connections of one address", () => {
  it("are bounded though nothing is sent on them, and one too many is dropped with a word", async () => {
    const open = await openServer({ limits: { addressConnections: 2 } });
    const remote = ["192.0.2.7", "192.0.2.7", "192.0.2.7", "192.0.2.8", "127.0.0.1", "192.0.2.7"];
    const accepted: Socket[] = [];
    open.nodeServer.prependListener("connection", (socket: Socket) => {
      // All of them come from this machine: told apart as if they did not.
      Object.defineProperty(socket, "remoteAddress", { value: remote[accepted.length] });
      accepted.push(socket);
    });
    const connected = async (): Promise<RawConnection> => {
      const count = accepted.length;
      const connection = openConnection(open.port);
      await until(() => accepted.length > count);
      return connection;
    };
    const [first] = [await connected(), await connected()];
    const third = await connected();
    expect(await third.closed).toMatch(
      /^HTTP\/1\.1 429 .*\r\nretry-after: 2\r\n.*"code":"rate_limited".*this address has 2 connections open/s,
    );
    expect(accepted.map(({ destroyed }) => destroyed)).toEqual([false, false, true]);
    await connected();
    await connected();
    expect(accepted.map(({ destroyed }) => destroyed)).toEqual([false, false, true, false, false]);
    first?.socket.destroy();
    await until(() => accepted[0]?.destroyed);
    const again = await connected();
    again.socket.write("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n");
    expect(await again.has(`{"status":"ok"}`)).toMatch(/^HTTP\/1\.1 200 /);
  });
});

it("whoever finds no place is counted, by whose bound it is", async () => {
  const refused: string[] = [];
  const metrics: ServerMetrics = {
    requestEnded: () => undefined,
    rateLimited: () => undefined,
    connectionRefused: (by) => void refused.push(by),
    gatewayIgnored: () => undefined,
    render: async () => ({ contentType: "text/plain", text: "" }),
  };
  const limits = { addressOpen: 1, tokenStreams: 2, streams: 3 };
  const open = await openServer({ ...PROXY, metrics, limits });
  const token = await open.token();
  await readEvents(open, token, "", from("198.51.100.1"));
  await call(open, token, "GET /v1/events", undefined, from("198.51.100.1"));
  await readEvents(open, token);
  await call(open, token, "GET /v1/events");
  await readEvents(open, await open.token());
  await call(open, await open.token(), "GET /v1/events");
  expect(refused).toEqual(["address", "token", "server"]);
});
