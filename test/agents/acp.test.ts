import {
  type AgentContext,
  agent,
  type CreateElicitationRequest,
  type CreateElicitationResponse,
  client,
  methods,
  PROTOCOL_VERSION,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
} from "@agentclientprotocol/sdk";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { AcpHandlers } from "../../src/agents/acp/handlers.ts";
import { acpHandlers } from "../../src/agents/acp/index.ts";
import { createHub, type Hub, memoryStore } from "../../src/hub/index.ts";
import type { Ask } from "../../src/index.ts";
import { watchAsks } from "./suite/next-ask.ts";
import { ANA, AWKWARD, COLOUR, formSchema } from "./suite/samples.ts";

const OPTIONS: RequestPermissionRequest["options"] = [
  { optionId: "yes", name: "Yes", kind: "allow_once" },
  { optionId: "yes-always", name: "Yes, always", kind: "allow_always" },
  { optionId: "no", name: "No", kind: "reject_once" },
  { optionId: "no-never", name: "Never", kind: "reject_always" },
];
const ONCE = OPTIONS.filter(({ kind }) => kind.endsWith("once"));

function permission(
  fields: Partial<RequestPermissionRequest> & { readonly id?: string } = {},
): RequestPermissionRequest {
  const { id = "call_1", ...rest } = fields;
  return {
    sessionId: "s1",
    options: OPTIONS,
    toolCall: {
      toolCallId: id,
      title: `Deploy (${id})`,
      name: "deploy",
      rawInput: { target: "production" },
    },
    ...rest,
  };
}

function form(...schema: Parameters<typeof formSchema>): CreateElicitationRequest {
  return {
    mode: "form",
    sessionId: "s1",
    message: "About the house",
    requestedSchema: formSchema(...schema),
  } as CreateElicitationRequest;
}

describe("ACP, with an agent of the official SDK", () => {
  let hub: Hub;
  let nextAsk: () => Promise<Ask>;
  const closing: (() => unknown)[] = [];
  const messages: string[] = [];

  beforeEach(async () => {
    hub = await createHub({ store: memoryStore() });
    messages.length = 0;
    nextAsk = watchAsks(hub);
  });
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
    await hub.close();
  });

  interface Connected {
    readonly agent: AgentContext;
    readonly handlers: AcpHandlers;
    close(): void;
    permission(request?: RequestPermissionRequest, signal?: AbortSignal): Promise<RequestPermissionResponse>;
    elicit(request: CreateElicitationRequest): Promise<CreateElicitationResponse>;
  }

  async function connect(ask: { readonly timeoutMs?: number } = {}): Promise<Connected> {
    const handlers = acpHandlers(hub, {
      ask,
      cwd: "/home/ana/shop",
      onMessage: (text) => messages.push(text),
    });
    let context: AgentContext | undefined;
    const app = agent({ name: "scripted" })
      .onRequest("initialize", () => ({ protocolVersion: PROTOCOL_VERSION, agentCapabilities: {} }))
      .onConnect((connection) => {
        context = connection.client;
      });
    const connection = client({ name: "test" })
      .onRequest(methods.client.session.requestPermission, handlers.requestPermission)
      .onRequest(methods.client.elicitation.create, handlers.createElicitation)
      .onNotification(methods.client.session.update, handlers.sessionUpdate)
      .connect(app);
    closing.push(() => connection.close());
    await connection.agent.request("initialize", {
      protocolVersion: PROTOCOL_VERSION,
      clientCapabilities: handlers.capabilities,
    });
    if (context === undefined) throw new Error("the agent was not connected");
    const side = context;
    return {
      agent: side,
      handlers,
      close: () => connection.close(),
      permission: (request = permission(), signal) =>
        side.request(
          "session/request_permission",
          request,
          signal === undefined ? {} : { cancellationSignal: signal },
        ),
      elicit: (request) => side.request("elicitation/create", request),
    };
  }

  describe("a permission request", () => {
    it.each(OPTIONS.map((option, index) => [option.kind, index] as const))(
      "keeps its four options apart: %s",
      async (_kind, index) => {
        const { permission: request } = await connect();
        const response = request();
        const ask = await nextAsk();
        expect(ask).toMatchObject({
          metadata: { project: "/home/ana/shop", acp: { session: "s1" } },
          questions: [{ freeText: false, multiSelect: false }],
        });
        expect(ask.questions[0]?.question).toContain("Deploy (call_1)");
        expect(ask.questions[0]?.options.map(({ label }) => label)).toEqual(OPTIONS.map(({ name }) => name));
        expect(ask.context).toContain('"target": "production"');
        const selected = [`o${index + 1}`];
        await hub.answer(ask.id, { answers: [{ question: "q1", selected }] }, { by: ANA });
        expect(await response).toEqual({
          outcome: { outcome: "selected", optionId: OPTIONS[index]?.optionId },
        });
      },
    );

    it.each([
      ["approve", "yes"],
      ["reject", "no"],
    ] as const)("that can only be allowed or rejected once is an approval: %s", async (kind, optionId) => {
      const { permission: request } = await connect();
      const response = request(permission({ options: ONCE }));
      const ask = await nextAsk();
      expect(ask.approval?.actions).toMatchObject([
        { name: "deploy", args: { target: "production" }, allow: ["approve", "reject"] },
      ]);
      const edited = { decisions: [{ action: "a1", kind: "edit" as const, args: { target: "staging" } }] };
      await expect(hub.decide(ask.id, edited, { by: ANA })).rejects.toMatchObject({ code: "invalid_answer" });
      await hub.decide(ask.id, { decisions: [{ action: "a1", kind }] }, { by: ANA });
      expect(await response).toEqual({ outcome: { outcome: "selected", optionId } });
    });

    it("shows what the agent said about the tool call before, and its changes", async () => {
      const { agent: side, permission: request } = await connect();
      const base = { sessionId: "s1" };
      await side.notify("session/update", {
        ...base,
        update: {
          sessionUpdate: "tool_call",
          toolCallId: "call_1",
          title: "Edit a.txt",
          rawInput: { path: "a.txt" },
        },
      });
      const response = request({
        ...base,
        options: OPTIONS,
        toolCall: {
          toolCallId: "call_1",
          content: [{ type: "diff", path: "a.txt", oldText: "one\ntwo\nthree", newText: "one\n2\nthree" }],
        },
      });
      const ask = await nextAsk();
      expect(ask.questions[0]?.question).toContain("Edit a.txt");
      expect(ask.context).toContain('"path": "a.txt"');
      expect(ask.context).toContain("```diff\n one\n-two\n+2\n three\n```");
      await hub.decline(ask.id, undefined, { by: ANA });
      await response;
    });

    const plain = (toolCall: object): RequestPermissionRequest => ({
      ...{ sessionId: "s1", options: ONCE },
      toolCall: { toolCallId: "call_1", kind: "execute", ...toolCall },
    });

    it.each([
      ["a command of 300 characters", { title: `echo ${"x".repeat(300)}` }],
      ["a command of 9,000 characters", { title: `echo ${"x".repeat(9_000)}` }],
      ["a name and a title", { name: "y".repeat(300), title: `echo ${"x".repeat(300)}` }],
    ])(
      "cut commands at 256 characters, and approved the whole: %s is shown whole",
      async (_what, toolCall) => {
        const { permission: request } = await connect();
        for (const options of [ONCE, OPTIONS]) {
          const response = request({ ...plain(toolCall), options });
          const ask = await nextAsk();
          expect(JSON.stringify([ask.approval, ask.questions, ask.context])).toContain(toolCall.title);
          await hub.withdraw(ask.id);
          await response;
        }
      },
    );

    it("that does not fit is not asked, and nothing is approved", async () => {
      const { permission: request } = await connect();
      for (const options of [ONCE, OPTIONS]) {
        for (const toolCall of [
          { title: "x".repeat(70_000) },
          { title: "x", rawInput: "x".repeat(70_000) },
        ]) {
          await expect(request({ ...plain(toolCall), options })).rejects.toThrow("nothing was asked");
        }
      }
      const label = OPTIONS.map((option) => ({ ...option, name: `${option.name}${"x".repeat(1_000)}` }));
      await expect(request(permission({ options: label }))).rejects.toThrow("nothing was asked");
      expect((await hub.list({})).asks).toEqual([]);
    });

    it("with content that cannot be shown says so, and cannot be remembered", async () => {
      const { permission: request } = await connect();
      const image = { type: "image" as const, data: "AAAA", mimeType: "image/png" };
      const content = [{ type: "content" as const, content: image }];
      const response = request(plain({ title: "Send", content }));
      const ask = await nextAsk();
      expect([ask.context, ask.approval?.actions[0]?.once]).toEqual(["**Not shown here: image**", true]);
      await hub.withdraw(ask.id);
      await response;
    });

    it.each([
      ["a title", { title: "Edit a.ts", kind: "edit" }],
      ["a title and a name", { title: "Run the tests", name: "shell", content: [] }],
    ])("that says only %s cannot be remembered: anything may have it", async (_what, toolCall) => {
      const { permission: request } = await connect();
      const response = request(plain(toolCall));
      const ask = await nextAsk();
      expect(ask.approval?.actions[0]?.once).toBe(true);
      await hub.withdraw(ask.id);
      await response;
    });

    it("names the line of a change: the same words elsewhere in the file are another change", async () => {
      const { permission: request } = await connect();
      const contexts: (string | undefined)[] = [];
      const lines = Array.from({ length: 20 }, () => "same");
      for (const at of [5, 15]) {
        const newText = lines.with(at, "other").join("\n");
        const content = [{ type: "diff" as const, path: "a.txt", oldText: lines.join("\n"), newText }];
        const response = request(plain({ title: "Edit", toolCallId: `call_${at}`, content }));
        const ask = await nextAsk();
        contexts.push(ask.context);
        await hub.withdraw(ask.id);
        await response;
      }
      expect(contexts[0]).toContain("`a.txt`, from line 6");
      expect(contexts[1]).not.toBe(contexts[0]);
    });

    it("is rejected once, never for always, when a person declines or talks instead; the words are kept", async () => {
      const { permission: request } = await connect();
      const declined = request();
      await hub.decline((await nextAsk()).id, "not on a Friday", { by: ANA });
      expect(await declined).toEqual({
        outcome: { outcome: "selected", optionId: "no" },
        _meta: { "askline/message": "not on a Friday" },
      });
      const replied = request();
      await hub.reply((await nextAsk()).id, "Write a test first.", { by: ANA });
      expect((await replied).outcome).toEqual({ outcome: "selected", optionId: "no" });
      expect(messages).toEqual(["not on a Friday", "Write a test first."]);
      const harsh = request(permission({ options: OPTIONS.filter(({ kind }) => kind !== "reject_once") }));
      await hub.decline((await nextAsk()).id, undefined, { by: ANA });
      expect((await harsh).outcome).toEqual({ outcome: "cancelled" });
    });

    it("is cancelled, which is no rejection, when it expires", async () => {
      const { permission: request } = await connect({ timeoutMs: 30 });
      expect(await request()).toEqual({ outcome: { outcome: "cancelled" } });
    });

    it.each([
      ["the agent cancels its request", true],
      ["the client cancels the turn", false],
    ])("is withdrawn when %s", async (_name, byAgent) => {
      const { permission: request, handlers } = await connect();
      const controller = new AbortController();
      const response = request(permission(), controller.signal).catch((error: unknown) => error);
      const { id } = await nextAsk();
      if (byAgent) controller.abort();
      else handlers.cancel("s1");
      expect(await hub.wait(id)).toMatchObject({ kind: "withdrawn" });
      const answered = await response;
      if (!byAgent) expect(answered).toEqual({ outcome: { outcome: "cancelled" } });
    });

    it("does not mix with another at the same time", async () => {
      const { permission: request } = await connect();
      const first = request(permission({ id: "call_1" }));
      const second = request(permission({ id: "call_2" }));
      for (const ask of [await nextAsk(), await nextAsk()]) {
        const selected = [ask.questions[0]?.question.includes("call_2") ? "o4" : "o1"];
        await hub.answer(ask.id, { answers: [{ question: "q1", selected }] }, { by: ANA });
      }
      expect((await first).outcome).toMatchObject({ optionId: "yes" });
      expect((await second).outcome).toMatchObject({ optionId: "no-never" });
    });

    it("without options is refused, and nobody is asked", async () => {
      const { permission: request } = await connect();
      await expect(request(permission({ options: [] }))).rejects.toThrow(/nothing was asked/);
      expect((await hub.list({})).asks).toEqual([]);
    });

    it("tells options with the same name apart", async () => {
      const { permission: request } = await connect();
      const twins = OPTIONS.map((option) => ({ ...option, name: "Go" }));
      const response = request(permission({ options: twins }));
      const ask = await nextAsk();
      expect(new Set(ask.questions[0]?.options.map(({ label }) => label)).size).toBe(4);
      await hub.answer(ask.id, { answers: [{ question: "q1", selected: ["o3"] }] }, { by: ANA });
      expect((await response).outcome).toMatchObject({ optionId: "no" });
    });
  });

  describe("a form", () => {
    const PARTS = {
      type: "array",
      title: "Parts",
      items: { type: "string", enum: ["Roof", "Door"] },
      maxItems: 2,
    };

    it("has its choices, texts, numbers and flags answered", async () => {
      const { elicit } = await connect();
      const response = elicit(
        form({
          colour: COLOUR,
          parts: PARTS,
          name: { type: "string" },
          rooms: { type: "integer", minimum: 1 },
          garden: { type: "boolean" },
        }),
      );
      const ask = await nextAsk();
      expect(ask.context).toBe("About the house");
      expect(ask.questions[0]?.options[0]).toMatchObject({ label: AWKWARD, description: "warm" });
      expect(ask.questions[1]).toMatchObject({ multiSelect: true, maxPicks: 2 });
      const answers = [
        { question: "q1", selected: [AWKWARD] },
        { question: "q2", selected: ["o2", "o1"] },
        { question: "q3", text: 'Villa, "Ana"' },
        { question: "q4", text: " 4 " },
        { question: "q5", selected: ["o2"] },
      ];
      await hub.answer(ask.id, { answers }, { by: ANA });
      expect(await response).toEqual({
        action: "accept",
        content: { colour: "r", parts: ["Roof", "Door"], name: 'Villa, "Ana"', rooms: 4, garden: false },
      });
    });

    it("leaves out what was skipped", async () => {
      const { elicit } = await connect();
      const response = elicit(form({ colour: COLOUR, name: { type: "string" } }, ["colour"]));
      const { id } = await nextAsk();
      await hub.answer(id, { answers: [{ question: "q1", selected: ["o2"] }] }, { by: ANA });
      expect(await response).toEqual({ action: "accept", content: { colour: "g" } });
    });

    it("is declined by a person, and cancelled by time", async () => {
      const { elicit } = await connect();
      const declined = elicit(form({ colour: COLOUR }));
      await hub.decline((await nextAsk()).id, undefined, { by: ANA });
      expect(await declined).toEqual({ action: "decline" });
      const { elicit: short } = await connect({ timeoutMs: 30 });
      expect(await short(form({ shade: COLOUR }))).toEqual({ action: "cancel" });
    });

    it("went back as accept {} when every field was skipped", async () => {
      const { elicit } = await connect();
      const response = elicit(form({ colour: COLOUR, name: { type: "string" } }, ["colour"]));
      const answers = ["q1", "q2"].map((question) => ({ question, skipped: true as const }));
      await hub.answer((await nextAsk()).id, { answers, note: "ask Bo" }, { by: ANA });
      expect(await response).toEqual({ action: "decline", _meta: { "askline/message": "ask Bo" } });
    });

    it("without properties is an approval, and only an approval accepts it", async () => {
      const { elicit } = await connect();
      for (const [kind, expected] of [
        ["approve", { action: "accept", content: {} }],
        ["reject", { action: "decline" }],
      ] as const) {
        const response = elicit(form({}));
        const { id, approval, context } = await nextAsk();
        expect([context, approval?.actions[0]?.once]).toEqual(["About the house", true]);
        await expect(hub.answer(id, { answers: [] }, { by: ANA })).rejects.toThrow(/approval/);
        await hub.decide(id, { decisions: [{ action: "askline/confirm", kind }] }, { by: ANA });
        expect(await response).toEqual(expected);
      }
    });

    it.each([
      ["of an unknown type", form({ photo: { type: "_image" } })],
      [
        "with too many properties",
        form(Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`p${n}`, { type: "string" }]))),
      ],
      [
        "that is a page to open",
        { mode: "url", sessionId: "s1", message: "Sign in", elicitationId: "e1", url: "https://example.com" },
      ],
    ])("%s is refused, and nobody is asked", async (_name, request) => {
      const { elicit } = await connect();
      await expect(elicit(request as CreateElicitationRequest)).rejects.toThrow(/nothing was asked/);
      expect((await hub.list({})).asks).toEqual([]);
    });
  });
});
