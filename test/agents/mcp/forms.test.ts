// The client's own form as a surface: the official clients of both SDKs, whose handlers answer.

import { afterEach, describe, expect, it } from "vitest";
import { createStates } from "../../../src/agents/mcp/states.js";
import { closeServers, until } from "../../server/open-server.ts";
import { connectClient, type OnForm, openMcp, QUESTION, type Sdk, type Transport } from "./clients.ts";

afterEach(closeServers);

const ana = { by: { kind: "person", id: "ana", surface: "test" } } as const;
const reports = { reports: ["ana"] };
const BOTH: readonly [Sdk, Transport][] = [
  ["1.32", "stdio"],
  ["2.4", "stdio"],
  ["1.32", "HTTP"],
  ["2.4", "HTTP"],
];
const odd = 'Yes, "now",\nplease';

/** Resolves when the server closes the form. */
const never = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener("abort", () => reject(new Error("closed"))));

describe.each(BOTH)("in the form of a client of SDK %s over %s", (sdk, transport) => {
  it("single, multi, Other and an odd label are answered, after a correction, and reported", async () => {
    const open = await openMcp({ elicit: "only" }, reports);
    const messages: string[] = [];
    const client = await open.connect(sdk, transport, {
      args: ["--elicit"],
      onForm({ message, _meta }) {
        messages.push(message);
        expect(_meta).toMatchObject({
          "askline/ask": { questions: [{ question: "Which database?" }, {}, {}] },
        });
        const content = { q1_other: "MySQL", q2: ["o1", "o2"], q3: "o1" };
        return { action: "accept", content: messages.length === 1 ? { ...content, q1: "o2" } : content };
      },
    });
    const result = await client.call("ask_user_question", {
      questions: [
        QUESTION,
        { ...QUESTION, question: "Which features?", header: "Features", multiSelect: true },
        {
          ...QUESTION,
          question: "Ship it?",
          options: [
            { label: odd, description: "d" },
            { label: "No", description: "e" },
          ],
        },
      ],
    });
    expect(messages).toHaveLength(2);
    expect(messages[1]).toMatch(/^Please correct this:\n- DB: /);
    expect(result.structuredContent).toMatchObject({
      status: "answered",
      answers: [
        { choices: [], text: "MySQL" },
        { choices: [{ label: "PostgreSQL" }, { label: "SQLite" }] },
        { choices: [{ label: odd }] },
      ],
      answered_by: { kind: "person", id: "ana", surface: "mcp-form", reported_by: "builder" },
    });
    const [ask] = (await open.hub.list()).asks;
    expect(ask?.outcome).toMatchObject({ kind: "answered", by: { id: "ana", via: "builder" } });
  });

  it("a decline and a dismissal are told apart", async () => {
    const open = await openMcp({ elicit: "only" }, reports);
    const actions = ["decline", "cancel"];
    const client = await open.connect(sdk, transport, {
      args: ["--elicit"],
      onForm: () => ({ action: actions.shift() }),
    });
    const args = { questions: [QUESTION] };
    const declined = await client.call("ask_user_question", args);
    expect(declined.structuredContent).toMatchObject({ status: "declined", answered_by: { id: "ana" } });
    const closed = await client.call("ask_user_question", args);
    expect(closed.structuredContent).toMatchObject({
      status: "withdrawn",
      reason: expect.stringContaining("closed the form"),
    });
    expect(closed.isError ?? false).toBe(false);
  });

  it("a race is won by the inbox", async () => {
    const open = await openMcp({ elicit: "race" }, reports);
    let isShown = false;
    let isClosed = false;
    let finish = (): void => undefined;
    const client = await open.connect(sdk, transport, {
      args: ["--race"],
      async onForm(_form, signal) {
        isShown = true;
        const late = new Promise<object>((resolve) => {
          finish = () => resolve({ action: "accept", content: { q1: "o2" } });
        });
        return Promise.race([
          late,
          never(signal).finally(() => {
            isClosed = true;
          }),
        ]);
      },
    });
    const asking = client.call("ask_user_question", { questions: [QUESTION] });
    await until(() => isShown);
    const [ask] = (await open.hub.list({ status: "pending" })).asks;
    await open.hub.answer(ask?.id ?? "", { answers: [{ question: "q1", selected: ["o1"] }] }, ana);
    // Since 2026-07-28 a server cannot close a form: what it returns later does not count.
    if (sdk === "1.32") await until(() => isClosed);
    else finish();
    expect((await asking).structuredContent).toMatchObject({
      ask_id: ask?.id,
      answers: [{ choices: [{ id: "o1" }] }],
      answered_by: { id: "ana", surface: "test" },
    });
  });
});

describe("the client's own form", () => {
  const open2 = async (onForm: OnForm, options: Parameters<typeof openMcp>[0] = {}, token = reports) => {
    const open = await openMcp({ elicit: "only", ...options }, token);
    return { open, client: await open.connect("2.4", "HTTP", { onForm }) };
  };
  const first: OnForm = () => ({ action: "accept", content: { q1: "o1" } });

  it("ends the ask as answered elsewhere without the right to report, and the model still gets the answer", async () => {
    const { open, client } = await open2(first, {}, {} as typeof reports);
    const result = await client.call("ask_user_question", { questions: [QUESTION] });
    expect(result.structuredContent).toMatchObject({
      status: "answered",
      answers: [{ choices: [{ id: "o1" }] }],
    });
    const [ask] = (await open.hub.list()).asks;
    expect(ask?.outcome).toEqual({ kind: "withdrawn", reason: "answered elsewhere" });
  });

  it("does not answer an ask that leaves its person out", async () => {
    const { open, client } = await open2(first, { ask: { recipients: ["bo"] } });
    const result = await client.call("ask_user_question", { questions: [QUESTION] });
    expect(result.isError).toBe(true);
    expect((await open.hub.list()).asks[0]?.status).toBe("pending");
  });

  it("takes no approval, unless the client is trusted with them", async () => {
    const { open, client } = await open2(() => ({ action: "accept", content: { a1: "approve" } }));
    const args = { actions: [{ name: "deploy", args: { to: "production" } }] };
    const asking = client.call("ask_approval", args);
    const { id } = await open.pending();
    await open.hub.decide(id, { decisions: [{ action: "a1", kind: "reject" }] }, ana);
    expect((await asking).structuredContent).toMatchObject({ decisions: [{ decision: "reject" }] });
    const trusted = await open2(() => ({ action: "accept", content: { a1: "approve" } }), {
      trustClient: true,
    });
    expect((await trusted.client.call("ask_approval", args)).structuredContent).toMatchObject({
      decisions: [{ decision: "approve", args: { to: "production" } }],
      answered_by: { id: "ana", reported_by: "builder" },
    });
  });

  it("leaves the ask to the inbox when it is dismissed in a race, or when the client shows none", async () => {
    const { open, client } = await open2(() => ({ action: "cancel" }), { elicit: "race" });
    const plain = await open.connect("2.4", "HTTP", { name: "plain" });
    for (const each of [client, plain]) {
      const asking = each.call("ask_user_question", { questions: [QUESTION] });
      const { id } = await open.pending();
      await open.hub.answer(id, { answers: [{ question: "q1", selected: ["o2"] }] }, ana);
      expect((await asking).structuredContent).toMatchObject({ answered_by: { surface: "test" } });
    }
  });

  it("gives up after five invalid answers, and the ask stays open", async () => {
    let shown = 0;
    const open = await openMcp({ elicit: "only", waitMs: 50 }, reports);
    const client = await open.connect("1.32", "HTTP", {
      onForm() {
        shown += 1;
        return { action: "accept", content: { q1: "o9" } };
      },
    });
    const slow = await client.call("ask_user_question", { questions: [QUESTION] });
    expect(slow.structuredContent).toMatchObject({ status: "pending" });
    expect(shown).toBeLessThanOrEqual(5);
    expect((await open.hub.list()).asks[0]?.status).toBe("pending");
  });

  it("needs no server with --no-server, and refuses what it cannot ask", async () => {
    const target = { url: "http://127.0.0.1:1", token: "none", args: ["mcp", "--no-server"] };
    const client = await connectClient("2.4", "stdio", "test", { ...target, onForm: first });
    const result = await client.call("ask_user_question", { questions: [QUESTION] });
    expect(result.structuredContent).toMatchObject({
      status: "answered",
      answered_by: { surface: "mcp-form" },
    });
    for (const name of ["ask_approval", "post_question"]) {
      const args = name === "ask_approval" ? { actions: [{ name: "deploy" }] } : { questions: [QUESTION] };
      expect((await client.call(name, args)).isError).toBe(true);
    }
    const plain = await connectClient("1.32", "stdio", "test", target);
    expect((await plain.call("ask_user_question", { questions: [QUESTION] })).content[0]?.text).toContain(
      "shows no forms",
    );
  });
});

describe("by raw JSON-RPC", () => {
  const meta = (capabilities: object) => ({
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": capabilities,
  });

  it("a state that was changed, belongs to another call, or was used, is refused", async () => {
    const open = await openMcp({ elicit: "only" }, reports);
    const call = async (args: object, more: object = {}, token = open.agent) => {
      const params = {
        name: "ask_user_question",
        arguments: args,
        ...more,
        _meta: meta({ elicitation: { form: {} } }),
      };
      const response = await fetch(`${open.url}/mcp`, {
        method: "POST",
        headers: {
          ...{ authorization: `Bearer ${token}`, "content-type": "application/json" },
          accept: "application/json, text/event-stream",
          ...{
            "mcp-protocol-version": "2026-07-28",
            "mcp-method": "tools/call",
            "mcp-name": "ask_user_question",
          },
        },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
      });
      return lastMessage(await response.text());
    };
    const args = { questions: [QUESTION] };
    const { result } = await call(args);
    expect(result).toMatchObject({
      resultType: "input_required",
      inputRequests: { form: { method: "elicitation/create" } },
    });
    const { requestState } = result as { requestState: string };
    const inputResponses = { form: { action: "accept", content: { q1: "o1" } } };
    const refused = { error: { code: -32_602, message: expect.stringContaining("requestState") } };
    const forged = `${requestState.slice(0, -4)}AAAA`;
    expect(await call(args, { inputResponses, requestState: forged })).toMatchObject(refused);
    const others = { questions: [{ ...QUESTION, question: "Delete it?" }] };
    expect(await call(others, { inputResponses, requestState })).toMatchObject(refused);
    const eve = await open.token({ name: "eve" });
    expect(await call(args, { inputResponses, requestState }, eve)).toMatchObject(refused);
    const wrong = { form: { action: "accept", content: { q1: "o9" } } };
    const again = await call(args, { inputResponses: wrong, requestState });
    expect(again.result).toMatchObject({ resultType: "input_required" });
    expect(await call(args, { inputResponses, requestState })).toMatchObject(refused);
    expect((await open.hub.list()).asks.map(({ status }) => status)).toEqual(["pending"]);
    const state = (again.result as { requestState: string }).requestState;
    const answered = { result: { structuredContent: { status: "answered" } } };
    expect(await call(args, { inputResponses, requestState: state })).toMatchObject(answered);
    // A client that has lost the result gets it once more.
    expect(await call(args, { inputResponses: wrong, requestState: state })).toMatchObject(answered);
  });

  it("a client of 2025-06-18 gets plain enums and booleans", async () => {
    const open = await openMcp({ elicit: "only" }, reports);
    const post = (body: object, session = "") =>
      fetch(`${open.url}/mcp`, {
        method: "POST",
        headers: {
          ...{ authorization: `Bearer ${open.agent}`, "content-type": "application/json" },
          accept: "application/json, text/event-stream",
          ...(session !== "" && { "mcp-session-id": session, "mcp-protocol-version": "2025-06-18" }),
        },
        body: JSON.stringify({ jsonrpc: "2.0", ...body }),
      });
    const clientInfo = { name: "old", version: "1" };
    const params = { protocolVersion: "2025-06-18", capabilities: { elicitation: {} }, clientInfo };
    const initialized = await post({ id: 1, method: "initialize", params });
    const session = initialized.headers.get("mcp-session-id") ?? "";
    await initialized.text();
    const questions = [QUESTION, { ...QUESTION, question: "Which features?", multiSelect: true }];
    const response = await post(
      { id: 2, method: "tools/call", params: { name: "ask_user_question", arguments: { questions } } },
      session,
    );
    const text = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let seen = "";
    while (!seen.includes("elicitation/create")) seen += (await text?.read())?.value ?? "";
    const form = lastMessage(seen) as { id: string; params: { requestedSchema: { properties: object } } };
    expect(form.params.requestedSchema.properties).toMatchObject({
      q1: { type: "string", enum: ["o1", "o2"], enumNames: ["PostgreSQL", "SQLite"] },
      q2_o1: { type: "boolean" },
      q2_o2: { type: "boolean" },
    });
    const content = { q1: "o2", q2_o1: false, q2_o2: true };
    const stranger = await post({ id: form.id, result: { action: "accept", content } });
    await stranger.text();
    expect((await open.hub.list()).asks[0]?.status).toBe("pending");
    expect((await post({ id: form.id, result: { action: "accept", content } }, session)).status).toBe(202);
    for (let part = await text?.read(); part?.done === false; part = await text?.read()) seen += part.value;
    expect(lastMessage(seen).result).toMatchObject({
      structuredContent: { answers: [{ choices: [{ id: "o2" }] }, { choices: [{ id: "o2" }] }] },
    });
  });
});

describe("what travels through a client", () => {
  it("counts in another process with the same secret, and not with another; and it is known when it was used", async () => {
    const [first, second, stranger] = ["1", "1", "2"].map((each) => createStates(each.repeat(32)));
    const text = (await first?.sign({ for: "card", ask: "ask_1" })) ?? "";
    const read = await second?.read(text);
    expect(read).toMatchObject({ for: "card", ask: "ask_1", isUsed: false });
    second?.use(read?.id ?? "");
    expect(await second?.read(text)).toMatchObject({ isUsed: true });
    expect(await stranger?.read(text)).toBeUndefined();
    for (const other of ["", "v1.e30.AAAA", 7, undefined, "x".repeat(10_000)])
      expect(await first?.read(other)).toBeUndefined();
  });
});

/** The last message of a response, which is JSON or an event stream. */
function lastMessage(text: string): { readonly result?: unknown; readonly error?: unknown } {
  const data = text.split("\n").filter((line) => line.startsWith("data: {"));
  return JSON.parse(data.at(-1)?.slice("data: ".length) ?? text) as { readonly result?: unknown };
}
