import { afterEach, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { openSession } from "../../../src/agents/sessions/index.js";
import { createHub, memoryStore } from "../../../src/hub/index.js";
import { redactingLogger } from "../../../src/server/access/redact.js";
import type { Authenticate } from "../../../src/server/index.js";
import { signedIn } from "../browser.ts";
import { openRaw } from "../gateway/raw-socket.js";
import { call, closeServers, type OpenServer, openServer, refusal, until } from "../open-server.ts";

afterEach(closeServers);

const APP = "https://app.example.com";

async function ticketFor(
  open: Pick<OpenServer, "url">,
  token: string | undefined,
  path: string,
  headers: Readonly<Record<string, string>> = { origin: APP },
): Promise<string> {
  const { status, body } = await call(open, token, "POST /v1/tickets", { path }, headers);
  expect(status).toBe(201);
  return (body as unknown as { readonly ticket: string }).ticket;
}

/** The status of a stream; an open one is closed again. */
async function streamStatus(
  { url }: Pick<OpenServer, "url">,
  target: string,
  headers: Readonly<Record<string, string>> = { origin: APP },
): Promise<number> {
  const stop = new AbortController();
  const { status } = await fetch(`${url}${target}`, { headers, signal: stop.signal });
  stop.abort();
  return status;
}

describe("a ticket", () => {
  it("opens an event stream once, from its origin, at its path, within a minute", async () => {
    const open = await openServer({ allowedOrigins: [APP, "https://other.example.com"] });
    const ana = await open.token({ role: "person" });
    const fresh = (): Promise<string> => ticketFor(open, ana, "/v1/events");
    const once = await fresh();
    expect(await streamStatus(open, `/v1/events?ticket=${once}`)).toBe(200);
    expect(await streamStatus(open, `/v1/events?ticket=${once}`)).toBe(401);
    const ticket = await fresh();
    const other = { origin: "https://other.example.com" };
    expect(await streamStatus(open, `/v1/events?ticket=${ticket}`, other)).toBe(401);
    expect(await streamStatus(open, `/v1/events?ticket=${ticket}`, {})).toBe(401);
    expect(await streamStatus(open, `/v1/sessions/s/stream?ticket=${ticket}`)).toBe(401);
    // Nothing of this used it up.
    expect(await streamStatus(open, `/v1/events?ticket=${ticket}&after=0`)).toBe(200);
    const late = await fresh();
    await open.clock.advance(60_000);
    expect(await streamStatus(open, `/v1/events?ticket=${late}`)).toBe(401);
  });

  it("reads and writes what its token may, and ends with it", async () => {
    const open = await openServer({ allowedOrigins: [APP] });
    await openSession({ hub: open.hub, sessionId: "for ana", recipients: ["ana"] });
    const path = "/v1/sessions/for%20ana/stream";
    const { token, info } = await open.auth.createToken({ role: "person", name: "ana" });
    const socket = new WebSocket(
      `ws://127.0.0.1:${open.port}${path}?after=0&ticket=${await ticketFor(open, token, path)}`,
      { origin: APP },
    );
    const frames: string[] = [];
    socket.on("message", (data) => void frames.push(String(data)));
    await new Promise((resolve) => {
      socket.once("open", resolve);
    });
    socket.send(JSON.stringify({ type: "message", text: "Hello" }));
    await until(() => frames.some((frame) => frame.includes("Hello")));
    const closed = new Promise((resolve) => {
      socket.once("close", resolve);
    });
    const unused = await ticketFor(open, token, path);
    await open.auth.revokeToken(info.id);
    await open.clock.advance(1_000);
    await closed;
    expect(await streamStatus(open, `${path}?ticket=${unused}`)).toBe(401);
    const ben = await ticketFor(open, await open.token({ role: "person", name: "ben" }), path);
    expect(await streamStatus(open, `${path}?ticket=${ben}`)).toBe(404);
  });

  it.each(["/v1/gateway", "/api/v1/providers/ws"])(
    "opens the gateway at %s, in the role of its token",
    async (path) => {
      const open = await openServer({ allowedOrigins: [APP], gatewayPaths: ["/api/v1/providers/ws"] });
      const headers = { origin: APP };
      const query = `?ticket=${await ticketFor(open, await open.token({ role: "person" }), path)}`;
      const device = await openRaw(open, { path, query, headers });
      await open.hub.post({ questions: [{ question: "Ship it?", options: ["Yes", "No"] }] });
      expect((await device.next()).payload.event).toBe("ask_user_question");
      await expect(openRaw(open, { path, query, headers })).rejects.toThrow(/401/);
    },
  );

  it("is used once by many at the same time, on several servers of one store", async () => {
    const store = memoryStore();
    const hub = await createHub({ store });
    const first = await openServer({ store, hub, allowedOrigins: [APP] });
    const second = await openServer({ store, hub, allowedOrigins: [APP] });
    const ticket = await ticketFor(first, await first.token(), "/v1/events");
    const tries = Array.from({ length: 20 }, (_, index) =>
      streamStatus(index % 2 === 0 ? first : second, `/v1/events?ticket=${ticket}`),
    );
    expect((await Promise.all(tries)).filter((status) => status === 200)).toHaveLength(1);
  });

  it("works for a page of the server itself, whose reads name no origin, and below a base path", async () => {
    const open = await openServer({ basePath: "/askline" });
    const token = await open.token();
    const own = { origin: open.url, "sec-fetch-site": "same-origin" };
    for (const path of ["/v1/events", "/askline/v1/events"]) {
      const { body } = await call(open, token, "POST /askline/v1/tickets", { path }, own);
      const { ticket } = body as unknown as { readonly ticket: string };
      const target = `/askline/v1/events?ticket=${ticket}`;
      expect(await streamStatus(open, target, { "sec-fetch-site": "cross-site" })).toBe(401);
      expect(await streamStatus(open, target, { "sec-fetch-site": "same-origin" })).toBe(200);
    }
  });

  it("is made for a page by a program that names the page's origin, or for the program itself", async () => {
    const open = await openServer({ allowedOrigins: [APP] });
    const token = await open.token();
    const made = async (origin?: string): Promise<string> => {
      const input = { path: "/v1/events", ...(origin !== undefined && { origin }) };
      const { body } = await call(open, token, "POST /v1/tickets", input);
      return (body as unknown as { readonly ticket: string }).ticket;
    };
    expect(await streamStatus(open, `/v1/events?ticket=${await made(APP)}`)).toBe(200);
    expect(await streamStatus(open, `/v1/events?ticket=${await made()}`, {})).toBe(200);
    expect(await streamStatus(open, `/v1/events?ticket=${await made()}`)).toBe(401);
    const stranger = "https://stranger.example.com";
    const ticket = await made(stranger);
    expect(await streamStatus(open, `/v1/events?ticket=${ticket}`, { origin: stranger })).toBe(401);
  });

  it("is not made for a page of an origin that is not allowed, for a cookie, or for other paths", async () => {
    const open = await openServer({ allowedOrigins: [APP] });
    const token = await open.token();
    const create = async (input: unknown, headers = {}) =>
      refusal(await call(open, token, "POST /v1/tickets", input, headers));
    const path = "/v1/events";
    expect(await create({ path }, { origin: "https://evil.example.com" })).toBe("403 origin_not_allowed");
    expect(await create({ path, origin: "https://b.example.com" }, { origin: APP })).toBe(
      "400 invalid_request",
    );
    const refused = [
      "/v1/asks",
      "/v1/events?after=0",
      "//evil.example.com/v1/events",
      "events",
      "",
      7,
      undefined,
    ];
    for (const wrong of refused) expect(await create({ path: wrong })).toBe("400 invalid_request");
    expect(await create({ path, expires: "1h" })).toBe("400 invalid_request");
    expect(await create({ path, origin: "app.example.com" })).toBe("400 invalid_request");
    const { cookie = "", base } = await signedIn(open);
    const own = { cookie, origin: open.url, "sec-fetch-site": "same-origin" };
    expect(refusal(await call(open, undefined, `POST ${base}/v1/tickets`, { path }, own))).toBe(
      "403 forbidden",
    );
    expect(refusal(await call(open, undefined, "POST /v1/tickets", { path }))).toBe("401 unauthorized");
  });

  it("opens nothing else, and is not a token", async () => {
    const open = await openServer({ allowedOrigins: [APP] });
    const ticket = await ticketFor(open, await open.token(), "/v1/events");
    expect(refusal(await call(open, undefined, `GET /v1/asks?ticket=${ticket}`))).toBe("401 unauthorized");
    expect(refusal(await call(open, ticket, "GET /v1/events"))).toBe("401 unauthorized");
    expect(refusal(await call(open, undefined, "GET /v1/events?ticket=mistyped"))).toBe("401 unauthorized");
  });

  it("stands for a caller of the host's own sign-in, as long as the host says so", async () => {
    let signedInAs: string | undefined = "ana";
    const authenticate: Authenticate = (request) =>
      request.headers.has("authorization") && signedInAs !== undefined
        ? { role: "person", name: signedInAs }
        : undefined;
    const open = await openServer({ authenticate, allowedOrigins: [APP] });
    const ticket = await ticketFor(open, "theirs", "/v1/events");
    const response = await fetch(`${open.url}/v1/events?ticket=${ticket}`, { headers: { origin: APP } });
    expect(response.status).toBe(200);
    await open.clock.advance(120_000);
    await until(() => open.server.open().streams === 1);
    signedInAs = undefined;
    await open.clock.advance(120_000);
    expect(await response.text()).toContain("resume after");
  });

  it("never stands in a log", async () => {
    const lines: string[] = [];
    const note = (...parts: readonly unknown[]): void => void lines.push(JSON.stringify(parts));
    const open = await openServer({
      allowedOrigins: [APP],
      logger: { warn: note, error: note, event: note },
    });
    const ticket = await ticketFor(open, await open.token(), "/v1/events");
    await streamStatus(open, `/v1/events?ticket=${ticket}`);
    await streamStatus(open, `/v1/events?ticket=${ticket}`);
    await streamStatus(open, "/v1/events?ticket=mistyped-secret");
    const logger = redactingLogger({ warn: note, error: note });
    logger.warn(`GET /v1/events?after=1&ticket=mistyped-secret: ${ticket}`);
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.join("\n")).not.toContain(ticket.slice(10));
    expect(lines.join("\n")).not.toContain("mistyped-secret");
  });
});
