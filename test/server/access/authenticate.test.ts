import { once } from "node:events";
import { afterEach, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { createHub, memoryStore } from "../../../src/hub/index.js";
import { type Authenticate, createServer } from "../../../src/server/index.js";
import { call, closeServers, openServer, posted, question, refusal, until, yes } from "../open-server.ts";

afterEach(closeServers);

/** The host's sign-in: a session cookie or an API key that names the caller. */
const byKey: Authenticate = (request) => {
  const [, role, name] =
    /^Key (agent|person|admin) (\w+)$/.exec(request.headers.get("authorization") ?? "") ??
    /^host=(agent|person|admin)\.(\w+)$/.exec(request.headers.get("cookie") ?? "") ??
    [];
  return role === undefined || name === undefined ? undefined : { role: role as "agent", name };
};

const as = (caller: string) => ({ authorization: `Key ${caller}` });

describe("a server with the host's own authenticate", () => {
  it("lets a person see and answer only what is addressed to them", async () => {
    const open = await openServer({ authenticate: byKey });
    const made = await call(
      open,
      undefined,
      "POST /v1/asks",
      { questions: [question], recipients: ["ana"] },
      as("agent builder"),
    );
    const path = `/v1/asks/${made.body.ask?.id}`;
    expect(refusal(await call(open, undefined, `GET ${path}`, undefined, as("person ben")))).toBe(
      "404 not_found",
    );
    const answered = await call(open, undefined, `POST ${path}/answer`, yes, as("person ana"));
    expect(answered.body.ask?.outcome).toMatchObject({ kind: "answered", by: { id: "ana" } });
  });

  it("needs no credentials of ours, and accepts none", async () => {
    const open = await openServer({ authenticate: byKey });
    const token = await open.token({ role: "admin" });
    expect(refusal(await call(open, token, "GET /v1/asks"))).toBe("401 unauthorized");
    expect(refusal(await call(open, undefined, "POST /v1/asks", {}))).toBe("401 unauthorized");
    const hub = await createHub({ store: memoryStore() });
    const server = createServer({ hub, authenticate: byKey });
    const response = await server.fetch(
      new Request("http://localhost/v1/asks", { headers: as("agent builder") }),
    );
    expect(response.status).toBe(200);
    expect((await server.fetch(new Request("http://localhost/a/link_x.y"))).status).toBe(401);
    await server.close();
    await hub.close();
  });

  it.each([
    ["another role", { role: "root", name: "ana" }],
    ["no name", { role: "person" }],
    ["a blank name", { role: "person", name: " " }],
    ["sessions that are not a list", { role: "person", name: "ana", sessions: "s" }],
    ["sessions that are not text", { role: "person", name: "ana", sessions: [1] }],
    ["true", true],
    ["a text", "admin"],
  ])("answers 500 and opens nothing if it returns %s", async (_what, value) => {
    const open = await openServer({ authenticate: () => value as never });
    expect(refusal(await call(open, undefined, "GET /v1/asks"))).toBe("500 internal");
    expect(open.logged.join()).toContain("authenticate must return undefined or a caller with");
  });

  it.each([
    [
      "throws",
      () => {
        throw new Error("no database");
      },
    ],
    ["rejects", () => Promise.reject(new Error("no database"))],
  ])("answers 500 without the reason if it %s", async (_how, authenticate) => {
    const open = await openServer({ authenticate });
    const refused = await call(open, undefined, "GET /v1/asks");
    expect(refusal(refused)).toBe("500 internal");
    expect(refused.body.error?.message).not.toContain("database");
    expect(open.logged.join()).toContain("no database");
  });

  it("ignores fields that would widen a caller", async () => {
    const wide = { role: "person", name: "ben", askId: "ask_1", credential: { kind: "token" } } as const;
    const open = await openServer({ authenticate: () => wide });
    const ask = await open.hub.post({ questions: [question], recipients: ["ana"] }, { asker: "agent" });
    expect(refusal(await call(open, undefined, `GET /v1/asks/${ask.id}`))).toBe("404 not_found");
  });

  it("limits a caller to its sessions", async () => {
    const open = await openServer({
      authenticate: () => ({ role: "agent", name: "builder", sessions: ["one"] }),
    });
    await posted(open, "none", { session: "one" });
    const refused = await call(open, undefined, "POST /v1/asks", { questions: [question], session: "two" });
    expect(refusal(refused)).toBe("403 forbidden");
  });

  it("does not let a page of another site use the host's cookie", async () => {
    const open = await openServer({ authenticate: byKey });
    const foreign = { cookie: "host=agent.builder", origin: "https://evil.example" };
    expect(refusal(await call(open, undefined, "POST /v1/asks", { questions: [question] }, foreign))).toBe(
      "403 origin_not_allowed",
    );
    const socket = new WebSocket(`${open.url.replace("http", "ws")}/v1/gateway`, { headers: foreign });
    const [, response] = await once(socket, "unexpected-response");
    expect(response.statusCode).toBe(403);
    socket.on("error", () => undefined).terminate();
    const own = { cookie: "host=agent.builder", origin: open.url };
    expect((await call(open, undefined, "POST /v1/asks", { questions: [question] }, own)).status).toBe(201);
  });

  it("gets what earlier middleware has put on the request", async () => {
    const open = await openServer({
      authenticate: (_request, incoming) => (incoming as { user?: { role: "person"; name: string } }).user,
    });
    open.nodeServer.emit = new Proxy(open.nodeServer.emit, {
      apply(emit, self, args) {
        if (args[0] === "request") args[1].user = { role: "person", name: "ana" };
        return Reflect.apply(emit, self, args);
      },
    });
    expect((await call(open, undefined, "GET /v1/asks")).status).toBe(200);
  });

  it("ends a stream within a minute after the host has signed the caller out", async () => {
    let signedIn = true;
    const open = await openServer({
      authenticate: () => (signedIn ? { role: "person", name: "ana" } : undefined),
    });
    const { body } = await fetch(`${open.url}/v1/events`);
    const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
    signedIn = false;
    let ended = false;
    const all = (async () => {
      while (!(await reader?.read())?.done);
      ended = true;
    })();
    await open.clock.advance(30_000);
    expect(ended).toBe(false);
    await until(async () => {
      await open.clock.advance(10_000);
      return ended;
    });
    await all;
  });
});

it("refuses to create a server without auth and authenticate", async () => {
  const hub = await createHub({ store: memoryStore() });
  expect(() => createServer({ hub })).toThrow("pass `auth` or `authenticate`");
  await hub.close();
});
