import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { CLIENT_LIMITS, isWithdrawal, waitOf } from "../../../src/agents/mcp/clients.js";
import type { Ask } from "../../../src/index.js";
import { closeServers, until } from "../../server/open-server.ts";
import { type McpClient, openMcp, QUESTION, type Result, type Sdk, type Transport } from "./clients.ts";

afterEach(closeServers);

const ana = { by: { kind: "person", id: "ana", surface: "test" } } as const;
const pick = (...selected: readonly string[]) => ({ answers: [{ question: "q1", selected }] });

function textOf({ content }: Result): string {
  return content.map(({ text }) => text).join("\n");
}

const BOTH: readonly [Sdk, Transport][] = [
  ["1.32", "stdio"],
  ["2.4", "stdio"],
  ["1.32", "HTTP"],
  ["2.4", "HTTP"],
];

describe.each(BOTH)("a client of SDK %s over %s", (sdk, transport) => {
  it("asks several questions, and reads choices, text and notes whole", async () => {
    const open = await openMcp();
    const client = await open.connect(sdk, transport);
    const odd = 'Yes, "now",\nplease';
    const asking = client.call("ask_user_question", {
      questions: [
        QUESTION,
        { ...QUESTION, question: "Which features?", multiSelect: true },
        {
          ...QUESTION,
          question: "Ship it?",
          options: [
            { label: odd, description: "d" },
            { label: "No", description: "e" },
          ],
        },
        { ...QUESTION, question: "Which name?" },
      ],
    });
    const ask = await open.pending();
    await open.hub.answer(
      ask.id,
      {
        answers: [
          { question: "q1", selected: ["o2"], note: "for now" },
          { question: "q2", selected: ["o1", "o2"] },
          { question: "q3", selected: ["o1"] },
          { question: "q4", text: "askline, of course" },
        ],
      },
      ana,
    );
    const result = await asking;
    expect(result.isError ?? false).toBe(false);
    expect(textOf(result)).toContain(JSON.stringify(odd));
    expect(result.structuredContent).toMatchObject({
      status: "answered",
      ask_id: ask.id,
      answers: [
        { question: "Which database?", choices: [{ id: "o2", label: "SQLite" }], note: "for now" },
        { choices: [{ label: "PostgreSQL" }, { label: "SQLite" }] },
        { choices: [{ label: odd }] },
        { choices: [], text: "askline, of course" },
      ],
      answered_by: { kind: "person", id: "ana", surface: "test" },
    });
  });

  it("gets an error it can correct for bad arguments, and nothing is asked", async () => {
    const open = await openMcp();
    const client = await open.connect(sdk, transport);
    const result = await client.call("ask_user_question", { questions: [{ header: "no question" }] });
    expect([result.isError, textOf(result)]).toEqual([true, expect.stringContaining("nothing was asked")]);
    expect((await open.hub.list()).asks).toEqual([]);
  });

  it("keeps the ask when it times out, and finds it by the same call and by get_answer", async () => {
    const open = await openMcp();
    const client = await open.connect(sdk, transport);
    const args = { questions: [QUESTION] };
    const limit = holdTimer(61_000);
    const call = client.call("ask_user_question", args, { timeout: 61_000 });
    const ask = await open.pending();
    limit.end();
    await expect(call).rejects.toThrow(/timed out/i);
    await until(() => !open.hub.isAwaited(ask.id));
    expect((await open.hub.get(ask.id)).status).toBe("pending");
    const again = client.call("ask_user_question", args);
    const waiting = await open.pending();
    const later = client.call("get_answer", { ask_id: waiting.id });
    await open.hub.answer(waiting.id, pick("o1"), ana);
    expect((await again).structuredContent).toMatchObject({ status: "answered", ask_id: ask.id });
    expect((await later).structuredContent).toMatchObject({ status: "answered", ask_id: ask.id });
    expect((await open.hub.list()).asks).toHaveLength(1);
  });

  it("does not mix parallel asks, and of two racing answers the first counts", async () => {
    const open = await openMcp();
    const client = await open.connect(sdk, transport);
    const names = ["one", "two", "three"];
    const asking = names.map((question) =>
      client.call("ask_user_question", { questions: [{ ...QUESTION, question }] }),
    );
    const asks = await until(async () => {
      const { asks: found } = await open.hub.list({ status: "pending" });
      return found.length === 3 && found.every(({ id }) => open.hub.isAwaited(id)) ? found : undefined;
    });
    for (const ask of asks) {
      const index = names.indexOf(ask.questions[0]?.question ?? "");
      const answers = [pick(`o${(index % 2) + 1}`), pick(`o${((index + 1) % 2) + 1}`)];
      const [first, second] = await Promise.allSettled(
        answers.map((answer) => open.hub.answer(ask.id, answer, ana)),
      );
      expect([first?.status, second?.status].sort()).toEqual(["fulfilled", "rejected"]);
    }
    const results = await Promise.all(asking);
    for (const [index, name] of names.entries()) {
      const ended = (await open.hub.list()).asks.find(
        ({ questions }) => questions[0]?.question === name,
      ) as Ask;
      const outcome = ended.outcome as Extract<Ask["outcome"], { kind: "answered" }>;
      expect(results[index]?.structuredContent).toMatchObject({
        ask_id: ended.id,
        answers: [{ question: name, choices: [{ id: outcome.answers[0]?.selected[0] }] }],
      });
    }
  });
});

describe.each([
  ["1.32", "stdio", "withdrawn"],
  ["2.4", "stdio", "withdrawn"],
  ["1.32", "HTTP", "withdrawn"],
  // Since 2026-07-28 a client cancels over HTTP by closing the stream, as it does at a timeout: no reason is sent.
  ["2.4", "HTTP", "pending"],
] as const)("a person who aborts a call in a client of SDK %s over %s", (sdk, transport, status) => {
  it(`leaves the ask ${status}`, async () => {
    const open = await openMcp();
    const client = await open.connect(sdk, transport);
    const aborting = new AbortController();
    const asking = client.call("ask_user_question", { questions: [QUESTION] }, { signal: aborting.signal });
    const { id } = await open.pending();
    aborting.abort("the person pressed Escape");
    await expect(asking).rejects.toThrow();
    await until(() => !open.hub.isAwaited(id));
    await until(async () => (await open.hub.get(id)).status === status);
  });
});

describe("the tools", () => {
  const openHttp = async (options: Parameters<typeof openMcp>[0] = {}) => {
    const open = await openMcp(options);
    return { open, client: await open.connect("2.4", "HTTP") };
  };

  it("come in a fixed order, each with a description", async () => {
    const { client } = await openHttp();
    const tools = await client.tools();
    expect(tools.map(({ name }) => name)).toEqual([
      "ask_user_question",
      "ask_approval",
      "post_question",
      "get_answer",
      "list_pending",
      "withdraw_question",
      "permission_prompt",
    ]);
    for (const { description = "" } of tools) expect(description.length).toBeGreaterThan(60);
  });

  it.each([
    ["declined", (open: Open, id: string) => open.hub.decline(id, "not now", ana), { reason: "not now" }],
    ["replied", (open: Open, id: string) => open.hub.reply(id, "why?", ana), { text: "why?" }],
    ["withdrawn", (open: Open, id: string) => open.hub.withdraw(id, "gone"), { reason: "gone" }],
    ["expired", (open: Open) => open.clock.advance(60_000), {}],
    [
      "answered",
      (open: Open, id: string) => open.hub.answer(id, { answers: [{ question: "q1", skipped: true }] }, ana),
      { answers: [{ skipped: true }] },
    ],
  ] as const)("report that an ask was %s, in words of their own", async (kind, end, more) => {
    const { open, client } = await openHttp({ ask: { timeoutMs: 60_000, allowPartial: true } });
    const asking = client.call("ask_user_question", { questions: [QUESTION] });
    const { id } = await open.pending();
    await end(open, id);
    const result = await asking;
    expect(result).toMatchObject({ structuredContent: { status: kind, ask_id: id, ...more } });
    expect(result.isError ?? false).toBe(false);
    if (kind !== "answered") expect(textOf(result)).not.toMatch(/person answered/);
  });

  it("ask for approval, and return the arguments that were approved", async () => {
    const { open, client } = await openHttp();
    const actions = ["deploy", "drop", "mail"].map((name) => ({ name, args: { to: "production" } }));
    const asking = client.call("ask_approval", { actions, context: "All **three**?" });
    const { id } = await open.pending();
    const decisions = [
      { action: "a1", kind: "approve" },
      { action: "a2", kind: "edit", args: { to: "staging" } },
      { action: "a3", kind: "reject", message: "Not on a Friday" },
    ] as const;
    await open.hub.decide(id, { decisions }, ana);
    expect((await asking).structuredContent).toMatchObject({
      status: "decided",
      decisions: [
        { action: "deploy", decision: "approve", args: { to: "production" } },
        { action: "drop", decision: "edit", args: { to: "staging" } },
        { action: "mail", decision: "reject", message: "Not on a Friday" },
      ],
    });
  });

  it.each([
    ["nothing besides", {}, {}, undefined],
    ["a description", { description: "Deploys it" }, {}, true],
    ["a context", {}, { context: "The tests pass." }, true],
  ])(
    "offered to remember an action with words that a model writes anew each time: %s",
    async (_what, more, besides, once) => {
      const { open, client } = await openHttp();
      client.call("ask_approval", { actions: [{ name: "deploy", ...more }], ...besides }).catch(() => {});
      const { approval } = await open.hub.get((await open.pending()).id);
      expect(approval?.actions[0]?.once).toBe(once);
    },
  );

  it("post a question, list it, fetch its answer, and withdraw another", async () => {
    const { open, client } = await openHttp();
    const posted = await client.call("post_question", { questions: [QUESTION] });
    const id = String(posted.structuredContent?.ask_id);
    const other = await client.call("post_question", { questions: [{ ...QUESTION, question: "Other?" }] });
    const list = await client.call("list_pending", {});
    expect(list.structuredContent).toMatchObject({ pending: [{ question: "Other?" }, { ask_id: id }] });
    expect(
      (await client.call("get_answer", { ask_id: id, wait_seconds: 0 })).structuredContent,
    ).toMatchObject({
      status: "pending",
    });
    await open.hub.answer(id, pick("o1"), ana);
    expect((await client.call("get_answer", { ask_id: id })).structuredContent).toMatchObject({
      status: "answered",
    });
    const otherId = other.structuredContent?.ask_id;
    await client.call("withdraw_question", { ask_id: otherId, reason: "done" });
    expect((await open.hub.get(String(otherId))).outcome).toEqual({ kind: "withdrawn", reason: "done" });
    const late = await client.call("withdraw_question", { ask_id: id });
    expect(late.structuredContent).toMatchObject({ status: "answered" });
    expect((await client.call("get_answer", { ask_id: "ask_none" })).isError).toBe(true);
  });

  it("return pending before the client's limit, without an error", async () => {
    const { client } = await openHttp({ waitMs: 50 });
    const result = await client.call("ask_user_question", { questions: [QUESTION] });
    expect(result).toMatchObject({ structuredContent: { status: "pending" } });
    expect(result.isError ?? false).toBe(false);
    expect(textOf(result)).toContain("get_answer");
  });

  it("send progress at once to a client that wants it", async () => {
    const { open, client } = await openHttp();
    const messages: string[] = [];
    const asking = client.call(
      "ask_user_question",
      { questions: [QUESTION] },
      {
        onprogress: ({ message }) => void messages.push(message ?? ""),
      },
    );
    const { id } = await open.pending();
    await until(() => messages.length > 0);
    expect(messages[0]).toContain("Waiting for a person");
    await open.hub.answer(id, pick("o1"), ana);
    await asking;
  });

  it("ask once for a call that Claude Code sends twice, and anew for the next call with the same question", async () => {
    const { open, client } = await openHttp();
    const args = { questions: [QUESTION] };
    const meta = (id: string) => ({ meta: { "claudecode/toolUseId": id } });
    const first = client.call("ask_user_question", args, meta("toolu_1"));
    await open.pending();
    const repeated = client.call("ask_user_question", args, meta("toolu_1"));
    const parallel = client.call("ask_user_question", args, meta("toolu_2"));
    const asks = await until(async () => {
      const { asks: found } = await open.hub.list();
      return found.length === 2 ? found : undefined;
    });
    for (const { id } of asks) await open.hub.answer(id, pick("o1"), ana);
    const ids = (await Promise.all([first, repeated, parallel])).map((it) => it.structuredContent?.ask_id);
    expect(ids[0]).toBe(ids[1]);
    expect(ids[2]).not.toBe(ids[0]);
  });

  it("gave the ask of one session to another that asked the same, and of one tool use to the next", async () => {
    const open = await openMcp({ waitMs: 1 });
    const [client, other] = [await open.connect("1.32", "HTTP"), await open.connect("1.32", "HTTP")];
    const ask = async (from: McpClient, toolUse?: string) => {
      const meta = toolUse === undefined ? {} : { meta: { "claudecode/toolUseId": toolUse } };
      return (await from.call("ask_user_question", { questions: [QUESTION] }, meta)).structuredContent
        ?.ask_id;
    };
    const first = await ask(client);
    expect(await ask(client)).toBe(first);
    expect(await ask(other)).not.toBe(first);
    const used = await ask(client, "toolu_1");
    expect(await ask(client, "toolu_1")).toBe(used);
    expect([first, used]).not.toContain(await ask(client, "toolu_2"));
  });

  it("ask an honest second Continue? again, without an id of the call", async () => {
    const { open, client } = await openHttp();
    const ids = [];
    for (const choice of ["o1", "o2"]) {
      const asking = client.call("ask_user_question", { questions: [QUESTION] });
      const { id } = await open.pending();
      await open.hub.answer(id, pick(choice), ana);
      expect((await asking).structuredContent).toMatchObject({ answers: [{ choices: [{ id: choice }] }] });
      ids.push(id);
    }
    expect(new Set(ids).size).toBe(2);
  });

  it("show the person the client and its subagents", async () => {
    const { open, client } = await openHttp({ project: "/home/ana/shop" });
    const asking = client.call(
      "ask_user_question",
      { questions: [QUESTION] },
      {
        meta: { "askline/agentPath": ["reviewer"] },
      },
    );
    const ask = await open.pending();
    expect(ask).toMatchObject({ agentId: "test", agentPath: ["shop", "reviewer"], asker: "builder" });
    expect(ask.metadata).toMatchObject({ project: "/home/ana/shop", mcp: { tool: "ask_user_question" } });
    await open.hub.withdraw(ask.id);
    await asking;
  });

  it("decide on tool calls for claude -p: approve, edit, reject, and AskUserQuestion", async () => {
    const { open, client } = await openHttp();
    const prompt = async (tool_name: string, input: object, end: (ask: Ask) => Promise<unknown>) => {
      const asking = client.call("permission_prompt", {
        tool_name,
        input,
        tool_use_id: `toolu_${tool_name}`,
      });
      await end(await open.pending());
      return JSON.parse(textOf(await asking)) as unknown;
    };
    const decide = (decision: object) => (ask: Ask) =>
      open.hub.decide(ask.id, { decisions: [{ action: "a1", ...decision } as never] }, ana);
    const input = { command: "rm -rf build" };
    expect(await prompt("Bash", input, decide({ kind: "approve" }))).toEqual({
      behavior: "allow",
      updatedInput: input,
    });
    expect(await prompt("Edit", input, decide({ kind: "edit", args: { command: "ls" } }))).toEqual({
      behavior: "allow",
      updatedInput: { command: "ls" },
    });
    expect(await prompt("Write", input, decide({ kind: "reject", message: "no" }))).toMatchObject({
      behavior: "deny",
      message: expect.stringContaining('"no"'),
    });
    const questions = [{ ...QUESTION, multiSelect: false }];
    expect(
      await prompt("AskUserQuestion", { questions }, (ask) => open.hub.answer(ask.id, pick("o2"), ana)),
    ).toEqual({ behavior: "allow", updatedInput: { questions, answers: { "Which database?": "SQLite" } } });
  });

  it("need the token of an agent", async () => {
    const open = await openMcp();
    const post = (token: string | undefined) =>
      fetch(`${open.url}/mcp`, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
        },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
      });
    expect((await post(undefined)).status).toBe(401);
    expect((await post("askline_nonsense")).status).toBe(401);
    expect((await post(await open.token({ role: "person" }))).status).toBe(403);
  });
});

type Open = Awaited<ReturnType<typeof openMcp>>;

describe("how long a call waits", () => {
  it("stays below the limit of each client, with and without progress", () => {
    for (const { client, callMs, quietMs = callMs } of CLIENT_LIMITS) {
      const name =
        {
          Codex: "codex-mcp-client",
          "VS Code": "Visual Studio Code",
          "Gemini CLI": "gemini-cli-mcp-client",
          "Claude Code": "claude-code",
          "Claude Desktop": "claude-ai",
        }[client] ?? client;
      expect([client, waitOf({ client: name, hasProgress: true })]).toEqual([client, expect.any(Number)]);
      expect(waitOf({ client: name, hasProgress: true })).toBeLessThan(callMs);
      expect(waitOf({ client: name, hasProgress: false })).toBeLessThan(quietMs);
    }
    expect(waitOf({ client: "somebody", hasProgress: false })).toBeLessThan(50_000);
    expect(waitOf({ client: "somebody", hasProgress: true })).toBeUndefined();
  });

  it("takes a cancel for a withdrawal only if it is no timeout and comes clearly before the limit", () => {
    const somebody = { client: "somebody", hasProgress: false };
    const codex = { client: "codex-mcp-client", hasProgress: false };
    const cancel = new DOMException("This operation was aborted", "AbortError");
    expect(isWithdrawal("McpError: MCP error -32001: Request timed out", 10, somebody)).toBe(false);
    expect(isWithdrawal("TimeoutError: The operation was aborted due to timeout", 10, codex)).toBe(false);
    expect(isWithdrawal("AbortError: This operation was aborted", 10, somebody)).toBe(true);
    expect(isWithdrawal("the user stopped it", 295_000, codex)).toBe(false);
    expect(isWithdrawal(cancel, 10_000, codex)).toBe(true);
    expect(isWithdrawal(cancel, 10_000, somebody)).toBe(false);
    expect(isWithdrawal(new Error("Connection closed"), 10, codex)).toBe(false);
  });
});

/** Holds the timer that is set for this long, until `end` lets it end: no machine is too slow for what comes before. */
function holdTimer(milliseconds: number): { end(): void } {
  const { setTimeout: real } = globalThis;
  const held: (() => void)[] = [];
  const set = ((act: () => void, delay?: number, ...rest: []) => {
    if (delay === milliseconds) held.push(act);
    return real(delay === milliseconds ? () => undefined : act, delay, ...rest);
  }) as typeof setTimeout;
  const spy = vi.spyOn(globalThis, "setTimeout").mockImplementation(set);
  onTestFinished(() => spy.mockRestore());
  return {
    end() {
      for (const act of held.splice(0)) act();
    },
  };
}
