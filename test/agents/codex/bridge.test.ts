import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import type { CodexPort } from "../../../src/agents/codex/bridge.ts";
import { bridgeCodex } from "../../../src/agents/codex/index.ts";
import { openCodex } from "../../../src/cli/connect/codex-connection.ts";
import type { Ask, Clock } from "../../../src/index.ts";
import { fakeClock } from "../../../src/testing/index.ts";
import { openServer } from "../../client/real-server.ts";
import { watchAsks } from "../suite/next-ask.ts";
import { ANA, AWKWARD, BEN } from "../suite/samples.ts";
import { openAppServer, recorded, SECOND_THREAD, THREAD } from "./scripted-app-server.ts";

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

async function open({
  ask = {},
  clock,
  held,
}: {
  readonly ask?: object;
  readonly clock?: Clock;
  /** An outcome reaches the bridge only after this. */
  readonly held?: Promise<void>;
} = {}) {
  const server = await openServer();
  onTestFinished(() => server.close());
  const codex = await openAppServer();
  const warnings: string[] = [];
  let onWarning = (): void => undefined;
  const warn = (text: unknown): void => {
    warnings.push(String(text));
    onWarning();
  };
  const logger = { warn, error: () => undefined };
  /** The first warning. */
  const warned = (): Promise<string> =>
    new Promise((resolve) => {
      onWarning = () => {
        if (warnings[0] !== undefined) resolve(warnings[0]);
      };
      onWarning();
    });
  const agent = server.agent();
  const port: CodexPort = {
    ...agent,
    async wait(id, options) {
      const outcome = await agent.wait(id, options);
      await held;
      return outcome;
    },
  };
  /** Starts a bridge; returns how to end it as a kill would: nothing is said to anybody. */
  const bridge = async (): Promise<() => Promise<void>> => {
    const controller = new AbortController();
    let running: Promise<void> | undefined;
    await new Promise<void>((connected) => {
      running = bridgeCodex(port, {
        open: (signal) => openCodex(codex.url, signal),
        ...{ server: codex.url, signal: controller.signal, logger, ask },
        ...(clock !== undefined && { clock }),
        onConnected: () => connected(),
      });
    });
    const stop = async (): Promise<void> => {
      controller.abort();
      await running;
    };
    stops.push(stop);
    return stop;
  };
  const { hub } = server;
  const nextAsk = watchAsks(hub);
  const decide = (
    id: string,
    kind: "approve" | "reject",
    more: { readonly remember?: string; readonly message?: string } = {},
  ) => hub.decide(id, { decisions: [{ action: "a1", kind, ...more }] }, { by: ANA });
  return { hub, codex, bridge, nextAsk, warnings, warned, decide };
}

describe("an approval of Codex", () => {
  it.each(["humanCommand", "writeStdin"])("of a %s cannot be remembered", async (kind) => {
    const { codex, bridge, nextAsk } = await open();
    await bridge();
    codex.ask("command", { kind });
    expect((await nextAsk()).approval?.actions[0]?.once).toBe(true);
  });

  it("of a command is accepted once, by a rule of Codex, or declined; never edited", async () => {
    const { hub, codex, bridge, nextAsk, decide } = await open();
    await bridge();
    const id = codex.ask("command");
    const ask = await nextAsk();
    expect(ask).toMatchObject({
      ...{ agentId: "codex", agentPath: ["shop"], session: THREAD },
      metadata: { project: "/home/ana/shop" },
      approval: {
        actions: [
          {
            ...{ name: "Bash", description: "ok?", allow: ["approve", "reject"] },
            args: { command: "/bin/bash -lc 'touch a'", cwd: "/home/ana/shop" },
            rules: ["Codex: commands that start with touch a"],
          },
        ],
      },
    });
    const edited = { decisions: [{ action: "a1", kind: "edit" as const, args: { command: "ls" } }] };
    await expect(hub.decide(ask.id, edited, { by: ANA })).rejects.toMatchObject({ code: "invalid_answer" });
    await decide(ask.id, "approve");
    expect(await codex.result(id)).toEqual({ decision: "accept" });

    const second = codex.ask("command");
    await decide((await nextAsk()).id, "approve", { remember: "Codex: commands that start with touch a" });
    expect(await codex.result(second)).toEqual({
      decision: recorded.requests.command.params.availableDecisions[1],
    });
    const third = codex.ask("command");
    await decide((await nextAsk()).id, "reject");
    expect(await codex.result(third)).toEqual({ decision: "decline" });
    expect(codex.calls.some(({ method }) => method === "turn/steer")).toBe(false);
  });

  it("stood as decided without a word when Codex had taken the answer of its own terminal", async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { codex, bridge, nextAsk, decide, warned } = await open({ held });
    await bridge();
    const id = codex.ask("command");
    const ask = await nextAsk();
    await decide(ask.id, "reject");
    codex.resolveElsewhere(id);
    expect(await warned()).toBe(
      `what was decided in ${ask.id} had no effect: it came too late for Codex (answered in Codex, or no longer asked)`,
    );
    release();
    expect(codex.responses.size).toBe(0);
  });

  it.each([
    ["approve", "declined", "approval", "declined in Codex at the same time, and did not run"],
    ["reject", "completed", "rejection", "approved in Codex at the same time, and has run"],
  ] as const)(
    "stood as %s though Codex took the other answer, which its item shows: %s",
    async (kind, status, what, took) => {
      const { codex, bridge, nextAsk, decide, warned, warnings } = await open();
      await bridge();
      const end = (id: number, item: object): void => {
        const params = { threadId: THREAD, item: { type: "commandExecution", id: `call_${id}`, ...item } };
        codex.tell(THREAD, { method: "item/completed", params });
      };
      // As the answers were: no warning.
      const first = codex.ask("command", { itemId: "call_0" });
      await decide((await nextAsk()).id, "approve");
      await codex.result(first);
      end(first, { status: "failed", exitCode: 1 });
      const second = codex.ask("command", { itemId: "call_1" });
      await decide((await nextAsk()).id, "reject");
      await codex.result(second);
      end(second, { status: "declined" });

      const third = codex.ask("command", { itemId: "call_2" });
      const ask = await nextAsk();
      await decide(ask.id, kind);
      await codex.result(third);
      end(third, { status });
      expect(await warned()).toBe(`the ${what} of ${ask.id} had no effect: it was ${took}`);
      expect(warnings).toHaveLength(1);
    },
  );

  it("tells the model why, in the running turn, before it is declined", async () => {
    const { hub, codex, bridge, nextAsk, decide } = await open();
    await bridge();
    const text = 'Use pnpm, "please"\nand no sudo';
    for (const end of [
      (id: string) => decide(id, "reject", { message: text }),
      (id: string) => hub.decline(id, text, { by: ANA }),
      (id: string) => hub.reply(id, text, { by: ANA }),
    ]) {
      codex.calls.length = 0;
      const id = codex.ask("command");
      await end((await nextAsk()).id);
      expect(await codex.result(id)).toEqual({ decision: "decline" });
      expect(codex.calls).toEqual([
        {
          method: "turn/steer",
          params: {
            threadId: THREAD,
            expectedTurnId: recorded.requests.command.params.turnId,
            input: [{ type: "text", text, text_elements: [] }],
          },
        },
      ]);
    }
  });

  it("of a file change shows the files, also to a bridge that came later; without them it is not asked", async () => {
    const { codex, bridge, nextAsk, decide, warnings } = await open();
    const id = codex.ask("fileChange", { threadId: THREAD });
    const kill = await bridge();
    const ask = await nextAsk();
    expect(ask.approval?.actions[0]).toMatchObject({
      ...{ name: "apply_patch", args: { files: [{ path: "/home/ana/out.txt", change: "add" }] } },
      rules: ["Codex: changes of these files, for the rest of the session"],
    });
    expect(ask.context).toContain('```diff\nhello, "world"');
    await kill();
    await bridge();
    await decide(ask.id, "approve", {
      remember: "Codex: changes of these files, for the rest of the session",
    });
    expect(await codex.result(id)).toEqual({ decision: "acceptForSession" });
    codex.ask("fileChange", { threadId: THREAD, itemId: "call_unknown" });
    codex.ask("command");
    expect((await nextAsk()).approval?.actions[0]?.name).toBe("Bash");
    expect(warnings).toEqual([
      expect.stringContaining("answer it in Codex: item/fileChange/requestApproval"),
    ]);
  });

  it("of permissions grants exactly what was asked, for the turn or the session, or nothing", async () => {
    const { codex, bridge, nextAsk, decide } = await open();
    await bridge();
    const { permissions } = recorded.requests.permissions.params;
    for (const [kind, remember, result] of [
      ["approve", undefined, { permissions, scope: "turn" }],
      ["approve", "Codex: these permissions, for the rest of the session", { permissions, scope: "session" }],
      ["reject", undefined, { permissions: {}, scope: "turn" }],
    ] as const) {
      const id = codex.ask("permissions");
      await decide((await nextAsk()).id, kind, remember === undefined ? {} : { remember });
      expect(await codex.result(id)).toEqual(result);
    }
  });

  it("of a tool of an MCP server is accepted, saved or declined", async () => {
    const { codex, bridge, nextAsk, decide } = await open();
    await bridge();
    for (const [kind, remember, result] of [
      ["approve", undefined, { action: "accept", content: null, _meta: null }],
      [
        "approve",
        "Codex: this tool, for the rest of the session",
        { action: "accept", content: null, _meta: { persist: "session" } },
      ],
      ["reject", undefined, { action: "decline", content: null, _meta: null }],
    ] as const) {
      const id = codex.ask("mcpTool");
      const ask = await nextAsk();
      expect(ask.approval?.actions[0]).toMatchObject({ name: "mcp__fake__ask_form", args: {} });
      await decide(ask.id, kind, remember === undefined ? {} : { remember });
      expect(await codex.result(id)).toEqual(result);
    }
  });
});

describe("questions of Codex", () => {
  it("are answered by label, by text and with notes; a skipped one is empty", async () => {
    const { hub, codex, bridge, nextAsk } = await open();
    await bridge();
    const id = codex.ask("userInput");
    const ask = await nextAsk();
    expect(ask).toMatchObject({ allowPartial: true });
    expect(ask.questions[0]).toMatchObject({
      ...{ id: "color", header: "Color", question: 'Which color, "exactly"?', freeText: true },
      options: [{ label: "Red, dark", description: "warm" }, { label: "Blue (Recommended)" }],
    });
    const answers = [{ question: "color", selected: ["o1"], note: "but, matt" }];
    await hub.answer(ask.id, { answers, note: "soon" }, { by: ANA });
    expect(await codex.result(id)).toEqual({
      answers: {
        color: { answers: ["Red, dark", "user_note: but, matt"] },
        size: { answers: ["user_note: soon"] },
      },
    });
    const second = codex.ask("userInput");
    const typed = [
      { question: "color", text: "S" },
      { question: "size", selected: ["S"] },
    ];
    await hub.answer((await nextAsk()).id, { answers: typed }, { by: ANA });
    expect(await codex.result(second)).toEqual({
      answers: { color: { answers: ["user_note: S"] }, size: { answers: ["S"] } },
    });
    const third = codex.ask("userInput");
    const one = [{ question: "size", selected: ["o2"] }];
    await hub.answer((await nextAsk()).id, { answers: one }, { by: ANA });
    expect(await codex.result(third)).toEqual({
      answers: { color: { answers: [] }, size: { answers: ["L"] } },
    });
  });

  it("keep a label with a comma, a quote and a newline whole", async () => {
    const { hub, codex, bridge, nextAsk } = await open();
    await bridge();
    const [question] = recorded.requests.userInput.params.questions;
    const options = [AWKWARD, "Green"].map((label) => ({ label, description: "" }));
    const id = codex.ask("userInput", { questions: [{ ...question, options, isOther: false }] });
    const ask = await nextAsk();
    expect([ask.questions[0]?.freeText, ask.allowPartial]).toEqual([false, false]);
    await hub.answer(ask.id, { answers: [{ question: "color", selected: [AWKWARD] }] }, { by: ANA });
    expect(await codex.result(id)).toEqual({ answers: { color: { answers: [AWKWARD] } } });
  });

  it("that are declined have no answers, and what the person said goes to the turn", async () => {
    const { hub, codex, bridge, nextAsk } = await open();
    await bridge();
    const id = codex.ask("userInput");
    await hub.reply((await nextAsk()).id, "Let us talk first.", { by: ANA });
    expect(await codex.result(id)).toEqual({ answers: {} });
    expect(await codex.called("turn/steer")).toMatchObject({ input: [{ text: "Let us talk first." }] });
  });

  it("stay in Codex if they are secret, broken, too many, or of an unknown kind", async () => {
    const { codex, bridge, nextAsk, warnings, hub } = await open();
    await bridge();
    const [question] = recorded.requests.userInput.params.questions;
    const twins = [1, 2].map(() => ({ label: "Same", description: "" }));
    const left = [
      codex.ask("userInput", { questions: [{ ...question, isSecret: true }] }),
      codex.ask("userInput", { questions: [{ ...question, options: twins }] }),
      codex.ask("userInput", { questions: "none" }),
      codex.ask("form", { mode: "url", url: "https://example.com" }),
      codex.ask("form", { serverName: "askline" }),
      codex.ask("mcpTool", { _meta: { codex_approval_kind: "something_new" } }),
      codex.ask("command", { kind: "somethingNew" }),
      codex.ask("command", { availableDecisions: ["acceptForSession", "cancel"] }),
      codex.ask("command", { command: "x".repeat(70_000) }),
      codex.ask("command", { reason: "x".repeat(9_000) }),
      codex.ask("form", { message: "x".repeat(70_000) }),
      codex.ask("mcpTool", { serverName: "x".repeat(300) }),
      codex.ask("permissions", { permissions: null }),
    ];
    const unknown = { id: 99, method: "item/new/request", params: { threadId: THREAD } };
    codex.tell(THREAD, unknown);
    const last = codex.ask("command");
    await nextAsk();
    // What the server refuses is reported after its response.
    await expect.poll(() => warnings).toHaveLength(left.length + 1);
    expect((await hub.list({})).asks).toHaveLength(1);
    expect(left.map((id) => codex.responses.get(id))).toEqual(left.map(() => undefined));
    expect(codex.responses.get(last)).toBeUndefined();
  });

  it("of an MCP server's form are answered, several at once too, and asked again if they do not fit", async () => {
    const { hub, codex, bridge, nextAsk } = await open();
    await bridge();
    const schema = {
      ...recorded.requests.form.params.requestedSchema,
      properties: {
        ...recorded.requests.form.params.requestedSchema.properties,
        parts: {
          type: "array",
          items: {
            anyOf: [
              { const: "a", title: 'A, "1"' },
              { const: "b", title: "B" },
            ],
          },
        },
      },
    };
    const id = codex.ask("form", { requestedSchema: schema });
    const ask = await nextAsk();
    expect(ask.context).toBe("**fake** asks: Your name?");
    const named = (title: string) => ask.questions.find(({ header }) => header === title)?.id ?? "";
    const rest = [
      { question: named("Name"), text: "Ana" },
      { question: named("pick"), selected: ["o1"] },
      { question: named("parts"), selected: ["o2", "o1"] },
    ];
    await hub.answer(ask.id, { answers: [{ question: named("n"), text: "zero" }, ...rest] }, { by: ANA });
    const again = await nextAsk();
    expect(again.context).toContain('"zero" is not a whole number');
    await hub.answer(again.id, { answers: [{ question: named("n"), text: "3" }, ...rest] }, { by: ANA });
    expect(await codex.result(id)).toEqual({
      ...{ action: "accept", content: { n: 3, name: "Ana", pick: "a", parts: ["a", "b"] }, _meta: null },
    });
    const declined = codex.ask("form");
    await hub.decline((await nextAsk()).id, undefined, { by: ANA });
    expect(await codex.result(declined)).toEqual({ action: "decline", content: null, _meta: null });
  });

  it("of a form went back as accept {} when every field was skipped, or there was none", async () => {
    const { hub, codex, bridge, nextAsk } = await open();
    await bridge();
    const optional = { type: "object", properties: { name: { type: "string" }, size: { enum: ["s", "l"] } } };
    const skipped = codex.ask("form", { requestedSchema: optional });
    const { id, questions } = await nextAsk();
    const answers = questions.map((each) => ({ question: each.id, skipped: true as const }));
    await hub.answer(id, { answers }, { by: ANA });
    expect(await codex.result(skipped)).toEqual({ action: "decline", content: null, _meta: null });
    for (const [kind, expected] of [
      ["approve", { action: "accept", content: {}, _meta: null }],
      ["reject", { action: "decline", content: null, _meta: null }],
    ] as const) {
      const empty = codex.ask("form", { requestedSchema: { type: "object", properties: {} } });
      const decision = { action: "askline/confirm", kind };
      await hub.decide((await nextAsk()).id, { decisions: [decision] }, { by: ANA });
      expect(await codex.result(empty)).toEqual(expected);
    }
  });
});

describe("the bridge to Codex", () => {
  it("sends the winner of two racing answers once, and does not mix two requests", async () => {
    const { hub, codex, bridge, nextAsk } = await open();
    await bridge();
    const ids = [codex.ask("command"), codex.ask("commandAgain")];
    const asks = [await nextAsk(), await nextAsk()];
    const winners = await Promise.all(
      asks.map(async ({ id }) => {
        const decisions = (kind: "approve" | "reject") => ({ decisions: [{ action: "a1", kind }] });
        const attempts = await Promise.allSettled([
          hub.decide(id, decisions("approve"), { by: ANA }),
          hub.decide(id, decisions("reject"), { by: BEN }),
        ]);
        expect(attempts.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
        return attempts[0]?.status === "fulfilled" ? "accept" : "decline";
      }),
    );
    const commandOf = (ask: Ask | undefined) => ask?.approval?.actions[0]?.args.command;
    const first = asks.findIndex((ask) => commandOf(ask) === "/bin/bash -lc 'touch a'");
    expect(commandOf(asks[1 - first])).toBe("/bin/bash -lc 'touch p2'");
    const [one = -1, two = -1] = ids;
    expect(await codex.result(one)).toEqual({ decision: winners[first] });
    expect(await codex.result(two)).toEqual({ decision: winners[1 - first] });
    expect([codex.responses.get(one), codex.responses.get(two)].map((each) => each?.length)).toEqual([1, 1]);
  });

  it("withdraws what was answered in Codex, and what an interrupted turn asked", async () => {
    const { hub, codex, bridge, nextAsk } = await open();
    await bridge();
    const id = codex.ask("command");
    const answered = await nextAsk();
    codex.resolveElsewhere(id);
    expect(await hub.wait(answered.id)).toEqual({
      ...{ kind: "withdrawn", reason: "answered in Codex, or no longer asked" },
    });
    const second = codex.ask("userInput");
    const interrupted = await nextAsk();
    codex.interrupt(second);
    expect(await hub.wait(interrupted.id)).toEqual({ kind: "withdrawn", reason: "the turn ended in Codex" });
    expect(codex.responses.size).toBe(0);
  });

  it("leaves asks that expire to Codex", async () => {
    const { hub, codex, bridge, nextAsk } = await open({ ask: { timeoutMs: 150 } });
    await bridge();
    for (const kind of ["command", "userInput", "form"] as const) {
      codex.ask(kind);
      expect(await hub.wait((await nextAsk()).id)).toEqual({ kind: "expired" });
    }
    expect(codex.responses.size).toBe(0);
  });

  it("finds prompts from before it started, and asks that were answered after the last process died", async () => {
    const { hub, codex, bridge, nextAsk, decide } = await open();
    const id = codex.ask("command");
    const kill = await bridge();
    const ask = await nextAsk();
    await kill();
    expect((await hub.get(ask.id)).status).toBe("pending");
    await decide(ask.id, "approve");
    await bridge();
    expect(await codex.result(id)).toEqual({ decision: "accept" });
    expect((await hub.list({})).asks.map((each) => each.id)).toEqual([ask.id]);
  });

  it("closes what was answered in Codex while no bridge ran, and nothing else", async () => {
    const { hub, codex, bridge, nextAsk, decide } = await open();
    const gone = codex.ask("command");
    const elsewhere = codex.ask("command", { threadId: SECOND_THREAD });
    const kill = await bridge();
    const asks = [await nextAsk(), await nextAsk()];
    await kill();
    codex.forget(gone);
    await bridge();
    const first = asks.find(({ session }) => session === THREAD)?.id ?? "";
    const second = asks.find(({ session }) => session === SECOND_THREAD)?.id ?? "";
    expect(await hub.wait(first)).toMatchObject({ kind: "withdrawn" });
    expect((await hub.get(second)).status).toBe("pending");
    await decide(second, "reject");
    expect(await codex.result(elsewhere)).toEqual({ decision: "decline" });
  });

  it("follows a new thread from its first turn, and connects again after an outage", async () => {
    const { codex, bridge, nextAsk, decide, warnings } = await open();
    await bridge();
    codex.newThread();
    const id = codex.ask("command", { threadId: SECOND_THREAD });
    await decide((await nextAsk()).id, "approve");
    expect(await codex.result(id)).toEqual({ decision: "accept" });
    const before = codex.ask("command");
    const ask = await nextAsk();
    codex.drop();
    await decide(ask.id, "approve");
    expect(await codex.result(before)).toEqual({ decision: "accept" });
    expect(warnings).toEqual([expect.stringContaining("Codex cannot be reached, trying again")]);
  });

  it("tries again with an app-server that answers nothing", async () => {
    const clock = fakeClock();
    const { codex, bridge, warnings } = await open({ clock });
    codex.beSilent(true);
    let isConnected = false;
    const connecting = bridge().then(() => {
      isConnected = true;
    });
    await codex.called("initialize");
    while (warnings.length === 0) await clock.advance(10_000);
    expect(warnings[0]).toContain("no response to initialize within 10 s");
    codex.beSilent(false);
    while (!isConnected) {
      await clock.advance(10_000);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await connecting;
  });
});
