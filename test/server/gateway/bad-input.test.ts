import { createConnection } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { closeServers, type OpenServer, openServer } from "../open-server.js";
import {
  answerHook,
  DATABASE,
  EXAMPLE_ANSWER,
  openRaw,
  questionEvent,
  type RawSocket,
} from "./raw-socket.js";

afterEach(closeServers);

async function host(server: OpenServer, more: object = {}): Promise<RawSocket> {
  return openRaw(server, { token: await server.token(more) });
}

describe("an invalid frame", () => {
  const event = (name: unknown, payload: unknown): object => ({
    type: "event",
    payload: { event: name, payload },
  });
  const cases: readonly [string, unknown, string, object][] = [
    ["no JSON", "{oops", "invalid_json", {}],
    ["JSON that is no object", "[1]", "invalid_request", {}],
    ["no type", {}, "invalid_request", {}],
    ["a type that is no string", { type: 7 }, "invalid_request", {}],
    ["no payload", { type: "event" }, "invalid_request", {}],
    ["no event", { type: "event", payload: {} }, "invalid_request", {}],
    ["an event without a payload", event("ask_user_question", null), "invalid_request", {}],
    ["bytes", new Uint8Array([1, 2, 3]), "unsupported_media_type", {}],
    [
      "no questionId",
      event("ask_user_question", { sessionKey: "s", questions: [DATABASE] }),
      "invalid_ask",
      {},
    ],
    [
      "no sessionKey",
      event("ask_user_question", { questionId: "q", questions: [DATABASE] }),
      "invalid_ask",
      { questionId: "q" },
    ],
    ["no questions", questionEvent("q", []), "invalid_ask", { questionId: "q" }],
    [
      "the same question twice",
      questionEvent("q", [DATABASE, DATABASE]),
      "invalid_ask",
      { questionId: "q", issues: [{ code: "duplicate_question" }] },
    ],
    [
      "a deadline in the past",
      questionEvent("q", [DATABASE], { timeoutMs: -1 }),
      "invalid_ask",
      { questionId: "q" },
    ],
    [
      "an approval without an action",
      event("exec.approval.requested", { executionId: "e", sessionKey: "s" }),
      "invalid_ask",
      { executionId: "e", issues: [{ code: "blank_name", path: ["payload", "payload", "action"] }] },
    ],
    ["an answer from a host", EXAMPLE_ANSWER, "forbidden", { questionId: "q-abc-123" }],
    ["a list of answers", answerHook("q", []), "invalid_request", { questionId: "q" }],
    ["too much to resume", event("resume", { questionIds: new Array(501).fill("q") }), "invalid_request", {}],
    ["ids that are none", event("resume", { questionIds: [1, ""] }), "invalid_request", {}],
    [
      "taking back what is not there",
      event("ask_user_question.withdrawn", { questionId: "q" }),
      "not_found",
      {},
    ],
  ];
  it.each(cases)("%s gets an error, and the connection stays open", async (_name, frame, code, payload) => {
    const server = await openServer();
    const socket = await host(server);
    socket.send(frame);
    expect(await socket.next()).toMatchObject({ type: "error", payload: { code, ...payload } });
    // A refused ask is answered as well, and nothing else is.
    const isNamedAsk = code === "invalid_ask" && Object.keys(payload).length > 0;
    expect((await socket.untilPong()).map(({ type }) => type)).toEqual(
      isNamedAsk ? [expect.stringMatching(/^hook\./)] : [],
    );
    expect((await server.hub.list()).asks).toEqual([]);
  });

  it("that is too large gets an error, and one that is far too large closes the connection", async () => {
    const server = await openServer({ limits: { body: 1_000 } });
    const socket = await host(server);
    socket.send({ type: "x".repeat(1_000) });
    expect(await socket.next()).toMatchObject({ payload: { code: "too_large" } });
    expect(await socket.untilPong()).toEqual([]);
    socket.send({ type: "x".repeat(2_000) });
    expect((await socket.closed).code).toBe(1009);
  });

  it("closes the connection when there are too many", async () => {
    const server = await openServer();
    const socket = await host(server);
    for (let count = 0; count < 30; count += 1) socket.send("{oops");
    expect((await socket.closed).code).toBe(1008);
  });

  it("is tolerated now and then among valid ones", async () => {
    const server = await openServer();
    const socket = await host(server);
    for (let count = 0; count < 60; count += 1) {
      socket.send("{oops");
      expect((await socket.next()).type).toBe("error");
      expect(await socket.untilPong()).toEqual([]);
    }
  });
});

describe("a host", () => {
  it("asks only in the sessions of its token", async () => {
    const server = await openServer();
    const socket = await host(server, { sessions: ["mine"] });
    socket.send(questionEvent("q", [DATABASE]));
    expect(await socket.next()).toMatchObject({ payload: { code: "forbidden", questionId: "q" } });
    expect((await socket.untilPong()).map(({ type }) => type)).toEqual(["hook.ask_user_answer"]);
    socket.send(questionEvent("q", [DATABASE], { sessionKey: "mine" }));
    expect(await socket.untilPong()).toEqual([]);
    expect((await server.hub.list()).asks).toHaveLength(1);
  });

  it("cannot reach another host's question by its questionId", async () => {
    const server = await openServer();
    const one = await host(server, { name: "one" });
    const other = await host(server, { name: "other" });
    one.send(questionEvent("q", [DATABASE]));
    await one.untilPong();
    other.send({ type: "event", payload: { event: "resume", payload: { questionIds: ["q"] } } });
    expect(await other.next()).toMatchObject({ payload: { code: "not_found", questionId: "q" } });
    one.send(questionEvent("q", [{ ...DATABASE, question: "Another?" }]));
    expect(await one.next()).toMatchObject({ payload: { code: "key_conflict", questionId: "q" } });
  });
});

describe("a device", () => {
  it("cannot ask", async () => {
    const server = await openServer();
    const socket = await openRaw(server, { token: await server.token({ role: "person" }) });
    socket.send(questionEvent("q", [DATABASE]));
    expect(await socket.next()).toMatchObject({ payload: { code: "forbidden", questionId: "q" } });
  });

  it("that guesses questionIds is disconnected", async () => {
    const server = await openServer();
    const socket = await openRaw(server, { token: await server.token({ role: "person" }) });
    for (let count = 0; count < 60; count += 1) socket.send(answerHook(`guess-${count}`, { a: "b" }));
    expect(await socket.next()).toMatchObject({ type: "rejection", payload: { code: "not_found" } });
    expect((await socket.closed).code).toBe(1008);
  });
});

describe("an upgrade", () => {
  it.each([
    ["without a credential", {}, /^Error: 401 .*unauthorized/],
    ["with an unknown token", { token: "askline_nothing" }, /401/],
    ["with an unknown token as a subprotocol", { protocols: ["askline.token.x"] }, /401/],
    ["with a host name that is not ours", { headers: { host: "evil.example" } }, /421/],
  ])("%s is refused", async (_name, options, expected) => {
    const server = await openServer();
    await expect(openRaw(server, options).catch(String)).resolves.toMatch(expected);
  });

  it.each([
    ["?timeoutMs=soon", "agent", /400/],
    ["?timeoutMs=-1", "agent", /400/],
    ["?role=nobody", "agent", /400/],
    ["?role=device", "agent", /403/],
    ["?role=host", "person", /403/],
    ["?surface=a%20b", "person", /400/],
  ] as const)("with %s by the role %s is refused", async (query, role, expected) => {
    const server = await openServer();
    const token = await server.token({ role });
    await expect(openRaw(server, { token, query }).catch(String)).resolves.toMatch(expected);
  });

  it("to another path is not found", async () => {
    const server = await openServer();
    const answer = await new Promise<string>((resolve) => {
      let text = "";
      const socket = createConnection(server.port, "127.0.0.1", () => {
        socket.write(
          "GET /v1/other HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n",
        );
      });
      socket.on("data", (part) => {
        text += String(part);
      });
      socket.on("close", () => resolve(text));
    });
    expect(answer).toMatch(/^HTTP\/1\.1 404/);
  });

  it("with a browser's cookie is accepted from the server's own origin only", async () => {
    const server = await openServer();
    const { code } = await server.auth.createInboxCode("ana");
    const redeemed = await server.auth.redeemInboxCode(code);
    const cookie = `askline_${server.port}=${redeemed?.secret}`;
    const base = `/i/${redeemed?.key}`;
    const own = await openRaw(server, { base, headers: { cookie, origin: server.url } });
    expect(await own.untilPong()).toEqual([]);
    for (const headers of [{ cookie }, { cookie, origin: "https://evil.example" }]) {
      await expect(openRaw(server, { base, headers }).catch(String)).resolves.toMatch(
        /403 .*origin_not_allowed/,
      );
    }
    // Every port of the host receives the cookie, but not the key in the path.
    const alone = openRaw(server, { headers: { cookie, origin: server.url } });
    await expect(alone.catch(String)).resolves.toMatch(/401 .*unauthorized/);
  });

  it("with a token as a subprotocol is answered with the other protocol", async () => {
    const server = await openServer();
    const token = await server.token();
    const both = await openRaw(server, { protocols: ["askline.gateway.v1", `askline.token.${token}`] });
    expect(both.socket.protocol).toBe("askline.gateway.v1");
    const alone = await openRaw(server, { protocols: [`askline.token.${token}`] });
    expect(await alone.untilPong()).toEqual([]);
  });

  it("by an admin may choose either role", async () => {
    const server = await openServer();
    const token = await server.token({ role: "admin", name: "root" });
    const asking = await openRaw(server, { token });
    const answering = await openRaw(server, { token, query: "?role=device" });
    asking.send(questionEvent("q", [DATABASE]));
    await answering.next();
    answering.send(answerHook("q", { [DATABASE.question]: "Redis" }));
    expect(await asking.next()).toEqual(answerHook("q", { [DATABASE.question]: "Redis" }));
  });
});
