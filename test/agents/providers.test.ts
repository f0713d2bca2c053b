import { createServer } from "node:http";
import Anthropic from "@anthropic-ai/sdk";
import { GoogleGenAI, type Part } from "@google/genai";
import OpenAI from "openai";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  runToolCall,
  settleDangling,
  toAnthropicTool,
  toGeminiTool,
  toOpenAITool,
} from "../../src/agents/frameworks/tools/index.ts";
import { createAskTool, profiles, resolverOf } from "../../src/index.ts";
import { listen } from "../client/scripted-server.ts";
import { ANA, SINGLE } from "./suite/samples.ts";

// The real clients of three providers, against a server on loopback that answers the first request with a call.

const NAME = "ask_user_question";
const INPUT = { questions: [SINGLE] };
const READ = 'The person answered:\n1. "Which colour?"\n   chose: "Green"';

const tool = createAskTool({
  resolver: resolverOf(() => [{ question: "q1", selected: ["o2"] }], { by: ANA }),
  text: "described",
});

/** Answers with each of `replies` in turn. */
async function startProvider(...replies: readonly object[]) {
  const bodies: Record<string, unknown>[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    bodies.push(JSON.parse(Buffer.concat(chunks).toString()));
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(replies[bodies.length - 1]));
  });
  const url = `http://127.0.0.1:${await listen(server)}`;
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url, bodies };
}

describe("the real clients of model providers", () => {
  it("openai, Chat Completions", async () => {
    const call = {
      id: "call_1",
      type: "function",
      function: { name: NAME, arguments: JSON.stringify(INPUT) },
    };
    const { url, bodies } = await startProvider(
      { choices: [{ index: 0, message: { role: "assistant", content: null, tool_calls: [call] } }] },
      { choices: [{ index: 0, message: { role: "assistant", content: "done" } }] },
    );
    const client = new OpenAI({ baseURL: url, apiKey: "none", maxRetries: 0 });
    const tools = [toOpenAITool(tool)];
    const messages: OpenAI.Chat.Completions.ChatCompletionMessageParam[] = [
      { role: "user", content: "Go on." },
    ];
    const first = await client.chat.completions.create({ model: "m", messages, tools });
    const [message] = first.choices.map((choice) => choice.message);
    if (message === undefined) throw new Error("there is no message");
    messages.push(message);
    for (const each of message.tool_calls ?? []) {
      if (each.type === "function") messages.push(await runToolCall(each, tool));
    }
    await client.chat.completions.create({ model: "m", messages, tools });
    expect(bodies[0]?.tools).toMatchObject([{ type: "function", function: { name: NAME, strict: false } }]);
    expect(bodies[1]?.messages).toMatchObject([
      { role: "user" },
      { role: "assistant", tool_calls: [{ id: "call_1" }] },
      { role: "tool", tool_call_id: "call_1", content: READ },
    ]);
  });

  it("openai, Responses", async () => {
    const call = { type: "function_call", call_id: "call_1", name: NAME, arguments: JSON.stringify(INPUT) };
    const { url, bodies } = await startProvider({ output: [call] }, { output: [] });
    const client = new OpenAI({ baseURL: url, apiKey: "none", maxRetries: 0 });
    const strict = createAskTool({ resolver: { ask: async () => ({ kind: "expired" }) }, strict: true });
    const tools = [toOpenAITool(strict, { api: "responses" })];
    const input: OpenAI.Responses.ResponseInputItem[] = [{ role: "user", content: "Go on." }];
    const { output } = await client.responses.create({ model: "m", input, tools });
    for (const each of output) {
      if (each.type === "function_call") input.push(each, await runToolCall(each, tool));
    }
    await client.responses.create({ model: "m", input, tools });
    expect(bodies[0]?.tools).toMatchObject([{ type: "function", name: NAME, strict: true }]);
    expect(bodies[1]?.input).toMatchObject([
      { role: "user" },
      { type: "function_call", call_id: "call_1" },
      { type: "function_call_output", call_id: "call_1", output: READ },
    ]);
  });

  it("@anthropic-ai/sdk, and a history in which the person talked instead", async () => {
    const content = [{ type: "tool_use", id: "toolu_1", name: NAME, input: INPUT }];
    const { url, bodies } = await startProvider(
      { role: "assistant", content },
      { role: "assistant", content: [] },
      {},
    );
    const client = new Anthropic({ baseURL: url, apiKey: "none", maxRetries: 0 });
    const options = { model: "m", max_tokens: 100, tools: [toAnthropicTool(tool)] };
    const messages: Anthropic.MessageParam[] = [{ role: "user", content: "Go on." }];
    const first = await client.messages.create({ ...options, messages });
    messages.push({ role: "assistant", content: first.content });
    const dangling: Anthropic.MessageParam[] = [...messages, { role: "user", content: "Blue?" }];
    const results: Anthropic.ToolResultBlockParam[] = [];
    for (const part of first.content) {
      if (part.type === "tool_use") results.push(await runToolCall(part, tool));
    }
    await client.messages.create({ ...options, messages: [...messages, { role: "user", content: results }] });
    expect(bodies[0]?.tools).toMatchObject([{ name: NAME, input_schema: { type: "object" } }]);
    expect(bodies[1]?.messages).toMatchObject([
      { role: "user" },
      { role: "assistant" },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_1", content: READ }] },
    ]);
    await client.messages.create({ ...options, messages: await settleDangling(dangling) });
    expect(bodies[2]?.messages).toMatchObject([
      { role: "user" },
      { role: "assistant" },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "toolu_1" },
          { type: "text", text: "Blue?" },
        ],
      },
    ]);
  });

  it("@google/genai", async () => {
    const reply = (parts: readonly object[]) => ({ candidates: [{ content: { role: "model", parts } }] });
    const call = { functionCall: { id: "call_1", name: NAME, args: INPUT } };
    const { url, bodies } = await startProvider(reply([call]), reply([{ text: "done" }]));
    const client = new GoogleGenAI({ apiKey: "none", httpOptions: { baseUrl: url } });
    const config = { tools: [toGeminiTool(tool)] };
    const contents: { role: string; parts: Part[] }[] = [{ role: "user", parts: [{ text: "Go on." }] }];
    const first = await client.models.generateContent({ model: "m", contents, config });
    contents.push({ role: "model", parts: first.candidates?.[0]?.content?.parts ?? [] });
    const parts: Part[] = [];
    for (const functionCall of first.functionCalls ?? [])
      parts.push(await runToolCall({ functionCall }, tool));
    contents.push({ role: "user", parts });
    await client.models.generateContent({ model: "m", contents, config });
    expect(bodies[0]?.tools).toEqual([toGeminiTool(tool)]);
    expect(bodies[1]?.contents).toMatchObject([
      { role: "user" },
      { role: "model", parts: [call] },
      {
        role: "user",
        parts: [{ functionResponse: { id: "call_1", name: NAME, response: { output: READ } } }],
      },
    ]);
  });

  it.each(Object.entries(profiles))(
    "gives Gemini only keywords that it knows, for the profile %s",
    (_name, profile) => {
      const declared = createAskTool({ resolver: { ask: async () => ({ kind: "expired" }) }, profile });
      const [declaration] = toGeminiTool(declared).functionDeclarations;
      const text = JSON.stringify(declaration?.parametersJsonSchema);
      expect(text).not.toMatch(/"(default|const|pattern|minLength|maxLength|\$schema|not|allOf)":/);
      // The properties themselves stay, whatever their names.
      expect(declaration?.parametersJsonSchema).toMatchObject({
        properties: { questions: { items: { properties: { options: { minItems: expect.any(Number) } } } } },
        required: ["questions"],
      });
    },
  );
});
