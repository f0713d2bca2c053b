import { afterEach, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { openSession } from "../../../src/sessions/index.js";
import { readEvents } from "../event-reader.ts";
import { openRaw } from "../gateway/raw-socket.ts";
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
} from "../open-server.ts";
import { readSession } from "../session-reader.ts";

afterEach(closeServers);

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
    expect(refused.body.error?.message).toContain("as many waiting requests as it may");
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
