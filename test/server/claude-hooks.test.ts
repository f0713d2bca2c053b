import { request } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import type { Ask, JsonObject } from "../../src/core/index.js";
import { createHub, memoryStore } from "../../src/hub/index.js";
import { fakeClock } from "../../src/testing/fake-clock.js";
import {
  awaitedAsk,
  call,
  closeServers,
  type OpenServer,
  openServer,
  refusal,
  until,
} from "./open-server.ts";

afterEach(closeServers);

const options = [
  { label: "OAuth", description: "An account they have" },
  { label: 'Keys, "long" ones', description: "One secret a client" },
];
const auth = { question: "Which auth?", header: "Auth", options, multiSelect: false };
const parts = { question: "Which parts?", header: "Parts", options, multiSelect: true };

/** As Claude Code 2.1.325 sends it. */
const common = {
  session_id: "38339c8f-cbcb-4b1a-a8db-c6f481ece1aa",
  transcript_path: "/home/ana/.claude/projects/-work/38339c8f.jsonl",
  cwd: "/home/ana/shop",
  prompt_id: "422e4b1e-023a-4ddf-b79c-f09778698fc8",
  permission_mode: "manual",
};

function event(hook_event_name: string, more: object = {}): JsonObject {
  return { ...common, hook_event_name, ...more } as JsonObject;
}
const asks = (...questions: readonly object[]) => ({
  tool_name: "AskUserQuestion",
  tool_input: { questions },
});
const bash = (command: string, more: object = {}) => ({
  tool_name: "Bash",
  tool_input: { command, description: "Runs it" },
  ...more,
});

async function opened(more: Parameters<typeof openServer>[0] = {}, reports: readonly string[] = ["ana"]) {
  const open = await openServer(more);
  const agent = await open.token({ name: "claude-ana", ...(reports.length > 0 && { reports }) });
  const person = await open.token({ role: "person" });
  return { open, agent, person, ...hooks(open, agent, person) };
}

function hooks(open: OpenServer, agent: string, person: string) {
  const send = (body: unknown, query = "") => call(open, agent, `POST /v1/hooks/claude${query}`, body);
  const end = (ask: Ask, ending: string, body: unknown = {}) =>
    call(open, person, `POST /v1/asks/${ask.id}/${ending}`, body);
  /** Sends an event that asks, and resolves once it waits. */
  const hold = async (body: unknown, query = "") => {
    const known = new Set((await open.hub.list({})).asks.map(({ id }) => id));
    const reply = send(body, query);
    const ask = await until(async () =>
      (await open.hub.list({})).asks.find(
        ({ id, outcome }) => !known.has(id) && (outcome !== undefined || open.hub.isAwaited(id)),
      ),
    );
    return { reply, ask };
  };
  const outcome = async ({ id }: Ask) => (await open.hub.get(id)).outcome;
  return { send, end, hold, outcome };
}

function decision({ body }: { readonly body: object }): Readonly<Record<string, unknown>> {
  const { hookSpecificOutput } = body as { readonly hookSpecificOutput?: JsonObject };
  return (hookSpecificOutput?.decision ?? hookSpecificOutput ?? {}) as Readonly<Record<string, unknown>>;
}

const approve = { decisions: [{ action: "a1", kind: "approve" }] };

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
    const submit: typeof hub.submit = (input, options) =>
      hub.submit({ ...(input as JsonObject), timeoutMs: 60_000 }, options);
    const { hold, outcome } = await opened({ store, time, hub: { ...hub, submit } });
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

describe("permissions of Claude Code", () => {
  it("are approvals with the tool, its arguments, the folder and the project", async () => {
    const { hold, end } = await opened();
    const { reply, ask } = await hold(event("PermissionRequest", bash("npm test")));
    expect(ask.approval?.actions).toMatchObject([
      { name: "Bash", args: { command: "npm test", description: "Runs it" }, description: "Runs it" },
    ]);
    expect(ask.context).toContain("/home/ana/shop");
    expect(ask.metadata).toMatchObject({ project: "/home/ana/shop" });
    await end(ask, "decide", approve);
    expect(decision(await reply)).toEqual({ behavior: "allow" });
  });

  it("are denied with the person's words, and changed where the person edits them", async () => {
    const { hold, end } = await opened();
    const first = await hold(event("PermissionRequest", bash("rm -rf dist")));
    await end(first.ask, "decide", { decisions: [{ action: "a1", kind: "reject", message: "Keep it" }] });
    const denied = decision(await first.reply);
    expect([denied.behavior, denied.message]).toEqual(["deny", expect.stringContaining('"Keep it"')]);
    const second = await hold(event("PermissionRequest", bash("rm -rf .")));
    await end(second.ask, "decide", { decisions: [{ action: "a1", kind: "edit", args: { command: "ls" } }] });
    expect(decision(await second.reply)).toEqual({ behavior: "allow", updatedInput: { command: "ls" } });
  });

  it("offer Claude Code's own rules in its words, and return the one that was chosen", async () => {
    const { hold, end } = await opened();
    const permission_suggestions = [
      {
        type: "addRules",
        rules: [{ toolName: "Bash", ruleContent: "npm test:*" }],
        behavior: "allow",
        destination: "localSettings",
      },
    ];
    const { reply, ask } = await hold(
      event("PermissionRequest", bash("npm test", { permission_suggestions })),
    );
    const label = 'Claude Code: addRules allow "Bash(npm test:*)", kept in localSettings';
    expect(ask.approval?.actions[0]?.rules).toEqual([label]);
    await end(ask, "decide", { decisions: [{ action: "a1", kind: "approve", remember: label }] });
    expect(decision(await reply)).toEqual({
      behavior: "allow",
      updatedPermissions: permission_suggestions,
    });
  });

  it.each([
    ["approve", { behavior: "allow" }],
    ["reject", { behavior: "deny", message: expect.stringContaining("rejected") }],
  ])("of a plan show the plan as Markdown: %s", async (kind, expected) => {
    const { hold, end } = await opened();
    const plan = "# Plan\n\n1. Build\n2. Ship";
    const { reply, ask } = await hold(
      event("PermissionRequest", { tool_name: "ExitPlanMode", tool_input: { plan } }),
    );
    expect(ask.context).toContain(plan);
    const remembered = await end(ask, "decide", {
      decisions: [{ action: "a1", kind, remember: "always" }],
    });
    expect(refusal(remembered)).toBe("422 invalid_answer");
    await end(ask, "decide", { decisions: [{ action: "a1", kind }] });
    expect(decision(await reply)).toEqual(expected);
  });

  it("given at the terminal are reported, and those refused or left are withdrawn", async () => {
    const { hold, send, outcome } = await opened();
    const allowed = await hold(event("PermissionRequest", bash("one")));
    await send(event("PostToolUse", bash("one", { tool_response: { stdout: "secret output" } })));
    expect(await outcome(allowed.ask)).toMatchObject({
      kind: "decided",
      decisions: [{ kind: "approve" }],
      by: { id: "ana", surface: "claude-code", via: "claude-ana" },
    });
    const failed = await hold(event("PermissionRequest", bash("two")));
    await send(event("PostToolUseFailure", bash("two", { error: "exit 1", is_interrupt: false })));
    expect(await outcome(failed.ask)).toMatchObject({ kind: "decided", by: { surface: "claude-code" } });
    const interrupted = await hold(event("PermissionRequest", bash("three")));
    await send(event("PostToolUseFailure", bash("three", { is_interrupt: true })));
    expect(await outcome(interrupted.ask)).toMatchObject({ kind: "withdrawn" });
    const denied = await hold(event("PermissionRequest", bash("four")));
    await send(event("PermissionDenied", bash("four", { reason: "risky" })));
    expect(await outcome(denied.ask)).toMatchObject({ kind: "withdrawn", reason: "refused in Claude Code" });
    for (const name of ["UserPromptSubmit", "Stop", "SessionEnd"]) {
      const { ask } = await hold(event("PermissionRequest", bash(name)));
      await send(event(name));
      expect([name, await outcome(ask)]).toMatchObject([name, { kind: "withdrawn" }]);
    }
  });

  it("of two subagents are two asks, and the end of one agent leaves the other's", async () => {
    const { hold, send, end, outcome } = await opened();
    const one = await hold(
      event("PermissionRequest", bash("make", { agent_id: "a1", agent_type: "tester" })),
    );
    const two = await hold(event("PermissionRequest", bash("make", { agent_id: "a2" })));
    expect(one.ask.id).not.toBe(two.ask.id);
    expect(one.ask.agentPath).toEqual(["shop", "tester"]);
    await send(event("Stop"));
    await send(event("SubagentStop", { agent_id: "a1" }));
    expect(await outcome(one.ask)).toMatchObject({ kind: "withdrawn" });
    await end(two.ask, "decide", approve);
    expect(decision(await two.reply)).toEqual({ behavior: "allow" });
  });

  it("are asked each time: what was allowed once does not allow the same command again", async () => {
    const { hold, end } = await opened();
    const first = await hold(event("PermissionRequest", bash("npm test")));
    const beside = await hold(event("PermissionRequest", bash("npm test")));
    expect(beside.ask.id).not.toBe(first.ask.id);
    await end(first.ask, "decide", approve);
    expect(decision(await first.reply)).toEqual({ behavior: "allow" });
    await end(beside.ask, "decline");
    await beside.reply;
    const again = await hold(event("PermissionRequest", bash("npm test")));
    expect(again.ask.outcome).toBeUndefined();
    await end(again.ask, "decline");
  });

  it("too large to be shown whole, of our own tools, and of unknown events are left to Claude Code", async () => {
    const { open, send } = await opened();
    for (const body of [
      event("PermissionRequest", bash("x".repeat(70_000))),
      event("PermissionRequest", { tool_name: "mcp__askline__ask_user_question", tool_input: {} }),
      event("PermissionRequest", { tool_name: "ExitPlanMode", tool_input: { plan: "x".repeat(70_000) } }),
      event("SomethingNew"),
      { hello: "world" },
      [],
    ]) {
      expect(await send(body)).toMatchObject({ status: 204 });
    }
    expect((await open.hub.list({})).asks).toEqual([]);
  });

  it("answered here and at the terminal at once end once", async () => {
    const { hold, send, end, outcome } = await opened();
    for (const round of ["a", "b", "c"]) {
      const { reply, ask } = await hold(event("PermissionRequest", bash(round)));
      const [here] = await Promise.all([
        end(ask, "decide", { decisions: [{ action: "a1", kind: "reject" }] }),
        send(event("PostToolUse", bash(round))),
      ]);
      const ended = await outcome(ask);
      const won = here.status === 200;
      expect(ended).toMatchObject({ kind: "decided", decisions: [{ kind: won ? "reject" : "approve" }] });
      expect((await reply).status).toBe(won ? 200 : 204);
    }
  });
});

describe("the request of a hook", () => {
  /** A request whose socket the test can close. */
  function raw({ port }: OpenServer, token: string, body: JsonObject) {
    const sent = request({
      ...{ port, host: "127.0.0.1", path: "/v1/hooks/claude", method: "POST" },
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    });
    sent.on("error", () => undefined);
    sent.end(JSON.stringify(body));
    return sent;
  }

  it("withdraws its ask when the client closes it, and leaves it pending when the server stops", async () => {
    const store = memoryStore();
    const { open, agent, outcome } = await opened({ store });
    const sent = raw(open, agent, event("PermissionRequest", bash("one")));
    const left = await awaitedAsk(open);
    sent.destroy();
    await until(async () => (await outcome(left))?.kind);
    expect(await outcome(left)).toEqual({ kind: "withdrawn", reason: "closed in Claude Code" });

    const waiting = call(open, agent, "POST /v1/hooks/claude", event("PermissionRequest", bash("two")));
    const kept = await awaitedAsk(open);
    await open.server.close();
    const { status, headers } = await waiting;
    expect([status, headers.get("askline-retry"), await outcome(kept)]).toEqual([204, "1", undefined]);
  });

  it("takes up an ask of a server that stopped: the same request gets what was decided meanwhile, once", async () => {
    const { open, agent, person } = await opened();
    const waiting = call(open, agent, "POST /v1/hooks/claude", event("PermissionRequest", bash("two")));
    const kept = await awaitedAsk(open);
    await open.server.close();
    await waiting;
    const next = await openServer({ hub: open.hub, store: open.store });
    const { send, end, hold } = hooks(next, agent, person);
    expect(open.hub.isAwaited(kept.id)).toBe(false);
    await end(kept, "decide", approve);
    expect(decision(await send(event("PermissionRequest", bash("two"))))).toEqual({ behavior: "allow" });
    const again = await hold(event("PermissionRequest", bash("two")));
    expect(again.ask.id).not.toBe(kept.id);
    await end(again.ask, "decline");
    await again.reply;
  });

  it("does not hand out a decision that came too late: the call had already run", async () => {
    const { open, agent, person } = await opened();
    const waiting = call(open, agent, "POST /v1/hooks/claude", event("PermissionRequest", bash("two")));
    const kept = await awaitedAsk(open);
    await open.server.close();
    await waiting;
    const next = await openServer({ hub: open.hub, store: open.store });
    const { send, end, hold } = hooks(next, agent, person);
    await end(kept, "decide", approve);
    await send(event("PostToolUse", bash("two")));
    const again = await hold(event("PermissionRequest", bash("two")));
    expect(again.ask.id).not.toBe(kept.id);
    await end(again.ask, "decline");
    await again.reply;
  });

  it("above the limit is answered with nothing, and its output is kept nowhere", async () => {
    const { open, send } = await opened({ limits: { body: 4_096 } });
    const tool_response = { stdout: "topsecret".repeat(1_000) };
    expect(await send(event("PostToolUse", bash("ls", { tool_response })))).toMatchObject({ status: 204 });
    expect(open.logged.join("\n")).not.toContain("topsecret");
  });

  it("stores nothing of the output of a tool", async () => {
    const { open, hold, send } = await opened();
    const { ask } = await hold(event("PermissionRequest", bash("ls")));
    await send(event("PostToolUse", bash("ls", { tool_response: { stdout: "topsecret" } })));
    const stored = [await open.hub.get(ask.id), await open.hub.audit(ask.id)];
    expect(JSON.stringify(stored) + open.logged.join("\n")).not.toContain("topsecret");
  });

  it("needs a token of an agent, and gets no decision once that token is revoked", async () => {
    const { open, agent, person, hold, end } = await opened();
    const body = event("PermissionRequest", bash("ls"));
    expect(refusal(await call(open, person, "POST /v1/hooks/claude", body))).toBe("403 forbidden");
    expect(refusal(await call(open, agent, "POST /v1/hooks/claude", "{"))).toBe("400 invalid_json");
    const { reply, ask } = await hold(body);
    const [token] = (await open.auth.listTokens()).filter(({ name }) => name === "claude-ana");
    await open.auth.revokeToken(token?.id ?? "");
    await end(ask, "decide", approve);
    expect(refusal(await reply)).toBe("401 unauthorized");
  });
});

describe("headless runs", () => {
  const pre = (more: object = {}) =>
    event("PreToolUse", { ...bash("deploy"), tool_use_id: "toolu_1", ...more });

  it("wait for a decision with PreToolUse", async () => {
    const { hold, end } = await opened();
    const { reply, ask } = await hold(pre());
    await end(ask, "decide", approve);
    expect(decision(await reply)).toMatchObject({ hookEventName: "PreToolUse", permissionDecision: "allow" });
  });

  it("are parked, survive the end of their session, and go on once, wherever they are resumed first", async () => {
    const { send, open, end, outcome } = await opened();
    expect(decision(await send(pre(), "?defer=0"))).toMatchObject({ permissionDecision: "defer" });
    const [parked] = (await open.hub.list({ status: "pending" })).asks;
    if (parked === undefined) throw new Error("nothing is pending");
    await send(event("Stop"));
    await send(event("SessionEnd"));
    expect(await outcome(parked)).toBeUndefined();
    await end(parked, "decide", approve);
    const resumed = { prompt_id: "another" };
    const both = await Promise.all([send(pre(resumed), "?defer=0"), send(pre(resumed), "?defer=0")]);
    const decided = both.map((reply) => decision(reply).permissionDecision);
    expect(decided.sort()).toEqual(["allow", "defer"]);
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
