// The handlers of a Copilot session, with the real runtime and a model on this machine.
import type { CopilotSession, ElicitationParams, SessionConfig } from "@github/copilot-sdk";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type AsklineOptions, askline } from "../../src/agents/frameworks/copilot/index.ts";
import type { PermissionRequest } from "../../src/agents/frameworks/copilot/permission.ts";
import { createHub, type Hub, memoryStore } from "../../src/hub/index.ts";
import type { Ask, Resolver } from "../../src/index.ts";
import { type CopilotRuntime, copilotRuntime, type ModelCall } from "./drivers/copilot.ts";
import { watchAsks } from "./suite/next-ask.ts";
import { ANA, AWKWARD } from "./suite/samples.ts";

describe("Copilot: the handlers of a session", () => {
  let runtime: CopilotRuntime;
  let hub: Hub;
  let nextAsk: () => Promise<Ask>;
  const messages: string[] = [];

  beforeAll(() => {
    runtime = copilotRuntime();
  });
  afterAll(() => runtime.close());
  beforeEach(async () => {
    hub = await createHub({ store: memoryStore() });
    nextAsk = watchAsks(hub);
    messages.length = 0;
  });
  afterEach(() => hub.close());

  const pick = (ask: Ask, selected: string, by = ANA) =>
    hub.answer(ask.id, { answers: [{ question: "q1", selected: [selected] }] }, { by });

  interface Running {
    /** What the model reads about the first call. */
    readonly read: Promise<string | undefined>;
    readonly session: Promise<CopilotSession>;
  }

  /** Lets the model make the calls, in a session with the handlers. */
  function run(
    calls: readonly (Omit<ModelCall, "id"> & { readonly id?: string })[],
    options: AsklineOptions = {},
    config: Partial<SessionConfig> = {},
    resolver: Resolver = hub,
  ): Running {
    const numbered = calls.map((call, index) => ({ id: `call_${index + 1}`, ...call }));
    let started: (session: CopilotSession) => void = () => undefined;
    const session = new Promise<CopilotSession>((resolve) => {
      started = resolve;
    });
    const handlers = askline(resolver, { onMessage: (text) => messages.push(text), ...options });
    const reading = runtime.run(numbered, { ...handlers, ...config }, started);
    return { session, read: reading.then((all) => all.call_1) };
  }
  const asking = (input: object = { question: "Which colour?", choices: ["Red", "Green"] }) => ({
    name: "ask_user",
    input,
  });
  const shell = { name: "bash", input: { command: "echo one > one.txt", description: "Write a file" } };

  describe("a question of ask_user", () => {
    it("offers its choices in the session of the runtime; a pick is what the model reads", async () => {
      const { read, session } = run([asking()]);
      const ask = await nextAsk();
      expect(ask.session).toBe((await session).sessionId);
      expect(ask.questions).toMatchObject([
        { question: "Which colour?", freeText: true, options: [{ label: "Red" }, { label: "Green" }] },
      ]);
      await pick(ask, "o2");
      expect(await read).toBe("User selected: Green");
    });

    it("keeps a label with a comma, a quote and a newline whole, and typed text, and a note", async () => {
      const awkward = run([asking({ question: "Which?", choices: [AWKWARD, "Green"] })]);
      await pick(await nextAsk(), "o1");
      expect(await awkward.read).toBe(`User selected: ${AWKWARD}`);
      const typed = run([asking()]);
      await hub.answer((await nextAsk()).id, { answers: [{ question: "q1", text: "Blue" }] }, { by: ANA });
      expect(await typed.read).toBe("User responded: Blue");
      const noted = run([asking()]);
      const answers = [{ question: "q1", selected: ["o1"], note: "not too dark" }];
      await hub.answer((await nextAsk()).id, { answers }, { by: ANA });
      expect(await noted.read).toBe("User responded: Red\nnot too dark");
    });

    it("without choices, or with more than can be offered, is answered with text", async () => {
      const open = run([asking({ question: "What is its name?" })]);
      await hub.answer((await nextAsk()).id, { answers: [{ question: "q1", text: "Lan" }] }, { by: ANA });
      expect(await open.read).toBe("User responded: Lan");
      const choices = Array.from({ length: 60 }, (_, index) => `Choice ${index}`);
      const many = run([asking({ question: "Which?", choices })]);
      const ask = await nextAsk();
      expect(ask.context).toContain("- Choice 59");
      await hub.answer(ask.id, { answers: [{ question: "q1", text: "Choice 59" }] }, { by: ANA });
      expect(await many.read).toBe("User selected: Choice 59");
    });

    it.each<[string, (id: string) => Promise<unknown>, string]>([
      ["declined", (id) => hub.decline(id, "not my call", { by: ANA }), "not my call"],
      ["replied", (id) => hub.reply(id, "What is it for?", { by: ANA }), "What is it for?"],
      ["withdrawn", (id) => hub.withdraw(id), "withdr"],
    ])("that is %s is no answer: the model reads what happened", async (_name, end, words) => {
      const { read } = run([asking()]);
      await end((await nextAsk()).id);
      const text = await read;
      expect(text).toContain(words);
      expect(text).not.toContain("selected");
    });

    it("expires at the deadline of the host", async () => {
      expect(await run([asking()], { ask: { timeoutMs: 40 } }).read).toContain("before the deadline");
    });

    it("is withdrawn when the turn is aborted", async () => {
      const { read, session } = run([asking()]);
      const { id } = await nextAsk();
      await (await session).abort();
      await read;
      expect(await hub.wait(id)).toMatchObject({ kind: "withdrawn" });
    });

    it("stays pending when the session disconnects", async () => {
      const { read, session } = run([asking()]);
      read.catch(() => undefined);
      const { id } = await nextAsk();
      await (await session).disconnect();
      expect((await hub.get(id)).status).toBe("pending");
    });
  });

  describe("a permission request", () => {
    it.each([
      ["approve", "exit code 0"],
      ["reject", "not on a Friday"],
    ] as const)("is an approval without edits: %s", async (kind, text) => {
      const { read } = run([shell]);
      const ask = await nextAsk();
      expect(ask.approval?.actions).toMatchObject([
        { name: "shell", args: { command: "echo one > one.txt" }, description: "Write a file" },
      ]);
      const edited = { decisions: [{ action: "a1", kind: "edit" as const, args: {} }] };
      await expect(hub.decide(ask.id, edited, { by: ANA })).rejects.toMatchObject({ code: "invalid_answer" });
      const message = kind === "reject" ? { message: "not on a Friday" } : {};
      await hub.decide(ask.id, { decisions: [{ action: "a1", kind, ...message }] }, { by: ANA });
      expect(await read).toContain(text);
    });

    it("that is declined is rejected with the words; one that expires is not a rejection", async () => {
      const declined = run([shell]);
      await hub.decline((await nextAsk()).id, "ask me tomorrow", { by: ANA });
      expect(await declined.read).toContain("ask me tomorrow");
      expect(await run([shell], { ask: { timeoutMs: 40 } }).read).toContain("could not request permission");
    });

    it("is withdrawn when the turn is aborted, and runs nothing", async () => {
      const { read, session } = run([shell]);
      const { id } = await nextAsk();
      await (await session).abort();
      await read;
      expect(await hub.wait(id)).toMatchObject({ kind: "withdrawn" });
    });

    it.each<[string, object, object]>([
      [
        "write",
        { kind: "write", fileName: "a.txt", diff: "-one\n+two", intention: "Edit" },
        { name: "write", args: { file: "a.txt" } },
      ],
      [
        "MCP tool",
        { kind: "mcp", serverName: "shop", toolName: "buy", args: { item: 1 } },
        { name: "shop: buy", args: { item: 1 } },
      ],
      [
        "address",
        { kind: "url", url: "https://example.com" },
        { name: "url", args: { url: "https://example.com" } },
      ],
      [
        "hook",
        { kind: "hook", toolName: "bash", toolArgs: { command: "x" }, hookMessage: "Sure?" },
        { name: "bash", args: { command: "x" }, description: "Sure?" },
      ],
      ["kind of the future", { kind: "teleport", to: "Huế" }, { name: "teleport", args: { to: "Huế" } }],
    ])("shows what it is about: a %s", async (_name, request, action) => {
      const { onPermissionRequest } = askline(hub);
      const response = onPermissionRequest(request as PermissionRequest, { sessionId: "s1" });
      const ask = await nextAsk();
      expect(ask.approval?.actions).toMatchObject([action]);
      if ("diff" in request) expect(ask.context).toContain("```diff\n-one\n+two\n```");
      await hub.decide(ask.id, { decisions: [{ action: "a1", kind: "approve" }] }, { by: ANA });
      expect(await response).toEqual({ kind: "approve-once", approvedInteractively: true });
    });

    it.each([
      ["arguments", { kind: "mcp", serverName: "shop", toolName: "buy", args: { item: "x".repeat(70_000) } }],
      ["a name", { kind: "custom-tool", toolName: "x".repeat(300) }],
      ["a difference", { kind: "write", fileName: "a", diff: "+".repeat(70_000) }],
      ["an intention", { kind: "shell", fullCommandText: "ls", intention: "x".repeat(9_000) }],
    ])("that is too long to be shown whole is not asked here: %s", async (_what, request) => {
      const { onPermissionRequest } = askline(hub);
      expect(await onPermissionRequest(request as PermissionRequest, { sessionId: "s1" })).toEqual({
        kind: "user-not-available",
      });
      expect((await hub.list({})).asks).toEqual([]);
    });

    it("to write what is not shown cannot be remembered", async () => {
      const { onPermissionRequest } = askline(hub);
      const request = { kind: "write", fileName: "a" } as PermissionRequest;
      const response = onPermissionRequest(request, { sessionId: "s1" });
      const ask = await nextAsk();
      expect(ask.approval?.actions[0]?.once).toBe(true);
      await hub.withdraw(ask.id);
      await response;
    });

    it.each([
      ["command", { kind: "shell", fullCommandText: "npm test", commands: [], possiblePaths: [] }],
      ["write", { kind: "write", fileName: "a", diff: "-one\n+two" }],
      ["address", { kind: "url", url: "https://example.com" }],
    ])("to leave the sandbox was shown and remembered like any other %s", async (_name, fields) => {
      const leaving = { requestSandboxBypass: true, requestSandboxBypassReason: "needs the network" };
      const { onPermissionRequest } = askline(hub);
      const request = { ...fields, ...leaving } as PermissionRequest;
      const response = onPermissionRequest(request, { sessionId: "s1" });
      const ask = await nextAsk();
      expect(ask.approval?.actions).toMatchObject([{ args: leaving, once: true }]);
      await hub.withdraw(ask.id);
      await response;
    });

    it("shows the folder of a command, and compares it", async () => {
      const { onPermissionRequest } = askline(hub);
      const asked = (resolvedWorkingDirectory: string) =>
        onPermissionRequest(
          { kind: "shell", fullCommandText: "make", resolvedWorkingDirectory } as PermissionRequest,
          { sessionId: "s1" },
        );
      const first = asked("/shop");
      const decisions = [{ action: "a1", kind: "approve" as const, remember: "session" }];
      await hub.decide((await nextAsk()).id, { decisions }, { by: ANA });
      expect(await first).toMatchObject({ kind: "approve-once" });
      expect(await asked("/shop")).toMatchObject({ kind: "approve-once", approvedInteractively: false });
      const elsewhere = asked("/tmp/evil");
      const ask = await nextAsk();
      expect(ask.approval?.actions[0]?.args).toMatchObject({ resolvedWorkingDirectory: "/tmp/evil" });
      await hub.withdraw(ask.id);
      await elsewhere;
    });

    it("under a managed policy is given by a person only, never by a rule", async () => {
      const by = { kind: "policy", name: "rule", madeBy: "ana" } as const;
      const rule: Resolver = {
        ask: async () => ({ kind: "decided", decisions: [{ action: "a1", kind: "approve" }], by }),
      };
      const { onPermissionRequest } = askline(rule);
      const request = { kind: "shell", fullCommandText: "ls" };
      const invocation = { sessionId: "s1" };
      expect(await onPermissionRequest(request as PermissionRequest, invocation)).toEqual({
        kind: "approve-once",
        approvedInteractively: false,
      });
      const managed = { ...request, managedApprovalRequired: true };
      expect(await onPermissionRequest(managed as PermissionRequest, invocation)).toEqual({
        kind: "user-not-available",
      });
    });
  });

  describe("a tool that a person approves", () => {
    const options = { approve: ["bash"] };

    it("runs with the arguments that the person edited, and no other permission is asked", async () => {
      const { read } = run([shell], options);
      const { id, approval } = await nextAsk();
      expect(approval?.actions).toMatchObject([{ name: "bash", args: shell.input }]);
      const args = { command: "echo edited", description: "Say it" };
      await hub.decide(id, { decisions: [{ action: "a1", kind: "edit", args }] }, { by: ANA });
      expect(await read).toContain("edited");
      expect((await hub.list({})).asks).toHaveLength(1);
    });

    it("does not run if it is rejected, expires, or nobody can be asked; the model reads why", async () => {
      const rejected = run([shell], options);
      const decisions = [{ action: "a1", kind: "reject" as const, message: "not on a Friday" }];
      await hub.decide((await nextAsk()).id, { decisions }, { by: ANA });
      expect(await rejected.read).toContain("not on a Friday");
      expect(await run([shell], { ...options, ask: { timeoutMs: 40 } }).read).toContain(
        "before the deadline",
      );
      const broken: Resolver = { ask: () => Promise.reject(new Error("the hub is closed")) };
      expect(await run([shell], options, {}, broken).read).toContain("the hub is closed");
    });
  });

  describe("a form", () => {
    const FORM: ElicitationParams["requestedSchema"] = {
      type: "object",
      properties: {
        colour: { type: "string", title: "Colour", enum: ["Red", "Green"] },
        parts: { type: "array", items: { type: "string", enum: ["Roof", "Door", "Wall"] } },
        days: { type: "integer", maximum: 9 },
        sure: { type: "boolean" },
      },
      required: ["colour", "days"],
    };

    /** A form goes through the runtime, back to the handler of the same session. */
    async function elicit(end: (ask: Ask) => Promise<unknown>, requestedSchema = FORM): Promise<unknown> {
      let result: unknown;
      const handlers = askline(hub, { onMessage: (text) => messages.push(text) });
      await runtime.run([], handlers, async (session) => {
        const shown = session.ui.elicitation({ message: "About the house", requestedSchema });
        await end(await nextAsk());
        result = await shown;
      });
      return result;
    }
    const answers = [
      { question: "q1", selected: ["o2"] },
      { question: "q2", selected: ["o1", "o3"] },
      { question: "q3", text: "9" },
      { question: "q4", skipped: true },
    ];

    it("is one question for each property; what does not fit is asked again", async () => {
      const result = await elicit(async (first) => {
        expect(first.context).toBe("About the house");
        const wrong = answers.map((answer) =>
          answer.question === "q3" ? { ...answer, text: "ten" } : answer,
        );
        await hub.answer(first.id, { answers: wrong }, { by: ANA });
        const second = await nextAsk();
        expect(second.context).toContain("Please correct");
        await hub.answer(second.id, { answers }, { by: ANA });
      });
      expect(result).toEqual({
        action: "accept",
        content: { colour: "Green", parts: ["Roof", "Wall"], days: 9 },
      });
    });

    it("is declined by a person, and cancelled without one; words go to the host", async () => {
      expect(await elicit(({ id }) => hub.decline(id, "too long", { by: ANA }))).toEqual({
        action: "decline",
      });
      expect(messages).toEqual(["too long"]);
      expect(await elicit(({ id }) => hub.withdraw(id))).toEqual({ action: "cancel" });
    });

    it("went back as accept {} when every field was skipped", async () => {
      const skipped = answers.map(({ question }) => ({ question, skipped: true as const }));
      expect(await elicit(({ id }) => hub.answer(id, { answers: skipped }, { by: ANA }))).toEqual({
        action: "decline",
      });
    });

    it("without fields is an approval, and only an approval accepts it", async () => {
      const requestedSchema = { type: "object", properties: {} };
      const decide = async (kind: "approve" | "reject") => {
        const { onElicitationRequest } = askline(hub);
        const result = onElicitationRequest({ sessionId: "s1", message: `Go on? ${kind}`, requestedSchema });
        const { id } = await nextAsk();
        await hub.decide(id, { decisions: [{ action: "askline/confirm", kind }] }, { by: ANA });
        return result;
      };
      expect(await decide("approve")).toEqual({ action: "accept", content: {} });
      expect(await decide("reject")).toEqual({ action: "decline" });
    });

    it.each<[string, object]>([
      ["a page to open", { mode: "url", url: "https://example.com" }],
      ["no schema", {}],
      ["a field that cannot be asked", { requestedSchema: { properties: { a: { type: "object" } } } }],
      ["choices that look alike", { requestedSchema: { properties: { a: { enum: ["x", "x"] } } } }],
    ])("with %s is cancelled, and nobody is asked", async (_name, fields) => {
      const { onElicitationRequest } = askline(hub);
      const result = await onElicitationRequest({ sessionId: "s1", message: "Well?", ...fields });
      expect(result).toEqual({ action: "cancel" });
      expect((await hub.list({})).asks).toEqual([]);
    });
  });
});
