import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { root } from "../package/repository.ts";
import { runTypescript } from "../package/typescript.ts";

// A program that uses every adapter with the types of its framework. Each line marked as an error shows that the types
// are real: they would compile if a framework were not found.
const CONSUMER = `
import type { CanUseTool, Options } from "@anthropic-ai/claude-agent-sdk";
import * as protocol from "@agentclientprotocol/sdk";
import * as github from "@github/copilot-sdk";
import * as agui from "@ag-ui/client";
import { Agent as MastraAgent } from "@mastra/core/agent";
import { createTool } from "@mastra/core/tools";
import { Agent, RunState, tool as agentTool } from "@openai/agents";
import * as ai7 from "ai";
import * as ai6 from "ai-6";
import type { AskTool, Resolver } from "askline";
import * as acp from "askline/adapters/acp";
import { park, runAgent } from "askline/adapters/ag-ui";
import * as aiSdk from "askline/adapters/ai-sdk";
import * as claude from "askline/adapters/claude";
import { bridgeCodex, type CodexConnection } from "askline/adapters/codex";
import * as copilot from "askline/adapters/copilot";
import * as langchain from "askline/adapters/langchain";
import * as mastra from "askline/adapters/mastra";
import { bridgeOpencode } from "askline/adapters/opencode";
import * as agents from "askline/adapters/openai-agents";
import * as own from "askline/adapters/tools";
import type { Client } from "askline/client";
import type { Hub } from "askline/hub";
import { Command } from "@langchain/langgraph";
import { createAgent } from "langchain";
import type Anthropic from "@anthropic-ai/sdk";
import type { FunctionCall, FunctionResponse, Part, Tool as GeminiTool } from "@google/genai";
import type OpenAI from "openai";
import * as z from "zod";

declare const resolver: Resolver;
declare const hub: Hub;
declare const client: Client;
declare const messages: ai7.ModelMessage[];

const inputSchema = z.object({ target: z.string() });
const deploy = ai7.tool({ inputSchema, execute: async ({ target }) => target.length });
export const tools: ai7.ToolSet = {
  ask: aiSdk.askTool(resolver),
  parked: aiSdk.parkedAskTool(),
  deploy: aiSdk.withApproval(deploy, resolver),
};
export const tools6: ai6.ToolSet = {
  ask: aiSdk.askTool(resolver),
  parked: aiSdk.parkedAskTool(),
  deploy: aiSdk.withApproval(ai6.tool({ inputSchema, execute: async ({ target }) => target.length }), resolver),
};
export const parked: Promise<aiSdk.Parked<ai7.ModelMessage>> = aiSdk.park(messages, client, { ask: { session: "s" } });
export const resumed: ai7.ModelMessage[] = aiSdk.resume(messages, { kind: "expired" });
export const result = ai7.generateText({ model: "x/y", tools, messages: resumed });

const run = agentTool({ name: "run", description: "d", parameters: inputSchema, execute: async ({ target }) => target });
const agent = new Agent({ name: "a", tools: [agents.askTool(resolver), agents.withApproval(run, resolver)] });
export const pending = RunState.fromString(agent, "").then((state) =>
  agents.settleInterruptions(state, hub, { ask: { session: "s" } }),
);

const graph = createAgent({ model: "x:y", tools: [langchain.askTool(resolver), langchain.interruptTool(client)] });
export const resuming = langchain.resumeOnSettle(graph, client);
export const continued = langchain
  .answerInterrupts([], resolver, { session: "s" })
  .then((resume) => graph.invoke(new Command({ resume })));

const asking = acp.acpHandlers(client, { cwd: "/" });
acp.acpHandlers(hub);
export const editor: protocol.ClientApp = protocol
  .client()
  .onRequest("session/request_permission", asking.requestPermission)
  .onRequest("elicitation/create", asking.createElicitation)
  .onNotification("session/update", asking.sessionUpdate);
export const offered: protocol.ClientCapabilities = asking.capabilities;

declare const runInput: agui.RunAgentInput;
declare const httpAgent: agui.HttpAgent;
export const finished: Promise<agui.RunFinishedEvent> = park(runInput, client, {
  person: "ana",
  tools: { deploy: ({ target }: { target: string }) => target.length },
}).then(({ outcome }) => ({ type: agui.EventType.RUN_FINISHED, threadId: "t", runId: "r", outcome }));
export const forModel: Promise<agui.Message[]> = park(runInput, hub).then(({ messages }) => messages);
export const ranAgent: Promise<agui.RunAgentResult> = runAgent(httpAgent, client, {
  parameters: { tools: [], abortController: new AbortController() },
  subscriber: { onRunFinishedEvent: ({ outcome }) => void outcome },
});
runAgent(httpAgent, hub);

const copilotTool = github.defineTool("deploy", { parameters: inputSchema, handler: async ({ target }) => target.length });
export const copilotConfig: github.SessionConfig = {
  ...copilot.askline(client, { approve: ["bash"], ask: { recipients: ["ana"] } }),
  tools: [copilot.askTool(resolver), copilot.withApproval(copilotTool, resolver)],
};
export const permissions: github.PermissionHandler = copilot.askline(hub).onPermissionRequest;
export const copilotTyped: github.Tool<{ target: string }> = copilot.withApproval(copilotTool, resolver);

declare const connection: CodexConnection;
export const bridged = bridgeCodex(client, {
  ...{ server: "", signal: new AbortController().signal, logger: console },
  open: async () => connection,
});

const mastraDeploy = { id: "deploy", description: "d", inputSchema, execute: async ({ target }: { target: string }) => target.length };
const mastraAgent = new MastraAgent({
  id: "m",
  name: "m",
  instructions: "i",
  model: "x/y",
  tools: {
    ask: createTool(mastra.askTool(resolver)),
    parked: createTool(mastra.askTool(client, { parked: true })),
    deploy: createTool(mastra.withApproval(mastraDeploy, hub)),
  },
});
export const mastraText: Promise<string> = mastraAgent
  .generate("Go on.")
  .then((result) => mastra.resumeSettled(mastraAgent, result, client))
  .then(({ text }) => text);

export const bridging = bridgeOpencode(client, { url: "", signal: new AbortController().signal, logger: console });

declare const ownCallback: CanUseTool;
export const session: Options = { canUseTool: claude.askline(resolver, { approve: ["Bash"], ask: { session: "s" } }) };
export const permission: CanUseTool = claude.askline(client, { approve: [], canUseTool: ownCallback });

declare const tool: AskTool;
export const chat: OpenAI.Chat.Completions.ChatCompletionTool = own.toOpenAITool(tool);
export const responses: OpenAI.Responses.FunctionTool = own.toOpenAITool(tool, { api: "responses" });
export const answer: Promise<OpenAI.Chat.Completions.ChatCompletionToolMessageParam> = own.runToolCall(
  { id: "1", type: "function", function: { name: "x", arguments: "{}" } } satisfies OpenAI.Chat.Completions.ChatCompletionMessageFunctionToolCall,
  tool,
);
declare const responsesCall: OpenAI.Responses.ResponseFunctionToolCall;
export const output: Promise<OpenAI.Responses.ResponseInputItem.FunctionCallOutput> = own.runToolCall(responsesCall, tool);
declare const chatHistory: OpenAI.Chat.Completions.ChatCompletionMessageParam[];
export const chatSettled: Promise<OpenAI.Chat.Completions.ChatCompletionMessageParam[]> = own.settleDangling(chatHistory);
declare const inputItems: OpenAI.Responses.ResponseInputItem[];
export const itemsSettled: Promise<OpenAI.Responses.ResponseInputItem[]> = own.settleDangling(inputItems);

export const anthropicTool: Anthropic.Tool = own.toAnthropicTool(tool);
declare const toolUse: Anthropic.ToolUseBlock;
export const toolResult: Promise<Anthropic.ToolResultBlockParam> = own.runToolCall(toolUse, tool);
declare const history: Anthropic.MessageParam[];
export const settled: Promise<Anthropic.MessageParam[]> = own.settleDangling(history);

export const geminiTool: GeminiTool = own.toGeminiTool(tool);
declare const functionCall: FunctionCall;
export const part: Promise<Part> = own.runToolCall({ functionCall }, tool);
export const functionResponse: Promise<FunctionResponse> = own
  .runToolCall({ functionCall }, tool)
  .then((result) => result.functionResponse);
export const modelSettled: Promise<ai7.ModelMessage[]> = own.settleDangling(messages);

// @ts-expect-error
export const wrongTool: Anthropic.Tool = own.toOpenAITool(tool);
// @ts-expect-error
export const wrongResult: Promise<Anthropic.ToolResultBlockParam> = own.runToolCall(responsesCall, tool);
// @ts-expect-error
export const wrongPart: Promise<Part> = own.runToolCall(toolUse, tool).then((result) => [result]);
export const approved: (input: { target: string }) => Promise<number> = own.approved(
  ({ target }: { target: string }) => target.length,
  resolver,
);

// @ts-expect-error
export const number: CanUseTool = async () => 1;
// @ts-expect-error
aiSdk.withApproval(deploy, resolver).execute = "not a function";
// @ts-expect-error
new Agent({ name: "a", tools: [langchain.askTool(resolver)] });
// @ts-expect-error
protocol.client().onRequest("elicitation/create", asking.requestPermission);
// @ts-expect-error
runAgent(httpAgent, client, { parameters: { tools: 1 } });
// @ts-expect-error
export const copilotWrong: github.SessionConfig = { ...copilot.askline(client), onEvent: 1 };
// @ts-expect-error
createTool({ ...mastra.askTool(resolver), execute: 1 });
// @ts-expect-error
mastra.resumeSettled(mastraAgent, {}, resolver);
// @ts-expect-error
runAgent(httpAgent, resolver);
// @ts-expect-error
langchain.askTool(resolver).name = 1;
// @ts-expect-error
const wrong: ai7.ToolSet = { ask: { ...aiSdk.askTool(resolver), inputSchema: 1 } };
`;

const strict = {
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  target: "ES2023",
  types: ["node"],
  typeRoots: [join(root, "node_modules/@types")],
};

describe("the types of the adapters, with the frameworks installed", () => {
  // Below the frameworks' node_modules: the package is found as if it were installed beside them.
  const folder = join(import.meta.dirname, `node_modules/.cache/types-${process.pid}`);
  const module = join(folder, "module");
  const commonjs = join(folder, "commonjs");

  beforeAll(() => {
    for (const [place, type] of [
      [module, "module"],
      [commonjs, "commonjs"],
    ] as const) {
      mkdirSync(place, { recursive: true });
      writeFileSync(join(place, "package.json"), JSON.stringify({ name: "consumer", type }));
      writeFileSync(join(place, "consumer.ts"), CONSUMER);
    }
    const installed = join(folder, "node_modules/askline");
    cpSync(join(root, "package.json"), join(installed, "package.json"));
    cpSync(join(root, "dist"), join(installed, "dist"), {
      recursive: true,
      filter: (path) => !/\.js$/.test(path),
    });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each([
    ["nodenext, an ES module", module, { module: "NodeNext", moduleResolution: "NodeNext" }],
    ["nodenext, CommonJS", commonjs, { module: "NodeNext", moduleResolution: "NodeNext" }],
    ["node16, an ES module", module, { module: "Node16", moduleResolution: "Node16" }],
    ["a bundler", module, { module: "ESNext", moduleResolution: "Bundler" }],
  ])(
    "compile in a strict program: %s",
    (_name, place, options) => {
      const config = { compilerOptions: { ...strict, ...options }, files: [join(place, "consumer.ts")] };
      expect(runTypescript(place, config)).toBe("");
    },
    60_000,
  );

  it("fit the code of the adapters and of their tests", () => {
    const config = {
      extends: join(import.meta.dirname, "tsconfig.json"),
      // And what they use without an import: declarations of style sheets, and of what vitest provides.
      include: [
        import.meta.dirname,
        join(import.meta.dirname, "../../src/people/web/css.d.ts"),
        join(import.meta.dirname, "../support/broker.ts"),
      ],
      exclude: [join(import.meta.dirname, "node_modules")],
    };
    expect(runTypescript(folder, config)).toBe("");
  });
});
