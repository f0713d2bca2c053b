import { describe, expect, it } from "vitest";
import {
  type OpenClawApi,
  type OpenClawContext,
  type OpenClawOptions,
  type OpenClawTool,
  openClawPlugin,
} from "../../src/agents/openclaw/openclaw.js";
import { type AskInput, type Outcome, type Resolver, resolverOf } from "../../src/index.js";
import { EXAMPLE_QUESTION } from "../server/gateway/raw-socket.js";

const { questions } = EXAMPLE_QUESTION.payload.payload;
const QUESTION = questions[0].question;
const CONTEXT: OpenClawContext = { sessionKey: "user-42", agentId: "coding-agent" };
const by = { kind: "person", id: "ana", surface: "test" } as const;
type Hook = Parameters<OpenClawApi["on"]>[1];

/** The part of OpenClaw that plugins see: hooks run before a tool, and may block it or change its parameters. */
function host(resolver: Resolver, options: Partial<OpenClawOptions> = {}) {
  let tool: OpenClawTool | undefined;
  let hook: Hook | undefined;
  let hookMs = 0;
  openClawPlugin({ resolver, ...options }).register({
    registerTool(make) {
      tool = make(CONTEXT);
    },
    on(_name, handler, { timeoutMs }) {
      hook = handler;
      hookMs = timeoutMs;
    },
  });
  if (tool === undefined || hook === undefined) throw new Error("the plugin registers a tool and a hook");
  return { tool, hook, hookMs };
}

function ending(outcome: Outcome, asked: AskInput[] = []): Resolver {
  return {
    async ask(request) {
      asked.push(request);
      return outcome;
    },
  };
}

/** Never answered: ends only when its signal aborts. */
function waiting(onAsked: () => void): Resolver {
  return {
    ask: (_request, { signal } = {}) =>
      new Promise((resolve, reject) => {
        if (signal === undefined) reject(new Error("it was asked without a signal"));
        signal?.addEventListener("abort", () => resolve({ kind: "withdrawn" }), { once: true });
        onAsked();
      }),
  };
}

const picked: Outcome = { kind: "answered", answers: [{ question: "q1", selected: ["o2"] }], by };

describe("the hook", () => {
  const event = { toolName: "AskUserQuestion", params: { questions }, toolCallId: "call_1" };

  it("puts the answers into the parameters", async () => {
    const asked: AskInput[] = [];
    const { hook } = host(ending(picked, asked));
    expect(await hook(event, CONTEXT)).toEqual({ params: { questions, answers: { [QUESTION]: "Vitest" } } });
    expect(asked).toMatchObject([
      { session: "user-42", agentId: "coding-agent", key: "call_1", timeoutMs: 120_000 },
    ]);
  });

  it("overwrites answers that a model has written itself", async () => {
    const { hook } = host(ending(picked));
    const forged = { ...event, params: { questions, answers: { [QUESTION]: "Jest" } } };
    expect((await hook(forged, CONTEXT))?.params?.answers).toEqual({ [QUESTION]: "Vitest" });
  });

  it("lets a dismissal through as an empty map", async () => {
    const { hook } = host(ending({ kind: "declined", by }));
    expect((await hook(event, CONTEXT))?.params?.answers).toEqual({});
  });

  it.each<[Outcome, RegExp]>([
    [
      { kind: "expired" },
      /^User did not respond: AskUserQuestion timed out after 120000ms \(questionId=call_1\)$/,
    ],
    [{ kind: "replied", text: "why not AVA?", by }, /why not AVA\?/],
    [{ kind: "withdrawn" }, /./],
    [{ kind: "unavailable" }, /./],
  ])("blocks the call for %j", async (outcome, reason) => {
    const { hook } = host(ending(outcome));
    const decision = await hook(event, CONTEXT);
    expect(decision?.block).toBe(true);
    expect(decision?.blockReason).toMatch(reason);
  });

  it("blocks invalid questions, and calls whose resolver fails", async () => {
    const { hook } = host(ending(picked));
    const bad = await hook({ ...event, params: { questions: [] } }, CONTEXT);
    expect(bad?.blockReason).toMatch(/^invalid parameters: questions/);
    const broken = host({ ask: () => Promise.reject(new Error("no line")) });
    expect(await broken.hook(event, CONTEXT)).toEqual({
      block: true,
      blockReason: "resolver error: no line",
    });
  });

  it("knows its tool by the name that OpenClaw gives to hooks, in lower case", async () => {
    const { hook } = host(ending(picked), { needsApproval: () => true });
    const decision = await hook({ ...event, toolName: "askuserquestion" }, CONTEXT);
    expect(decision?.params?.answers).toEqual({ [QUESTION]: "Vitest" });
  });

  it("asks OpenClaw for no more time than a timer supports", () => {
    expect(host(ending(picked), { timeoutMs: 30 * 86_400_000 }).hookMs).toBe(2 ** 31 - 1);
  });

  it.each([undefined, 600_000])("asks OpenClaw for more time than a person has (%s)", (timeoutMs) => {
    const { hookMs } = host(ending(picked), timeoutMs === undefined ? {} : { timeoutMs });
    expect(hookMs).toBeGreaterThan(timeoutMs ?? 120_000);
  });

  it("withdraws the question when its call is cancelled", async () => {
    const cancel = new AbortController();
    const { hook } = host(waiting(() => cancel.abort()));
    const decision = await hook(event, { ...CONTEXT, abortSignal: cancel.signal });
    expect(decision?.block).toBe(true);
    expect(decision?.blockReason).not.toContain("without a signal");
  });

  it("leaves other tools alone", async () => {
    const asked: AskInput[] = [];
    const { hook } = host(ending(picked, asked));
    expect(await hook({ toolName: "exec", params: {} }, CONTEXT)).toBeUndefined();
    expect(asked).toEqual([]);
  });
});

describe("the tool", () => {
  it("asks itself if the hook was not called", async () => {
    const { tool } = host(ending(picked));
    const { content, details } = await tool.execute("call_1", { questions });
    expect(content[0]?.text).toContain("Vitest");
    expect(details).toEqual({ outcome: "answered", answers: { [QUESTION]: "Vitest" } });
  });

  it("does not repeat a question that the hook has asked", async () => {
    const asked: AskInput[] = [];
    const { tool, hook } = host(ending(picked, asked));
    const decision = await hook(
      { toolName: "AskUserQuestion", params: { questions }, toolCallId: "call_1" },
      CONTEXT,
    );
    await tool.execute("call_1", decision?.params);
    expect(asked).toHaveLength(1);
    // An older OpenClaw gives no call id: only the tool asks.
    expect(await hook({ toolName: "AskUserQuestion", params: { questions } }, CONTEXT)).toBeUndefined();
    await tool.execute("call_2", { questions });
    expect(asked).toHaveLength(2);
  });

  it("does not trust answers in its parameters", async () => {
    const { tool } = host(ending({ kind: "expired" }));
    const { content, details } = await tool.execute("call_1", { questions, answers: { [QUESTION]: "Jest" } });
    expect(content[0]?.text).toMatch(/^User did not respond/);
    expect(details).toEqual({ outcome: "expired" });
  });
});

describe("approvals", () => {
  const event = { toolName: "exec", params: { command: "rm -r build" }, toolCallId: "call_9" };
  const needsApproval = (toolName: string): boolean => toolName === "exec";

  it.each<[Outcome, unknown]>([
    [{ kind: "decided", decisions: [{ action: "a1", kind: "approve" }], by }, undefined],
    [
      { kind: "decided", decisions: [{ action: "a1", kind: "edit", args: { command: "ls" } }], by },
      { params: { command: "ls" } },
    ],
    [
      { kind: "decided", decisions: [{ action: "a1", kind: "reject", message: "not today" }], by },
      { block: true, blockReason: "not today" },
    ],
    [
      { kind: "decided", decisions: [{ action: "a1", kind: "reject" }], by },
      { block: true, blockReason: 'The person decided:\n1. "exec": rejected' },
    ],
    [{ kind: "declined", by }, { block: true }],
    [{ kind: "expired" }, { block: true }],
  ])("%j", async (outcome, expected) => {
    const { hook } = host(
      resolverOf(() => outcome),
      { needsApproval },
    );
    const decision = await hook(event, CONTEXT);
    if (expected === undefined) expect(decision).toBeUndefined();
    else expect(decision).toMatchObject(expected as object);
  });

  it("are withdrawn when the call is cancelled", async () => {
    const cancel = new AbortController();
    const { hook } = host(
      waiting(() => cancel.abort()),
      { needsApproval },
    );
    const decision = await hook(event, { ...CONTEXT, abortSignal: cancel.signal });
    expect(decision?.block).toBe(true);
    expect(decision?.blockReason).not.toContain("without a signal");
  });

  it("blocks if the resolver fails", async () => {
    const { hook } = host({ ask: () => Promise.reject(new Error("no line")) }, { needsApproval });
    expect((await hook(event, CONTEXT))?.block).toBe(true);
  });
});
