import { describe, expect, it } from "vitest";
import {
  approved,
  runToolCall,
  settleDangling,
  toAnthropicTool,
  toGeminiTool,
  toOpenAITool,
} from "../../src/adapters/tools.ts";
import { createAskTool, NotApprovedError, resolverOf, staticResolver } from "../../src/core/index.ts";
import { createHub, memoryStore } from "../../src/hub/index.ts";
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
});
