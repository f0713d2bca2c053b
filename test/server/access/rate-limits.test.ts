import { afterEach, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { openSession } from "../../../src/agents/sessions/index.js";
import { openRaw, questionEvent } from "../gateway/raw-socket.js";
import { call, closeServers, type OpenServer, openServer, posted, refusal, until } from "../open-server.js";

afterEach(closeServers);

const DATABASE = {
  question: "Which database?",
  header: "DB",
  options: [
    { label: "Redis", description: "fast" },
    { label: "SQLite", description: "small" },
  ],
  multiSelect: false,
};

/** So many requests, one after the other, from an address behind the proxy that the server trusts. */
async function sent(
  open: OpenServer,
  count: number,
  token: string | undefined,
  address = "198.51.100.1",
  line = "GET /v1/asks",
): Promise<readonly string[]> {
  const refusals: string[] = [];
  for (let index = 0; index < count; index += 1) {
    refusals.push(refusal(await call(open, token, line, undefined, { "x-forwarded-for": address })));
  }
  return refusals;
}

const OK = "200 no error";
const LIMITED = "429 rate_limited";

describe("a token", () => {
  it("that sends too much is told when to go on, and then goes on", async () => {
    const open = await openServer({ limits: { tokenRate: 0.5, tokenBurst: 2 } });
    const token = await open.token();
    expect(await sent(open, 3, token)).toEqual([OK, OK, LIMITED]);
    const refused = await call(open, token, "GET /v1/asks");
    expect(refused.headers.get("retry-after")).toBe("2");
    expect(refused.body.error?.message).toMatch(/rate limit for this token exceeded; retry in 2 s/);
    expect(await sent(open, 1, await open.token())).toEqual([OK]);
    await open.clock.advance(2_000);
    expect(await sent(open, 2, token)).toEqual([OK, LIMITED]);
  });

  it("is counted in all of its requests, and pages say so as pages", async () => {
    const open = await openServer({ limits: { tokenRate: 1, tokenBurst: 2 } });
    const agent = await open.token();
    const { id } = await posted(open, agent);
    const { link } = await open.auth.createLink({ askId: id, person: "ana", expiresIn: 60_000 });
    const page = (): Promise<Response> =>
      fetch(`${open.url}/a/${link}`, { headers: { accept: "text/html" } });
    expect([(await page()).status, (await page()).status]).toEqual([200, 200]);
    const refused = await page();
    expect([refused.status, refused.headers.get("content-type")]).toEqual([429, "text/html; charset=utf-8"]);
    expect(refusal(await call(open, link, `GET /v1/asks/${id}`))).toBe(LIMITED);
  });

  it("that sends too much gets no WebSocket", async () => {
    const open = await openServer({ limits: { tokenRate: 1, tokenBurst: 1 } });
    const token = await open.token();
    await sent(open, 1, token);
    await expect(openRaw(open, { token })).rejects.toThrow(/^429 .*rate_limited/);
    await open.clock.advance(1_000);
    expect((await openRaw(open, { token })).socket.readyState).toBe(WebSocket.OPEN);
  });

  it("is told of each gateway message that is too much, by its name, and the connection lives on", async () => {
    const open = await openServer({ limits: { tokenRate: 1, tokenBurst: 3 } });
    const host = await openRaw(open, { token: await open.token() });
    for (const id of ["q1", "q2", "q3"]) host.send(questionEvent(id, [DATABASE]));
    expect(await host.next()).toEqual({
      type: "error",
      payload: {
        questionId: "q3",
        code: "rate_limited",
        message: expect.stringContaining("retry in 1 s"),
        retryAfterMs: 1_000,
      },
    });
    await open.clock.advance(1_000);
    host.send(questionEvent("q3", [DATABASE]));
    await until(async () => (await open.hub.list()).asks.length === 3);
    expect(host.waiting).toEqual([]);
  });

  it("counts gateway messages that cannot be taken as well", async () => {
    const open = await openServer({ limits: { tokenRate: 1, tokenBurst: 3 } });
    const host = await openRaw(open, { token: await open.token() });
    for (const id of ["q1", "q2", "q3"]) host.send(questionEvent(id, []));
    const errors: unknown[] = [];
    // A refused question is also answered, so that a host which knows only the document does not wait.
    while (errors.length < 3) {
      const message = (await host.next()) as { readonly type: string; readonly payload: unknown };
      if (message.type === "error") errors.push(message.payload);
    }
    expect(errors).toMatchObject([
      { code: "invalid_ask", questionId: "q1" },
      { code: "invalid_ask", questionId: "q2" },
      { code: "rate_limited", questionId: "q3" },
    ]);
  });

  it("is told of each message to a session that is too much, and the connection lives on", async () => {
    const open = await openServer({ limits: { tokenRate: 1, tokenBurst: 2 } });
    await openSession({ hub: open.hub, sessionId: "s", asker: "agent" });
    const token = await open.token({ role: "person" });
    const socket = new WebSocket(`ws://127.0.0.1:${open.port}/v1/sessions/s/stream`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const frames: unknown[] = [];
    socket.on("message", (data) => void frames.push(JSON.parse(String(data))));
    await new Promise((resolve) => void socket.on("open", resolve));
    const message = JSON.stringify({ type: "message", text: "hello" });
    socket.send(message);
    socket.send(message);
    const refused = await until(() => frames.find((frame) => (frame as { type: string }).type === "error"));
    expect(refused).toMatchObject({ error: { code: "rate_limited" }, retryAfterMs: 1_000 });
    await open.clock.advance(1_000);
    socket.send(message);
    await until(
      () => frames.filter((frame) => JSON.stringify(frame).includes("hello")).length === 2 && frames,
    );
    socket.close();
  });
});

describe("an address", () => {
  const limits = { addressRate: 1, addressBurst: 6, failedCredential: 2 };
  const trustedProxies = ["127.0.0.1"];
  const guess = `askline_${"0".repeat(12)}${"a".repeat(43)}`;

  it("is counted before its token is looked at, whatever token it has", async () => {
    const open = await openServer({ limits, trustedProxies });
    const tokens = [await open.token(), await open.token()];
    for (const token of tokens) expect(await sent(open, 3, token)).toEqual([OK, OK, OK]);
    const [token] = tokens;
    expect(await sent(open, 1, token)).toEqual([LIMITED]);
    expect(await sent(open, 1, undefined, undefined, "GET /healthz")).toEqual([LIMITED]);
    expect(await sent(open, 1, token, "198.51.100.2")).toEqual([OK]);
    await open.clock.advance(1_000);
    expect(await sent(open, 2, token)).toEqual([OK, LIMITED]);
  });

  it.each([
    ["tokens", guess, "GET /v1/asks", "401 unauthorized"],
    ["links as tokens", `link_e30.${"a".repeat(43)}`, "GET /v1/asks/ask_1", "401 invalid_link"],
    ["links", undefined, `GET /a/link_e30.${"a".repeat(43)}`, "401 invalid_link"],
  ])("that tries %s soon tries them slowly", async (_name, token, line, wrong) => {
    const open = await openServer({ limits, trustedProxies });
    expect(await sent(open, 3, token, undefined, line)).toEqual([wrong, wrong, LIMITED]);
    // In the time of one more try, three requests with a good credential.
    await open.clock.advance(3_000);
    expect(await sent(open, 2, token, undefined, line)).toEqual([wrong, LIMITED]);
    await open.clock.advance(3_000);
    expect(await sent(open, 4, await open.token())).toEqual([OK, OK, OK, LIMITED]);
  });

  it("that tries codes and cookies soon tries them slowly", async () => {
    const open = await openServer({ limits, trustedProxies });
    const headers = {
      "x-forwarded-for": "198.51.100.1",
      "sec-fetch-site": "same-origin",
      "content-type": "application/x-www-form-urlencoded",
    };
    const signIn = async (): Promise<number> =>
      (await fetch(`${open.url}/login`, { method: "POST", headers, body: "code=guess" })).status;
    expect([await signIn(), await signIn(), await signIn()]).toEqual([401, 401, 429]);
    const visit = async (): Promise<number> =>
      (
        await fetch(`${open.url}/i/${"k".repeat(22)}/`, {
          headers: { "x-forwarded-for": "198.51.100.9", cookie: `askline_${open.port}=guess` },
        })
      ).status;
    expect([await visit(), await visit(), await visit()]).toEqual([401, 401, 429]);
  });

  it("that tries tokens for WebSockets soon tries them slowly", async () => {
    const open = await openServer({ limits, trustedProxies });
    const headers = { "x-forwarded-for": "2001:db8:1:2::1" };
    const again = { "x-forwarded-for": "2001:db8:1:2:ffff::1" };
    for (const told of [headers, again]) {
      await expect(openRaw(open, { token: guess, headers: told })).rejects.toThrow(/^401/);
    }
    await expect(openRaw(open, { token: guess, headers })).rejects.toThrow(/^429/);
    await expect(openRaw(open, { token: guess, headers: { "x-forwarded-for": "2001:db8:1:3::1" } }))
      .rejects //
      .toThrow(/^401/);
  });

  it("of this machine is not counted", async () => {
    const open = await openServer({ limits: { addressRate: 1, addressBurst: 1 } });
    const token = await open.token();
    expect(await sent(open, 5, token)).toEqual([OK, OK, OK, OK, OK]);
  });
});

describe("limits that cannot be kept", () => {
  it.each([0, -1, Number.NaN])("such as %s are refused", async (tokenRate) => {
    await expect(openServer({ limits: { tokenRate } })).rejects.toThrow("the limit tokenRate must be");
  });
});
