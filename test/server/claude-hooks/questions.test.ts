import { afterEach, describe, expect, it } from "vitest";
import { createHub, memoryStore } from "../../../src/hub/index.js";
import type { JsonObject } from "../../../src/index.js";
import { fakeClock } from "../../../src/testing/fake-clock.js";
import { closeServers, refusal } from "../open-server.ts";
import { asks, auth, bash, common, decision, event, opened, parts } from "./hooks.ts";

afterEach(closeServers);

describe("questions of Claude Code", () => {
  it("are held until they are answered, and allowed with echoed questions and quoted labels", async () => {
    const { hold, end } = await opened();
    const { reply, ask } = await hold(event("PermissionRequest", asks(auth, parts)));
    expect(ask).toMatchObject({
      session: common.session_id,
      agentId: "claude-code",
      agentPath: ["shop"],
      recipients: ["ana"],
    });
    const answers = [
      { question: "q1", selected: ["o1"], note: "Soon" },
      { question: "q2", selected: ["o1", "o2"], text: "and mine" },
    ];
    await end(ask, "answer", { answers });
    const { status, body } = await reply;
    expect(status).toBe(200);
    expect(body).toEqual({
      hookSpecificOutput: {
        hookEventName: "PermissionRequest",
        decision: {
          behavior: "allow",
          updatedInput: {
            questions: [auth, parts],
            answers: {
              "Which auth?": "OAuth",
              "Which parts?": 'OAuth, "Keys, \\"long\\" ones", and mine',
            },
            annotations: { "Which auth?": { notes: "Soon" } },
          },
        },
      },
    });
  });

  it("that were skipped have words for the model, and no annotation that a session may not know", async () => {
    const { hold, end } = await opened();
    const { reply, ask } = await hold(event("PermissionRequest", asks(auth, parts)));
    await end(ask, "answer", { answers: [{ question: "q1", selected: ["o1"] }] });
    const updated = decision(await reply).updatedInput;
    expect(updated).toEqual({
      questions: [auth, parts],
      answers: { "Which auth?": "OAuth", "Which parts?": "(skipped)" },
    });
  });

  it.each([
    ["decline", { reason: "Not mine" }, /declined to answer.*Not mine/],
    ["reply", { text: "Look at the docs" }, /wrote this instead: "Look at the docs"/],
  ])("are denied with words after %s", async (ending, body, words) => {
    const { hold, end } = await opened();
    const { reply, ask } = await hold(event("PermissionRequest", asks(auth)));
    await end(ask, ending, body);
    const { behavior, message } = decision(await reply);
    expect([behavior, message]).toEqual(["deny", expect.stringMatching(words)]);
  });

  it("get no decision when they are withdrawn", async () => {
    const { open, hold } = await opened();
    const { reply, ask } = await hold(event("PermissionRequest", asks(auth)));
    await open.hub.withdraw(ask.id);
    expect(await reply).toMatchObject({ status: 204, body: {} });
  });

  it.each([
    ["questions", asks(auth)],
    ["a permission", bash("ls")],
  ])("get no decision when %s expire at a server that gives asks a deadline", async (_, prompt) => {
    const [store, time] = [memoryStore(), fakeClock()];
    const hub = await createHub({ store, clock: time });
    const post: typeof hub.post = (input, options) =>
      hub.post({ ...(input as JsonObject), timeoutMs: 60_000 }, options);
    const { hold, outcome } = await opened({ store, time, hub: { ...hub, post } });
    const { reply, ask } = await hold(event("PermissionRequest", prompt));
    await time.advance(59_999);
    expect(await outcome(ask)).toBeUndefined();
    await time.advance(1);
    expect(await reply).toMatchObject({ status: 204, body: {} });
    expect(await outcome(ask)).toEqual({ kind: "expired" });
  });

  it("answered at the terminal are reported for the person, and the hook decides nothing", async () => {
    const { hold, send, end, outcome } = await opened();
    const { reply, ask } = await hold(event("PermissionRequest", asks(auth, parts)));
    const answers = { "Which auth?": "my own", "Which parts?": 'OAuth, "Keys, \\"long\\" ones"' };
    const tool_input = { questions: [auth, parts], answers, annotations: {} };
    const done = event("PostToolUse", { tool_name: "AskUserQuestion", tool_input, tool_response: {} });
    expect(await send(done)).toMatchObject({ status: 204 });
    expect(await reply).toMatchObject({ status: 204, body: {} });
    expect(await outcome(ask)).toMatchObject({
      kind: "answered",
      answers: [{ selected: [], text: "my own" }, { selected: ["o1", "o2"] }],
      by: { kind: "person", id: "ana", surface: "claude-code", via: "claude-ana" },
    });
    // The loser is told.
    const late = await end(ask, "answer", { answers: [{ question: "q1", selected: ["o1"] }] });
    expect([refusal(late), late.body.error?.outcome]).toMatchObject([
      "409 already_settled",
      { by: { surface: "claude-code" } },
    ]);
  });

  it("are withdrawn if the token may not report for one person", async () => {
    const { hold, send, outcome } = await opened({}, []);
    const { ask } = await hold(event("PermissionRequest", asks(auth)));
    const tool_input = { questions: [auth], answers: { "Which auth?": "OAuth" } };
    await send(event("PostToolUse", { tool_name: "AskUserQuestion", tool_input }));
    expect(await outcome(ask)).toEqual({ kind: "withdrawn", reason: "answered in Claude Code" });
  });
});

describe("forms of other MCP servers", () => {
  const schema = {
    type: "object",
    properties: {
      size: {
        type: "string",
        title: "Size",
        oneOf: [
          { const: "s", title: "Small" },
          { const: "l", title: "Large" },
        ],
      },
      extras: { type: "array", items: { type: "string", enum: ["salt", "oil"] } },
      count: { type: "integer", description: "How many?" },
      gift: { type: "boolean" },
      name: { type: "string" },
    },
    required: ["size"],
  };
  const form = (server: string) =>
    event("Elicitation", {
      mcp_server_name: server,
      message: "Your order",
      mode: "form",
      requested_schema: schema,
    });

  it("are questions, and go back as typed content", async () => {
    const { hold, end } = await opened();
    const { reply, ask } = await hold(form("shop"));
    expect(ask.questions.map(({ id, options: list, multiSelect }) => [id, list.length, multiSelect])).toEqual(
      [
        ["size", 2, false],
        ["extras", 2, true],
        ["count", 0, false],
        ["gift", 2, false],
        ["name", 0, false],
      ],
    );
    expect(ask.context).toContain("Your order");
    await end(ask, "answer", {
      answers: [
        { question: "size", selected: ["Large"] },
        { question: "extras", selected: ["salt", "oil"] },
        { question: "count", selected: [], text: "3" },
        { question: "gift", selected: ["No"] },
      ],
    });
    expect(decision(await reply)).toEqual({
      hookEventName: "Elicitation",
      action: "accept",
      content: { size: "l", extras: ["salt", "oil"], count: 3, gift: false },
    });
  });

  it("went back as accept {} when every field was skipped", async () => {
    const { hold, end } = await opened();
    const { reply, ask } = await hold({
      ...form("shop"),
      requested_schema: { ...schema, required: [] },
    });
    await end(ask, "answer", { answers: ask.questions.map(({ id }) => ({ question: id, skipped: true })) });
    expect(decision(await reply)).toEqual({ hookEventName: "Elicitation", action: "decline" });
  });

  it.each([
    ["approve", { action: "accept", content: {} }],
    ["reject", { action: "decline" }],
  ])("without properties are approvals: %s", async (kind, expected) => {
    const { hold, end } = await opened();
    const empty = { type: "object", properties: {} };
    const { reply, ask } = await hold({ ...form("shop"), requested_schema: empty });
    expect(ask.approval?.actions).toMatchObject([{ allow: ["approve", "reject"], once: true }]);
    await end(ask, "decide", { decisions: [{ action: "askline/confirm", kind }] });
    expect(decision(await reply)).toEqual({ hookEventName: "Elicitation", ...expected });
  });

  it("of our own server, and forms beyond questions, are left to Claude Code", async () => {
    const { send, hold, end } = await opened();
    expect(await send(form("askline"))).toMatchObject({ status: 204 });
    expect(await send({ ...form("shop"), requested_schema: {} })).toMatchObject({ status: 204 });
    expect(await send({ ...form("shop"), mode: "url", url: "https://example.com" })).toMatchObject({
      status: 204,
    });
    const { reply, ask } = await hold(form("shop"));
    await end(ask, "decline");
    expect(decision(await reply)).toEqual({ hookEventName: "Elicitation", action: "decline" });
  });
});
