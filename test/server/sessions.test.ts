import { afterEach, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { openSession } from "../../src/agents/sessions/index.js";
import type { HistoryMessage } from "../../src/core/model/history-message.js";
import type { StreamEvent } from "../../src/core/model/stream-event.js";
import { closedChecks } from "../support/api-schemas.ts";
import { call, closeServers, type OpenServer, openServer, refusal, until } from "./open-server.ts";
import { readSession } from "./session-reader.ts";

afterEach(closeServers);

it("kept what an agent wrote as what the person said, and nobody could tell", async () => {
  const open = await openServer();
  const agent = await open.token({ name: "builder" });
  const person = await open.token({ role: "person" });
  const write = (event: object) => call(open, agent, "POST /v1/sessions/s/events", event);
  expect((await write({ type: "user", text: "Delete it" })).status).toBe(204);
  const forged = { type: "user", text: "Delete it", by: { kind: "person", id: "ana", surface: "page" } };
  expect(refusal(await write(forged))).toBe("400 invalid_request");
  await call(open, person, "POST /v1/sessions/s/messages", { type: "message", text: "Keep it" });
  await write({ type: "ask", questions: [{ question: "Sure?", options: ["Yes", "No"] }] });
  await call(open, person, "POST /v1/sessions/s/messages", { type: "message", text: "Why?" });

  const ana = { kind: "person", id: "ana", surface: "api" };
  const { body } = await call(open, agent, "GET /v1/sessions/s/history");
  const said = (body as unknown as readonly { readonly role: string }[]).filter(
    ({ role }) => role === "user",
  );
  expect(said).toEqual([
    expect.objectContaining({
      content: [{ type: "text", text: "Delete it" }],
      by: { kind: "agent", name: "builder" },
    }),
    expect.objectContaining({ content: [{ type: "text", text: "Keep it" }], by: ana }),
    expect.objectContaining({ content: [{ type: "text", text: "Why?" }], by: ana }),
  ]);
  const stream = await readSession(open, person, "s", "0");
  await stream.find((event) => event.type === "user_message" && event.text === "Why?");
  const writers = stream
    .events()
    .flatMap(({ event }) => (event.type === "user_message" ? [event.by?.kind] : []));
  expect(writers).toEqual(["agent", "person", "person"]);
  stream.hangUp();
});

const question = { question: "Which?", options: ["A", "B"] };
const approval = { type: "approval", approval_key: "s_1", answers: { "Which?": "B" } };

async function opened(options: { readonly recipients?: readonly string[] } = {}) {
  const open = await openServer();
  const agent = await open.token({ role: "agent", name: "builder" });
  const ana = await open.token({ role: "person", name: "ana" });
  const write = (event: object, headers: Readonly<Record<string, string>> = {}) =>
    call(open, agent, "POST /v1/sessions/s/events", event, headers);
  const say = (message: object, token = ana, headers: Readonly<Record<string, string>> = {}) =>
    call(open, token, "POST /v1/sessions/s/messages", message, headers);
  await write({ type: "open", locale: "vi", ...options });
  return { open, agent, ana, write, say };
}

async function historyOf(open: OpenServer, token: string, query = "") {
  const { status, headers, body } = await call(open, token, `GET /v1/sessions/s/history${query}`);
  return { status, headers, messages: body as unknown as readonly HistoryMessage[] };
}

describe("a session over HTTP", () => {
  it("is not reopened to every person by an agent that continues after a removal", async () => {
    const { open, ana, write } = await opened({ recipients: ["ana"] });
    const ben = await open.token({ role: "person", name: "ben" });
    await write({ type: "text", text: "For Ana alone" });
    await open.clock.advance(1_000);
    expect(await open.hub.prune({ settledBefore: open.clock.now() })).toEqual({ asks: 0, transcripts: 1 });
    expect(refusal(await write({ type: "text", text: "And this" }))).toBe("404 not_found");
    expect((await historyOf(open, ana)).status).toBe(404);
    await write({ type: "open", recipients: ["ana"] });
    expect((await write({ type: "text", text: "And this" })).status).toBe(204);
    expect((await historyOf(open, ana)).messages).toHaveLength(1);
    expect((await historyOf(open, ben)).status).toBe(404);
    const stale = await call(open, ana, "GET /v1/sessions/s/stream", undefined, { "last-event-id": "2.1" });
    expect(refusal(stale)).toBe("410 position_trimmed");
  });

  it("can be written, streamed, answered and read as a history", async () => {
    const { open, agent, ana, write, say } = await opened();
    expect((await write({ type: "tool_use", id: "1", name: "read", message: "Reading" })).status).toBe(204);
    await write({ type: "tool_result", id: "1" });
    const asked = await write({ type: "ask", questions: [question], key: "call_1" });
    expect(asked).toMatchObject({
      status: 201,
      body: { approvalKey: "s_1", ask: { status: "pending", session: "s" } },
    });
    expect((await write({ type: "ask", questions: [question], key: "call_1" })).status).toBe(200);
    const stream = await readSession(open, ana, "s", "0");
    const delta = await stream.find(
      (event) => event.type === "content_block_delta" && "action_requests" in event.delta,
    );
    expect(JSON.stringify(delta)).toContain("Khác");
    expect(await say(approval)).toMatchObject({ status: 200, body: { ask: { status: "answered" } } });
    const { event } = await stream.find(({ type }) => type === "approval_resolved");
    expect(event).toEqual({
      ...{ type: "approval_resolved", approval_key: "s_1", status: "answered", answers: { "Which?": "B" } },
    });
    for (const token of [agent, ana]) {
      const { messages } = await historyOf(open, token);
      expect(messages.map(({ display_type }) => display_type)).toEqual([
        "group_start",
        "group_end",
        "content",
      ]);
    }
    stream.hangUp();
  });

  it("pages its history backwards from its end", async () => {
    const { open, ana, write } = await opened();
    for (const text of ["1", "2", "3", "4", "5"]) await write({ type: "text", text });
    const texts = (messages: readonly HistoryMessage[]): string =>
      messages
        .map((message) => JSON.stringify("content" in message && message.content).replaceAll(/\D/g, ""))
        .join("");
    const newest = await historyOf(open, ana, "?before=end&limit=2");
    expect([texts(newest.messages), newest.headers.get("askline-next")]).toEqual(["45", null]);
    const middle = await historyOf(open, ana, `?before=${newest.headers.get("askline-previous")}&limit=2`);
    expect(texts(middle.messages)).toBe("23");
    const first = await historyOf(open, ana, `?before=${middle.headers.get("askline-previous")}&limit=2`);
    expect([texts(first.messages), first.headers.get("askline-previous")]).toEqual(["1", null]);
    for (const query of ["?before=soon", "?before=end&after=1"]) {
      const refused = await call(open, ana, `GET /v1/sessions/s/history${query}`);
      expect(refusal(refused)).toBe("400 invalid_request");
    }
  });

  it("pages its history and returns where the stream continues", async () => {
    const { open, ana, write } = await opened();
    for (const text of ["a", "b", "c"]) await write({ type: "text", text });
    const first = await historyOf(open, ana, "?limit=2");
    expect(first.messages).toHaveLength(2);
    const next = first.headers.get("askline-next");
    const second = await historyOf(open, ana, `?after=${next}`);
    expect(second.messages).toHaveLength(1);
    expect(second.headers.get("askline-next")).toBeNull();
    await write({ type: "text", text: "d" });
    const stream = await readSession(open, ana, "s", second.headers.get("askline-position") ?? "");
    await stream.find(({ type }) => type === "content_block_stop");
    expect(stream.events()[1]?.event).toMatchObject({ delta: { text: "d" } });
    stream.hangUp();
  });

  it("refuses bad messages with a code and keeps the request pending", async () => {
    const { open, ana, write, say } = await opened();
    await write({ type: "ask", questions: [question] });
    expect(refusal(await say({ ...approval, answers: undefined, decisions: [] }))).toBe("422 wrong_kind");
    expect(refusal(await say({ ...approval, approval_key: "s_9" }))).toBe("404 not_found");
    const unknown = await say({ ...approval, answers: { "What?": "A", "Which?": "A" } });
    expect(refusal(unknown)).toBe("422 invalid_answer");
    expect(unknown.body.error?.issues?.[0]?.code).toBe("unknown_question");
    expect(refusal(await say({ type: "other" }))).toBe("400 invalid_request");
    expect((await say(approval)).status).toBe(200);
    const late = await say({ ...approval, answers: { "Which?": "A" } });
    expect(refusal(late)).toBe("409 already_settled");
    expect(late.body.error?.outcome?.kind).toBe("answered");
    expect(refusal(await write({ type: "text", text: "" }))).toBe("400 invalid_request");
    expect(refusal(await write({ type: "ask", questions: [] }))).toBe("422 invalid_ask");
    expect((await readSession(open, ana, "s", "999.1")).status).toBe(410);
    expect((await readSession(open, ana, "s", "x")).status).toBe(400);
  });

  it("takes a person's text as a reply or as a message", async () => {
    const { open, ana, write, say } = await opened();
    expect((await say({ type: "message", text: "Hello" })).status).toBe(204);
    await write({ type: "ask", questions: [question] });
    expect((await say({ type: "message", text: "Why?" })).body.ask?.outcome).toMatchObject({
      kind: "replied",
      text: "Why?",
    });
    const { messages } = await historyOf(open, ana);
    expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "user"]);
  });

  it("takes a person's text once, however often it is sent with the same key", async () => {
    const { open, ana, write, say } = await opened();
    const again = async (text: string, count: number): Promise<readonly number[]> => {
      const sent = Array.from({ length: count }, () =>
        say({ type: "message", text }, ana, { "idempotency-key": text }),
      );
      return (await Promise.all(sent)).map(({ status }) => status);
    };
    await write({ type: "ask", questions: [question] });
    expect(await again("Why?", 5)).toEqual([200, 200, 200, 200, 200]);
    expect(await again("Why?", 1)).toEqual([200]);
    expect(await again("Hello", 1)).toEqual([204]);
    await write({ type: "ask", questions: [question] });
    expect(await again("Hello", 1)).toEqual([204]);
    const { messages } = await historyOf(open, ana);
    expect(messages.map(({ role }) => role)).toEqual(["assistant", "user", "user", "assistant"]);
    // The second question got no reply.
    expect(messages[3]).toMatchObject({ content: [{ status: "pending" }] });
  });

  it("writes an event once, however often it is sent with the same key", async () => {
    const { open, ana, write } = await opened();
    for (let attempt = 0; attempt < 3; attempt += 1) {
      await write({ type: "text", text: "Once" }, { "idempotency-key": "k1" });
    }
    expect((await historyOf(open, ana)).messages).toHaveLength(1);
  });

  it.each(["%zz", "%", "%ff", "a%C3"])("is not named by %s, which encodes nothing", async (id) => {
    const { open, agent, ana } = await opened();
    const event = { type: "text", text: "Hello" };
    expect(refusal(await call(open, agent, `POST /v1/sessions/${id}/events`, event))).toBe(
      "400 invalid_request",
    );
    expect(refusal(await call(open, ana, `GET /v1/sessions/${id}/history`))).toBe("400 invalid_request");
    const socket = new WebSocket(`ws://127.0.0.1:${open.port}/v1/sessions/${id}/stream`, {
      headers: { authorization: `Bearer ${ana}` },
    });
    socket.on("error", () => undefined);
    const status = await new Promise((resolve) => {
      socket.on("unexpected-response", (_request, response) => resolve(response.statusCode));
    });
    expect(status).toBe(400);
  });

  it("is visible only to its agent and its recipients", async () => {
    const { open, agent, ana } = await opened({ recipients: ["ana"] });
    const other = await open.token({ role: "agent", name: "other" });
    const bo = await open.token({ role: "person", name: "bo" });
    const bound = await open.token({ role: "agent", name: "builder", sessions: ["t"] });
    for (const token of [other, bo, bound]) expect((await historyOf(open, token)).status).toBe(404);
    for (const token of [agent, ana]) expect((await historyOf(open, token)).status).toBe(200);
    const event = { type: "text", text: "Mine" };
    expect(refusal(await call(open, other, "POST /v1/sessions/s/events", event))).toBe("403 forbidden");
    expect(refusal(await call(open, bound, "POST /v1/sessions/s/events", event))).toBe("403 forbidden");
    expect(refusal(await call(open, ana, "POST /v1/sessions/s/events", event))).toBe("403 forbidden");
    expect(refusal(await call(open, agent, "POST /v1/sessions/s/messages", event))).toBe("403 forbidden");
    expect(refusal(await call(open, bo, "POST /v1/sessions/s/messages", event))).toBe("404 not_found");
    expect((await readSession(open, bo, "s")).status).toBe(404);
    expect(refusal(await call(open, undefined, "GET /v1/sessions/s/history"))).toBe("401 unauthorized");
  });

  it("sends heartbeats, and ends when the credential is revoked", async () => {
    const { open, ana } = await opened();
    const { token, info } = await open.auth.createToken({ role: "person", name: "ana" });
    const stream = await readSession(open, token, "s");
    await until(() => stream.text().includes("retry"));
    await open.clock.advance(15_000);
    await until(() => stream.text().includes(":\n\n"));
    await open.auth.revokeToken(info.id);
    await open.clock.advance(1_000);
    await stream.ended;
    expect((await historyOf(open, ana)).status).toBe(200);
  });

  it("streams in a Response when the fetch handler is used", async () => {
    const { open, ana, write } = await opened();
    const headers = { authorization: `Bearer ${ana}` };
    const url = "http://localhost/v1/sessions/s/stream?after=0";
    const response = await open.server.fetch(new Request(url, { headers }));
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    await write({ type: "text", text: "Hello" });
    let text = "";
    while (!text.includes("content_block_stop")) text += (await reader?.read())?.value ?? "";
    expect(text).toContain(`data: {"type":"content_block_delta","index":0,"delta":{"text":"Hello"}}`);
    const timers = open.clock.timers;
    await reader?.cancel();
    await until(() => open.clock.timers < timers);
  });

  it("bounds what it buffers for a reader that does not read, and lets it resume", async () => {
    const { open, ana } = await opened();
    const session = await openSession({ hub: open.hub, sessionId: "s", asker: "builder" });
    const stream = await readSession(open, ana, "s", "0");
    stream.response.pause();
    const { timers } = open.clock;
    const text = "x".repeat(200_000);
    for (let count = 0; count < 60; count += 1) await session.text(text);
    // The server waits only so long for the reader; then the stream and its timers end.
    await until(async () => {
      await open.clock.advance(30_000);
      return open.clock.timers < timers;
    });
    stream.response.resume();
    await stream.ended;
    const read = stream.events();
    const rest = await readSession(open, ana, "s", read.at(-1)?.id ?? "0");
    await until(() => read.length + rest.events().length === 180);
    rest.hangUp();
  });

  it("ends when the server closes, with a close code on a WebSocket", async () => {
    const { open, ana } = await opened();
    const stream = await readSession(open, ana, "s");
    const socket = new WebSocket(`${open.url.replace("http", "ws")}/v1/sessions/s/stream`, {
      headers: { authorization: `Bearer ${ana}` },
    });
    const closed = new Promise<number>((resolve) => void socket.on("close", resolve));
    await new Promise((resolve) => void socket.on("open", resolve));
    await open.server.close();
    await stream.ended;
    expect(await closed).toBe(1001);
  });
});

describe("a session over a WebSocket", () => {
  const departures: string[] = [];
  afterEach(() => {
    expect(departures.splice(0), "frames that are not as the API's document promises").toEqual([]);
  });

  function connect(open: OpenServer, token: string, query = "") {
    const socket = new WebSocket(`${open.url.replace("http", "ws")}/v1/sessions/s/stream${query}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const frames: (StreamEvent & { readonly id?: string; readonly error?: { readonly code: string } })[] = [];
    socket.on("message", (data) => {
      const frame = JSON.parse(String(data));
      frames.push(frame);
      // A frame is an event as described in the OpenAPI document, with its id, or an error.
      const { id: _, type, ...rest } = frame;
      const wrong =
        type === "error"
          ? closedChecks.schema("Problem", rest)
          : closedChecks.schema("SessionEvent", { type, ...rest });
      if (wrong !== undefined) departures.push(`${wrong}: ${String(data)}`);
    });
    const refused = new Promise<number>((resolve) => {
      socket.on("unexpected-response", (_request, response) => resolve(response.statusCode ?? 0));
      socket.on("error", () => undefined);
    });
    return { socket, frames, refused };
  }

  it("sends the same events, accepts a person's messages, and resumes", async () => {
    const { open, ana, write } = await opened();
    await write({ type: "ask", questions: [question] });
    const { socket, frames } = connect(open, ana, "?after=0");
    await until(() => frames.length === 3);
    socket.send(JSON.stringify({ ...approval, approval_key: "s_7" }));
    await until(() => frames.length === 4);
    expect(frames[3]).toMatchObject({ type: "error", error: { code: "not_found" } });
    socket.send("{");
    await until(() => frames.length === 5);
    expect(frames[4]).toMatchObject({ type: "error", error: { code: "invalid_json" } });
    socket.send(JSON.stringify(approval));
    await until(() => frames.length === 6);
    expect(frames[5]).toMatchObject({
      type: "approval_resolved",
      status: "answered",
      answers: { "Which?": "B" },
    });
    socket.close();
    const again = connect(open, ana, `?after=${frames[1]?.id}`);
    await until(() => again.frames.length === 2);
    expect(again.frames).toEqual([frames[2], frames[5]]);
    again.socket.close();
  });

  it("refuses other people, and answers from agents", async () => {
    const { open, agent, write } = await opened({ recipients: ["ana"] });
    const bo = await open.token({ role: "person", name: "bo" });
    expect(await connect(open, bo).refused).toBe(404);
    expect(await connect(open, "nonsense").refused).toBe(401);
    await write({ type: "ask", questions: [question] });
    const { socket, frames } = connect(open, agent, "?after=0");
    await until(() => frames.length === 3);
    socket.send(JSON.stringify(approval));
    await until(() => frames.length === 4);
    expect(frames[3]).toMatchObject({ type: "error", error: { code: "forbidden" } });
    socket.close();
  });
});
