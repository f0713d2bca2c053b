import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { WebSocket } from "ws";
import { gatewayResolver, timeoutTextOf } from "../../../src/client/index.js";
import type { AskInput, Outcome } from "../../../src/index.js";
import { answerHook, EXAMPLE_ANSWER, EXAMPLE_QUESTION, FEATURES } from "../../server/gateway/raw-socket.js";
import { until } from "../../server/open-server.js";
import { openScene } from "./open-scene.js";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const EXAMPLE = EXAMPLE_QUESTION.payload.payload;
const ASK: AskInput = { questions: EXAMPLE.questions };
const QUESTION = EXAMPLE.questions[0].question;

/** Sockets that show when the resolver has lost the first one; the backend sees only its own end. */
function noteSockets(): { readonly Noted: typeof WebSocket; readonly lost: Promise<void> } {
  let isLost = (): void => undefined;
  const lost = new Promise<void>((resolve) => {
    isLost = resolve;
  });
  class Noted extends WebSocket {
    constructor(url: string, protocols?: string[]) {
      super(url, protocols);
      // Registered after the resolver's listener, which is added as soon as it has the socket.
      this.once("open", () => this.once("close", isLost));
    }
  }
  return { Noted: Noted as typeof WebSocket, lost };
}

/** Derived from the answers; the resolver suite checks them. */
const CHOICES = { choices: expect.any(Array) };

function answered(answers: Extract<Outcome, { kind: "answered" }>["answers"]): Outcome {
  const by = { kind: "person", id: "gateway", surface: "gateway" } as const;
  return { kind: "answered", answers, by, ...CHOICES };
}

describe("the resolver at a gateway backend", () => {
  it("goes through the protocol's full example", async () => {
    const { backend, resolver } = await openScene();
    const outcome = resolver.ask(ASK);
    const plugin = await backend.plugin();
    const sent = await plugin.next();
    const { questionId } = sent.payload.payload;
    expect(questionId).toMatch(UUID);
    expect(sent).toEqual({
      type: "event",
      payload: { event: "ask_user_question", payload: { ...EXAMPLE, questionId } },
    });
    plugin.send({ ...EXAMPLE_ANSWER, payload: { ...EXAMPLE_ANSWER.payload, questionId } });
    expect(await outcome).toEqual(answered([{ question: "q1", selected: ["o2"] }]));
  });

  it("writes the fields in the protocol's order", async () => {
    const { backend, resolver } = await openScene();
    const outcome = resolver.ask(ASK);
    const plugin = await backend.plugin();
    const sent = await plugin.next();
    const { questionId } = sent.payload.payload;
    const expected = {
      ...EXAMPLE_QUESTION,
      payload: { ...EXAMPLE_QUESTION.payload, payload: { ...EXAMPLE, questionId } },
    };
    expect(JSON.stringify(sent)).toBe(JSON.stringify(expected));
    plugin.send(answerHook(questionId, {}));
    await outcome;
  });

  it("gives each batch an id of its own, over one connection", async () => {
    const { backend, resolver } = await openScene();
    const outcomes = [resolver.ask(ASK), resolver.ask(ASK)];
    const plugin = await backend.plugin();
    const ids = [
      (await plugin.next()).payload.payload.questionId,
      (await plugin.next()).payload.payload.questionId,
    ];
    expect(new Set(ids).size).toBe(2);
    plugin.send(answerHook(ids[1], { [QUESTION]: "Mocha" }));
    plugin.send(answerHook(ids[0], { [QUESTION]: "Jest" }));
    expect(await Promise.all(outcomes)).toEqual([
      answered([{ question: "q1", selected: ["o1"] }]),
      answered([{ question: "q1", selected: ["o3"] }]),
    ]);
    expect(backend.connections).toBe(1);
  });

  it.each<[string, AskInput, unknown, Outcome]>([
    ["a dismissal", ASK, {}, { kind: "declined", by: { kind: "person", id: "gateway", surface: "gateway" } }],
    [
      "several labels",
      { questions: [FEATURES] },
      { [FEATURES.question]: "Dark mode, Notifications" },
      answered([{ question: "q1", selected: ["o1", "o2"] }]),
    ],
    [
      "free text",
      ASK,
      { [QUESTION]: "AVA — we already use it" },
      answered([{ question: "q1", selected: [], text: "AVA — we already use it" }]),
    ],
    [
      "a question left out",
      { questions: [...EXAMPLE.questions, FEATURES] },
      { [QUESTION]: "Jest" },
      answered([
        { question: "q1", selected: ["o1"] },
        { question: "q2", selected: [], skipped: true },
      ]),
    ],
  ])("takes %s", async (_name, ask, answers, expected) => {
    const { backend, resolver } = await openScene();
    const outcome = resolver.ask(ask);
    const plugin = await backend.plugin();
    plugin.send(answerHook((await plugin.next()).payload.payload.questionId, answers));
    expect(await outcome).toEqual(expected);
  });

  it("gives the protocol's text for a timeout", async () => {
    const { backend, resolver, clock } = await openScene();
    const outcome = resolver.ask(ASK);
    const plugin = await backend.plugin();
    const { questionId } = (await plugin.next()).payload.payload;
    await clock.advance(120_000);
    const expired = await outcome;
    expect(expired).toEqual({ kind: "expired" });
    expect(timeoutTextOf(expired)).toBe(
      `User did not respond: AskUserQuestion timed out after 120000ms (questionId=${questionId})`,
    );
  });

  it("sends a timeout that is not the protocol's default", async () => {
    const { backend, resolver, clock } = await openScene({ timeoutMs: 5_000 });
    const outcome = resolver.ask(ASK);
    const plugin = await backend.plugin();
    expect((await plugin.next()).payload.payload).toMatchObject({ timeoutMs: 5_000 });
    await clock.advance(5_000);
    expect(timeoutTextOf(await outcome)).toMatch(/timed out after 5000ms/);
  });

  it("counts the first answer, and logs the others", async () => {
    const { backend, resolver, warnings } = await openScene();
    const outcome = resolver.ask(ASK);
    const plugin = await backend.plugin();
    const { questionId } = (await plugin.next()).payload.payload;
    plugin.send(answerHook(questionId, { [QUESTION]: "Vitest" }));
    plugin.send(answerHook(questionId, { [QUESTION]: "Jest" }));
    plugin.send(answerHook("never-asked", {}));
    expect(await outcome).toEqual(answered([{ question: "q1", selected: ["o2"] }]));
    // In order: when the ping is answered, the answers before it were read.
    plugin.send({ type: "ping" });
    expect(await plugin.next()).toEqual({ type: "pong" });
    expect(warnings).toEqual([
      `ignored another answer to ${questionId}: the first one counts`,
      "ignored an answer to never-asked: this resolver did not ask it",
    ]);
  });

  it("ignores invalid answers and takes the valid one", async () => {
    const { backend, resolver, warnings } = await openScene();
    const outcome = resolver.ask(ASK);
    const plugin = await backend.plugin();
    const { questionId } = (await plugin.next()).payload.payload;
    const nonsense = ["{oops", "7", { type: "hook.x", payload: {} }, new Uint8Array([1])];
    for (const frame of nonsense) plugin.send(frame);
    plugin.send(answerHook(questionId, { "Another?": "x" }));
    plugin.send(answerHook(questionId, { [QUESTION]: 7 }));
    plugin.send({ type: "hook.approval", payload: { executionId: questionId, approved: true } });
    plugin.send(answerHook(questionId, { [QUESTION]: "Jest", "Another?": "x" }));
    expect(await outcome).toEqual(answered([{ question: "q1", selected: ["o1"] }]));
    // The message of another protocol, hook.x, is not worth a warning.
    expect(warnings).toHaveLength(6);
  });

  it("sends its question again on a new connection, and gets the answer that came meanwhile", async () => {
    const { Noted, lost } = noteSockets();
    const { backend, resolver, clock } = await openScene({ WebSocket: Noted });
    const outcome = resolver.ask(ASK);
    const first = await backend.plugin();
    const sent = await first.next();
    first.socket.terminate();
    await lost;
    await clock.advance(1_000);
    const second = await backend.plugin();
    expect(await second.next()).toEqual(sent);
    second.send(answerHook(sent.payload.payload.questionId, { [QUESTION]: "Vitest" }));
    expect(await outcome).toEqual(answered([{ question: "q1", selected: ["o2"] }]));
  });

  it("fails at once without a WebSocket instead of letting the ask expire", async () => {
    vi.stubGlobal("WebSocket", undefined);
    onTestFinished(() => void vi.unstubAllGlobals());
    const resolver = gatewayResolver({ url: "ws://127.0.0.1:1", sessionKey: "s", agentId: "a" });
    await expect(resolver.ask(ASK)).rejects.toMatchObject({
      code: "unsupported",
      message: expect.stringContaining("as the option WebSocket"),
    });
    await resolver.close();
  });

  it("logs the status with which the server refused the token", async () => {
    const server = createServer((_request, response) => response.end());
    server.on("upgrade", (_request, socket) =>
      // The refused client may hang up first.
      socket.on("error", () => undefined).end("HTTP/1.1 401 Unauthorized\r\n\r\n"),
    );
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const { resolver, clock, warnings } = await openScene({ url: `ws://127.0.0.1:${port}`, token: "wrong" });
    const outcome = resolver.ask(ASK);
    while (warnings.length === 0) await clock.advance(130);
    expect(warnings[0]).toMatch(/cannot reach .*401\); retrying/);
    await clock.advance(120_000);
    await outcome;
  });

  it("retries while nothing listens, until the timeout", async () => {
    const { backend, resolver, clock, warnings } = await openScene();
    await backend.close();
    const outcome = resolver.ask(ASK);
    // Real connections fail in real time: advance the fake clock a little for each turn.
    while (warnings.length === 0) await clock.advance(130);
    await clock.advance(120_000);
    expect(await outcome).toEqual({
      kind: "unavailable",
      reason: expect.stringMatching(/^no connection to 127\.0\.0\.1:\d+ \(.*ECONNREFUSED.*\)$/),
    });
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(/cannot reach .* retrying/);
  });

  it("reported a refused handshake as a person who did not answer", async () => {
    const refusing = createServer();
    refusing.on("upgrade", (_request, socket) => {
      socket.on("error", () => undefined).end("HTTP/1.1 401 Unauthorized\r\n\r\n");
    });
    await new Promise<void>((resolve) => {
      refusing.listen(0, "127.0.0.1", resolve);
    });
    onTestFinished(() => void refusing.close());
    const { port } = refusing.address() as AddressInfo;
    let connecting = 0;
    class Counted extends WebSocket {
      constructor(...given: ConstructorParameters<typeof WebSocket>) {
        super(...given);
        connecting += 1;
        this.once("close", () => {
          connecting -= 1;
        });
      }
    }
    const { resolver, clock } = await openScene({ url: `ws://127.0.0.1:${port}`, WebSocket: Counted });
    const asked = [resolver.ask(ASK), resolver.ask({ approval: { actions: [{ name: "deploy" }] } })];
    // The clock stands still while a handshake runs, so that none of them times out.
    for (let passed = 0; passed < 121_000; passed += 500) {
      await until(() => connecting === 0);
      await clock.advance(500);
    }
    for (const outcome of await Promise.all(asked)) {
      expect(outcome).toMatchObject({ kind: "unavailable", reason: expect.stringContaining("401") });
      expect(timeoutTextOf(outcome)).toBeUndefined();
    }
  });

  it.each([
    ["subprotocol", undefined, /^\/$/, "askline.gateway.v1,askline.token.secret-token"],
    ["subprotocol", "subprotocol", /^\/$/, "askline.gateway.v1,askline.token.secret-token"],
    ["query", "query", /^\/\?token=secret-token$/, undefined],
  ] as const)("sends its token in the %s", async (_name, tokenIn, url, protocols) => {
    const server = createServer();
    const upgraded = new Promise<IncomingMessage>((resolve) => {
      server.on("upgrade", (request, socket) => {
        socket.destroy();
        resolve(request);
      });
    });
    await new Promise<void>((resolve) => {
      server.listen(0, "127.0.0.1", resolve);
    });
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const { resolver } = await openScene({
      ...{ url: `ws://127.0.0.1:${port}`, token: "secret-token" },
      ...(tokenIn !== undefined && { tokenIn }),
    });
    const outcome = resolver.ask(ASK).catch(() => undefined);
    const request = await upgraded;
    expect(request.url).toMatch(url);
    expect(request.headers["sec-websocket-protocol"]).toBe(protocols);
    await resolver.close();
    await outcome;
  });

  it("names no token in a warning or an outcome", async () => {
    class Telling {
      constructor(url: string) {
        throw new Error(`cannot open ${url}`);
      }
    }
    const { resolver, clock, warnings } = await openScene({
      ...{ token: "secret-token", tokenIn: "query" },
      WebSocket: Telling as unknown as typeof WebSocket,
    });
    const outcome = resolver.ask(ASK);
    await clock.advance(120_000);
    expect(await outcome).toMatchObject({
      kind: "unavailable",
      reason: expect.stringContaining("cannot open"),
    });
    expect(JSON.stringify([await outcome, warnings])).not.toContain("secret-token");
  });

  it("notices a silent connection if pings were answered before", async () => {
    const { backend, resolver, clock } = await openScene({ timeoutMs: 600_000 });
    const outcome = resolver.ask(ASK);
    const first = await backend.plugin();
    const sent = await first.next();
    await clock.advance(20_000);
    expect(await first.next()).toEqual({ type: "ping" });
    first.send({ type: "pong" });
    first.send({ type: "ping" });
    expect(await first.next()).toEqual({ type: "pong" });
    await clock.advance(20_000);
    expect(await first.next()).toEqual({ type: "ping" });
    await clock.advance(20_000);
    await clock.advance(1_000);
    const second = await backend.plugin();
    expect(await second.next()).toEqual(sent);
    second.send(answerHook(sent.payload.payload.questionId, {}));
    expect((await outcome).kind).toBe("declined");
  });

  it("withdraws an aborted ask", async () => {
    const { backend, resolver } = await openScene();
    const controller = new AbortController();
    const outcome = resolver.ask(ASK, { signal: controller.signal });
    const plugin = await backend.plugin();
    const { questionId } = (await plugin.next()).payload.payload;
    controller.abort();
    expect(await outcome).toEqual({ kind: "withdrawn" });
    expect(await plugin.next()).toEqual({
      type: "event",
      payload: { event: "ask_user_question.withdrawn", payload: { sessionKey: "user-42", questionId } },
    });
  });

  it("withdraws an ask that was aborted without a connection, on the next connection", async () => {
    const { Noted, lost } = noteSockets();
    const { backend, resolver, clock } = await openScene({ WebSocket: Noted });
    const controller = new AbortController();
    const outcome = resolver.ask(ASK, { signal: controller.signal });
    const first = await backend.plugin();
    const { questionId } = (await first.next()).payload.payload;
    first.socket.terminate();
    await lost;
    controller.abort();
    expect(await outcome).toEqual({ kind: "withdrawn" });
    await clock.advance(1_000);
    const second = await backend.plugin();
    expect((await second.next()).payload).toEqual({
      event: "ask_user_question.withdrawn",
      payload: { sessionKey: "user-42", questionId },
    });
    expect(second.waiting).toEqual([]);
  });

  it("withdraws nothing if nothing was sent", async () => {
    const { backend, resolver } = await openScene();
    const controller = new AbortController();
    const aborted = resolver.ask(ASK, { signal: controller.signal });
    controller.abort();
    expect(await aborted).toEqual({ kind: "withdrawn" });
    void resolver.ask(ASK).catch(() => undefined);
    const plugin = await backend.plugin();
    expect((await plugin.next()).payload.event).toBe("ask_user_question");
    expect(plugin.waiting).toEqual([]);
  });

  it("does not connect when it is disabled", async () => {
    const { backend, resolver } = await openScene({ enabled: false });
    expect(await resolver.ask(ASK)).toEqual({ kind: "unavailable", reason: "the gateway is disabled" });
    expect(backend.connections).toBe(0);
  });

  it("refuses invalid asks, and asks after it was closed", async () => {
    const { resolver } = await openScene();
    const twice = { questions: [EXAMPLE.questions[0], EXAMPLE.questions[0]] };
    await expect(resolver.ask(twice)).rejects.toMatchObject({ code: "invalid_ask" });
    await expect(resolver.ask({})).rejects.toMatchObject({ code: "invalid_ask" });
    const waiting = resolver.ask(ASK);
    waiting.catch(() => undefined);
    await resolver.close();
    await expect(waiting).rejects.toMatchObject({ code: "closed" });
    await expect(resolver.ask(ASK)).rejects.toMatchObject({ code: "closed" });
  });

  it("rejects with the backend's error", async () => {
    const { backend, resolver } = await openScene();
    const outcome = resolver.ask(ASK);
    const plugin = await backend.plugin();
    const { questionId } = (await plugin.next()).payload.payload;
    plugin.send({ type: "error", payload: { code: "forbidden", message: "not here", questionId } });
    await expect(outcome).rejects.toMatchObject({ code: "forbidden", message: "not here" });
  });

  it("sends a rate-limited question again on the same connection, not before retryAfterMs", async () => {
    const { backend, resolver, clock } = await openScene();
    const outcome = resolver.ask(ASK);
    const plugin = await backend.plugin();
    const sent = await plugin.next();
    const { questionId } = sent.payload.payload;
    const timers = clock.timers;
    plugin.send({
      type: "error",
      payload: { code: "rate_limited", message: "too much", questionId, retryAfterMs: 3_000 },
    });
    await until(() => clock.timers > timers);
    await clock.advance(2_999);
    expect(await plugin.untilPong()).toEqual([]);
    await clock.advance(1);
    expect(await plugin.next()).toEqual(sent);
    plugin.send(answerHook(questionId, { [QUESTION]: "Jest" }));
    expect((await outcome).kind).toBe("answered");
    expect(backend.connections).toBe(1);
  });
});
