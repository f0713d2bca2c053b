import { convertToModelMessages, type UIMessage } from "ai";
import { describe, expect, it } from "vitest";
import {
  approved,
  runToolCall,
  settleDangling,
  toAnthropicTool,
  toGeminiTool,
  toOpenAITool,
} from "../../src/agents/frameworks/tools/index.ts";
import { createHub, memoryStore } from "../../src/hub/index.ts";
import { createAskTool, NotApprovedError, resolverOf, staticResolver } from "../../src/index.ts";
import { ANA, SINGLE } from "./suite/samples.ts";

const resolver = staticResolver({ kind: "declined", by: ANA });

describe("definitions", () => {
  const tool = createAskTool({ resolver });
  const strict = createAskTool({ resolver, strict: true });

  it("have the shape of each API, with the tool's own schema", () => {
    const { name, description, inputSchema } = tool;
    expect(toOpenAITool(tool)).toEqual({
      type: "function",
      function: { name, description, parameters: inputSchema, strict: false },
    });
    expect(toOpenAITool(strict, { api: "responses" })).toEqual({
      type: "function",
      name,
      description,
      parameters: strict.inputSchema,
      strict: true,
    });
    expect(toAnthropicTool(tool)).toEqual({ name, description, input_schema: inputSchema });
    // Gemini knows no default values.
    const known = JSON.parse(
      JSON.stringify(inputSchema, (key, value) => (key === "default" ? undefined : value)),
    );
    expect(toGeminiTool(tool)).toEqual({
      functionDeclarations: [{ name, description, parametersJsonSchema: known }],
    });
  });

  it("run only calls of their own tool", async () => {
    const call = { type: "tool_use", id: "toolu_1", name: "bash", input: {} } as const;
    await expect(runToolCall(call, tool)).rejects.toThrow("the call is of bash, not of ask_user_question");
  });

  it("mark a bad call as an error, where the API has a place for it", async () => {
    const input = { questions: [] };
    const name = tool.name;
    expect(await runToolCall({ type: "tool_use", id: "1", name, input }, tool)).toMatchObject({
      is_error: true,
    });
    const gemini = await runToolCall({ functionCall: { name, args: input } }, tool);
    expect(Object.keys(gemini.functionResponse.response)).toEqual(["error"]);
  });
});

describe("approved", () => {
  const decide = (decision: object) =>
    resolverOf(() => ({ kind: "decided", decisions: [{ action: "a1", ...decision } as never], by: ANA }));

  it("runs a function of several arguments with what was approved", async () => {
    const add = (left: number, right: number): number => left + right;
    expect(await approved(add, decide({ kind: "approve" }))(1, 2)).toBe(3);
    expect(await approved(add, decide({ kind: "edit", args: { arguments: [5, 6] } }))(1, 2)).toBe(11);
    await expect(approved(add, decide({ kind: "edit", args: {} }))(1, 2)).rejects.toThrow("so nothing ran");
  });

  it("refuses arguments that a person could not see, and runs with what was shown if its owner changes it", async () => {
    const ran: unknown[] = [];
    const keep = (input: object): void => void ran.push(input);
    await expect(approved(keep, resolver, { name: "keep" })({ all: new Map([[1, 2]]) })).rejects.toThrow(
      "the arguments of keep cannot be shown to a person as JSON: a Map",
    );
    const input = { target: "staging" };
    const running = approved(keep, decide({ kind: "approve" }))(input);
    input.target = "production";
    await running;
    expect(ran).toEqual([{ target: "staging" }]);
  });

  it("shows the person the function's name and its arguments", async () => {
    const seen: unknown[] = [];
    const deploy = approved(
      function deployAll(): void {},
      resolverOf(({ approval }) => {
        seen.push(approval?.actions[0]);
        return { kind: "expired" };
      }),
      { description: "Deploys everything" },
    );
    await expect(deploy()).rejects.toBeInstanceOf(NotApprovedError);
    expect(seen).toMatchObject([
      { name: "deployAll", args: { arguments: [] }, description: "Deploys everything" },
    ]);
  });
});

it("runToolCall refuses what is no call of a known shape, and asks nobody", async () => {
  const tool = createAskTool({ resolver: staticResolver(new Error("asked")) });
  for (const rubbish of [null, "x", {}, { type: "x" }, { function: null }, { functionCall: 1 }]) {
    await expect(runToolCall(rubbish as never, tool)).rejects.toMatchObject({
      code: "invalid_request",
      message: "not a tool call of OpenAI, Anthropic or Gemini",
    });
  }
});

describe("settleDangling", () => {
  const input = { questions: [SINGLE] };
  const said = "Let us talk about the budget first.";
  const text = `The person did not choose an answer. They wrote this instead: ${JSON.stringify(said)}`;

  it("Anthropic: the results come first in the message of the user", async () => {
    const messages = [
      {
        role: "assistant",
        content: [
          { type: "tool_use", id: "t1", name: "ask_user_question", input },
          { type: "tool_use", id: "t2", name: "bash", input: {} },
        ],
      },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "t2", content: "ok" },
          { type: "text", text: said },
        ],
      },
    ];
    const before = structuredClone(messages);
    expect(await settleDangling(messages)).toEqual([
      messages[0],
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "t1", content: text },
          { type: "tool_result", tool_use_id: "t2", content: "ok" },
          { type: "text", text: said },
        ],
      },
    ]);
    expect(messages).toEqual(before);
  });

  it("Anthropic: text of the user becomes a part after the results", async () => {
    const call = { role: "assistant", content: [{ type: "tool_use", id: "t1", name: "x", input }] };
    expect((await settleDangling([call, { role: "user", content: said }]))[1]).toEqual({
      role: "user",
      content: [
        { type: "tool_result", tool_use_id: "t1", content: text },
        { type: "text", text: said },
      ],
    });
    expect((await settleDangling([call]))[1]).toMatchObject({
      role: "user",
      content: [{ content: "The person did not answer this. Do not assume an answer." }],
    });
  });

  it("OpenAI: a message for each call, right after the assistant's", async () => {
    const calls = ["c1", "c2"].map((id) => ({
      id,
      type: "function",
      function: { name: "x", arguments: "{}" },
    }));
    const messages = [
      { role: "assistant", tool_calls: calls },
      { role: "tool", tool_call_id: "c2", content: "ok" },
      { role: "user", content: said },
    ];
    expect(await settleDangling<object>(messages)).toEqual([
      messages[0],
      { role: "tool", tool_call_id: "c1", content: text },
      ...messages.slice(1),
    ]);
    const items = [
      { type: "function_call", call_id: "c1", name: "x", arguments: "{}" },
      { role: "user", content: [{ type: "input_text", text: said }] },
    ];
    expect(await settleDangling<object>(items)).toEqual([
      items[0],
      { type: "function_call_output", call_id: "c1", output: text },
      items[1],
    ]);
  });

  it("AI SDK: a tool message, and nothing where every call has its result", async () => {
    const messages = [
      { role: "assistant", content: [{ type: "tool-call", toolCallId: "c1", toolName: "x", input }] },
      { role: "user", content: said },
    ];
    const fixed = await settleDangling<object>(messages);
    expect(fixed[1]).toEqual({
      role: "tool",
      content: [
        { type: "tool-result", toolCallId: "c1", toolName: "x", output: { type: "text", value: text } },
      ],
    });
    expect(await settleDangling(fixed)).toEqual(fixed);
  });

  it("ends the pending ask of the call as replied, and leaves others alone", async () => {
    const hub = await createHub({ store: memoryStore() });
    const post = (key: string) => hub.post({ ...input, session: "s1", key });
    const [mine, other] = [await post("t1"), await post("t9")];
    const messages = [
      { role: "assistant", content: [{ type: "tool_use", id: "t1", name: "ask_user_question", input }] },
      { role: "user", content: said },
    ];
    await settleDangling<object>(messages, { inbox: hub, session: "s1", by: ANA });
    expect((await hub.get(mine.id)).outcome).toMatchObject({ kind: "replied", text: said, by: ANA });
    expect((await hub.get(other.id)).status).toBe("pending");
    await hub.close();
  });

  it("gives an ask that was answered meanwhile its own outcome, and does not call it unanswered", async () => {
    const hub = await createHub({ store: memoryStore() });
    const { id } = await hub.post({ ...input, session: "s1", key: "t1" });
    await hub.answer(id, { answers: [{ question: "q1", selected: ["o2"] }] }, { by: ANA });
    const messages = [
      { role: "assistant", tool_calls: [{ id: "t1", function: { name: "x", arguments: "{}" } }] },
      { role: "user", content: said },
    ];
    const [, result] = await settleDangling<object>(messages, { inbox: hub, session: "s1", by: ANA });
    expect(result).toEqual({
      role: "tool",
      tool_call_id: "t1",
      content: `The person answered:\n1. ${JSON.stringify(SINGLE.question)}\n   chose: "Green"`,
    });
    await hub.close();
  });

  it("Anthropic: moves results that come too late, or after the text", async () => {
    const use = (id: string) => ({ type: "tool_use", id, name: "x", input });
    const result = (id: string) => ({ type: "tool_result", tool_use_id: id, content: `of ${id}` });
    const messages = [
      { role: "assistant", content: [use("t1"), use("t2"), use("t3")] },
      { role: "user", content: [{ type: "text", text: said }, result("t2")] },
      { role: "assistant", content: "Fine." },
      { role: "user", content: [result("t1")] },
    ];
    expect(await settleDangling<object>(messages)).toEqual([
      messages[0],
      {
        role: "user",
        content: [
          result("t1"),
          result("t2"),
          { type: "tool_result", tool_use_id: "t3", content: text },
          { type: "text", text: said },
        ],
      },
      messages[2],
    ]);
    const fine = [
      { role: "assistant", content: [use("t1")] },
      { role: "assistant", content: [use("t2")] },
      { role: "user", content: [result("t1")] },
      { role: "user", content: [result("t2"), { type: "text", text: said }] },
    ];
    expect(await settleDangling<object>(fine)).toEqual(fine);
  });

  it("OpenAI and the AI SDK: moves results that come too late", async () => {
    const chat = [
      { role: "assistant", tool_calls: [{ id: "c1", function: { name: "x", arguments: "{}" } }] },
      { role: "user", content: said },
      { role: "tool", tool_call_id: "c1", content: "late" },
    ];
    expect(await settleDangling<object>(chat)).toEqual([chat[0], chat[2], chat[1]]);
    const items = [
      { type: "function_call_output", call_id: "c1", output: "early" },
      { type: "function_call", call_id: "c1", name: "x", arguments: "{}" },
      { type: "function_call", call_id: "c2", name: "x", arguments: "{}" },
      { role: "user", content: said },
      { type: "function_call_output", call_id: "c2", output: "later, which is fine" },
    ];
    expect(await settleDangling<object>(items)).toEqual([items[1], items[0], ...items.slice(2)]);
    const output = { type: "text", value: "late" };
    const model = [
      { role: "assistant", content: [{ type: "tool-call", toolCallId: "c1", toolName: "x", input }] },
      { role: "user", content: said },
      { role: "tool", content: [{ type: "tool-result", toolCallId: "c1", toolName: "x", output }] },
    ];
    expect(await settleDangling<object>(model)).toEqual([model[0], model[2], model[1]]);
  });

  it("AI SDK: gives the call of a message of its UI an output", async () => {
    const call = { type: "tool-ask_user_question", toolCallId: "c1", state: "input-available", input };
    const messages: UIMessage[] = [
      { id: "1", role: "assistant", parts: [{ type: "text", text: "Hm." }, call as UIMessage["parts"][0]] },
      { id: "2", role: "user", parts: [{ type: "text", text: said }] },
    ];
    const settled = await settleDangling(messages);
    expect(settled).toEqual([
      {
        ...messages[0],
        parts: [
          { type: "text", text: "Hm." },
          { ...call, state: "output-available", output: text },
        ],
      },
      messages[1],
    ]);
    expect((await convertToModelMessages(settled)).map(({ role }) => role)).toEqual([
      "assistant",
      "tool",
      "user",
    ]);
  });

  it("refuses what is not a list of messages, and invents no text for an empty one", async () => {
    for (const rubbish of [null, "x", {}, [null], [1]]) {
      await expect(settleDangling(rubbish as never)).rejects.toMatchObject({ code: "invalid_request" });
    }
    expect(await settleDangling([])).toEqual([]);
    const odd = [{}, { role: "assistant", content: [null, { type: "tool_use" }], tool_calls: "x" }];
    expect(await settleDangling<object>(odd)).toEqual(odd);
    const call = { role: "assistant", content: [{ type: "tool_use", id: "t1", name: "x", input }] };
    const unanswered = {
      type: "tool_result",
      tool_use_id: "t1",
      content: "The person did not answer this. Do not assume an answer.",
    };
    for (const user of [{ role: "user" }, { role: "user", content: "" }]) {
      expect((await settleDangling<object>([call, user]))[1]).toEqual({
        role: "user",
        content: [unanswered],
      });
    }
  });
});
