// For agent loops without a framework: the ask tool in the shapes of the OpenAI, Anthropic and Gemini APIs, running a call
// of any of them, approvals around any function, and histories in which a person talked instead of answering.

import {
  type Answerer,
  type Ask,
  AsklineError,
  type AskTool,
  approveCall,
  describeOutcome,
  type Inbox,
  isRecord,
  type JsonObject,
  type Resolver,
  type ResolverToolOptions,
  type ToolCall,
  type ToolResult,
} from "../core/index.js";

/** The part of an {@link AskTool} that a definition needs. */
export type ToolDefinition = Pick<AskTool, "name" | "description" | "inputSchema">;

// Type aliases with mutable fields, because the providers' own types are such.
export type OpenAIChatTool = {
  type: "function";
  function: { name: string; description: string; parameters: Record<string, unknown>; strict: boolean };
};
export type OpenAIResponsesTool = {
  type: "function";
  name: string;
  description: string;
  parameters: Record<string, unknown>;
  strict: boolean;
};
export type AnthropicTool = {
  name: string;
  description: string;
  input_schema: { type: "object"; [key: string]: unknown };
};
export type GeminiTool = {
  functionDeclarations: { name: string; description: string; parametersJsonSchema: unknown }[];
};

/**
 * The tool for OpenAI's Chat Completions API, or with `{ api: "responses" }` for its Responses API. `strict` follows the
 * schema: create the tool with `strict: true` for structured outputs.
 *
 * @example
 * const definition = toOpenAITool(createAskTool({ resolver, strict: true }));
 */
export function toOpenAITool(
  tool: ToolDefinition,
  options: { readonly api: "responses" },
): OpenAIResponsesTool;
export function toOpenAITool(tool: ToolDefinition, options?: { readonly api?: "chat" }): OpenAIChatTool;
export function toOpenAITool(
  { name, description, inputSchema }: ToolDefinition,
  { api = "chat" }: { readonly api?: "chat" | "responses" } = {},
): OpenAIChatTool | OpenAIResponsesTool {
  const strict = inputSchema.additionalProperties === false;
  const body = { name, description, parameters: inputSchema, strict };
  return api === "responses" ? { type: "function", ...body } : { type: "function", function: body };
}

/**
 * The tool for Anthropic's Messages API.
 *
 * @example
 * const definition = toAnthropicTool(createAskTool({ resolver }));
 */
export function toAnthropicTool({ name, description, inputSchema }: ToolDefinition): AnthropicTool {
  return { name, description, input_schema: inputSchema };
}

/**
 * The tool for the Gemini API, which knows only a part of JSON Schema; the rest is left out.
 *
 * @example
 * const definition = toGeminiTool(createAskTool({ resolver }));
 */
export function toGeminiTool({ name, description, inputSchema }: ToolDefinition): GeminiTool {
  return { functionDeclarations: [{ name, description, parametersJsonSchema: geminiSchema(inputSchema) }] };
}

const GEMINI_KEYWORDS = new Set(
  (
    "$id $defs $ref $anchor type format title description enum items prefixItems minItems maxItems minimum maximum " +
    "anyOf oneOf properties additionalProperties required propertyOrdering"
  ).split(" "),
);

function geminiSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(geminiSchema);
  if (!isRecord(schema)) return schema;
  const kept = Object.entries(schema).filter(([keyword]) => GEMINI_KEYWORDS.has(keyword));
  return Object.fromEntries(
    kept.map(([keyword, value]) => [
      keyword,
      (keyword === "properties" || keyword === "$defs") && isRecord(value)
        ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, geminiSchema(inner)]))
        : geminiSchema(value),
    ]),
  );
}

export type OpenAIChatCall = {
  readonly id: string;
  readonly function: { readonly name: string; readonly arguments: string };
};
export type OpenAIResponsesCall = {
  readonly type: "function_call";
  readonly call_id: string;
  readonly name: string;
  readonly arguments: string;
};
export type AnthropicCall = {
  readonly type: "tool_use";
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
};
export type GeminiCall = {
  readonly functionCall: { readonly id?: string; readonly name?: string; readonly args?: unknown };
};
export type ModelCall = OpenAIChatCall | OpenAIResponsesCall | AnthropicCall | GeminiCall;

/** What goes back to the model, in the shape that belongs to the call. */
export type CallResult<Call> = Call extends GeminiCall
  ? { functionResponse: { id?: string; name: string; response: Record<string, unknown> } }
  : Call extends AnthropicCall
    ? { type: "tool_result"; tool_use_id: string; content: string; is_error?: boolean }
    : Call extends OpenAIResponsesCall
      ? { type: "function_call_output"; call_id: string; output: string }
      : { role: "tool"; tool_call_id: string; content: string };

/**
 * Runs one call of the ask tool, in the shape of any of the three providers, and returns what goes back to the model. A
 * call of another tool is refused.
 *
 * @example
 * const tool = createAskTool({ resolver, ask: { session: "s1" } });
 * const call = { type: "tool_use", id: "toolu_1", name: tool.name, input } as const;
 * const result = await runToolCall(call, tool, { signal });
 * console.log(result.tool_use_id);
 */
export async function runToolCall<Call extends ModelCall>(
  call: Call,
  tool: Pick<AskTool, "name" | "execute">,
  options: Pick<ToolCall, "signal" | "subagent"> = {},
): Promise<CallResult<Call>> {
  const { name, id, input, result } = readCall(call);
  if (name !== tool.name) {
    throw new AsklineError("invalid_request", `the call is of ${name}, not of ${tool.name}`);
  }
  const done = await tool.execute(input, { ...options, ...(id !== undefined && { toolCallId: id }) });
  return result(done) as CallResult<Call>;
}

interface ReadCall {
  readonly name: string;
  readonly id: string | undefined;
  readonly input: unknown;
  result(done: ToolResult): CallResult<ModelCall>;
}

function readCall(call: ModelCall): ReadCall {
  if ("functionCall" in call) {
    const { id, name = "", args } = call.functionCall;
    return {
      name,
      id,
      input: args,
      result: ({ text, isError }) => ({
        functionResponse: {
          ...(id !== undefined && { id }),
          name,
          response: isError ? { error: text } : { output: text },
        },
      }),
    };
  }
  if ("function" in call) {
    const { id } = call;
    return {
      name: call.function.name,
      id,
      input: call.function.arguments,
      result: ({ text }) => ({ role: "tool", tool_call_id: id, content: text }),
    };
  }
  if (call.type === "function_call") {
    const { call_id, name } = call;
    return {
      name,
      id: call_id,
      input: call.arguments,
      result: ({ text }) => ({ type: "function_call_output", call_id, output: text }),
    };
  }
  if (call.type === "tool_use") {
    const { id, name, input } = call;
    return {
      name,
      id,
      input,
      result: ({ text, isError }) => ({
        type: "tool_result",
        tool_use_id: id,
        content: text,
        ...(isError && { is_error: true }),
      }),
    };
  }
  throw new AsklineError("invalid_request", "not a tool call of OpenAI, Anthropic or Gemini");
}

export interface ApprovedOptions<Args extends readonly unknown[]> {
  /** What the person sees; the function's own name by default. */
  readonly name?: string;
  readonly description?: string;
  readonly ask?: ResolverToolOptions["ask"];
  /** Names the call, so that a repeated call, also after a restart, is asked once. It needs a session in `ask`. */
  readonly key?: (...args: Args) => string;
  readonly signal?: AbortSignal;
}

/**
 * The same function, which runs only after a person has approved its arguments, and with those that the person approved.
 * Rejects with `NotApprovedError` if it must not run; its message is a text for the model. A single object is shown as it
 * is, other arguments as the list `arguments`.
 *
 * @example
 * const deploy = approved(async ({ target }: { target: string }) => `deployed to ${target}`, resolver, { name: "deploy" });
 * console.log(await deploy({ target: "production" }));
 */
export function approved<Args extends readonly unknown[], Result>(
  run: (...args: Args) => Result | Promise<Result>,
  resolver: Resolver,
  options: ApprovedOptions<Args> = {},
): (...args: Args) => Promise<Result> {
  const { name = run.name || "function", description, ask, key, signal } = options;
  return async (...args) => {
    // What was proposed, even if its owner changes it while the person reads.
    const kept = structuredClone(args);
    const [only] = kept;
    const isObject = kept.length === 1 && isRecord(only);
    const { args: decided, edited } = await approveCall(
      resolver,
      {
        name,
        args: isObject ? only : { arguments: kept },
        ...(description !== undefined && { description }),
      },
      {
        ...(ask !== undefined && { ask }),
        ...(signal !== undefined && { signal }),
        ...(key !== undefined && { toolCallId: key(...args) }),
      },
    );
    const final = isObject ? [decided] : positional(decided);
    return run(...((edited ? final : kept) as unknown as Args));
  };
}

function positional({ arguments: args }: JsonObject): readonly unknown[] {
  if (Array.isArray(args)) return args;
  throw new Error("The person approved other arguments, but `arguments` is not a list, so nothing ran.");
}

export interface DanglingOptions {
  /** What the person said instead; by default the text of the next message of the user. */
  readonly text?: string;
  /** Where the asks are, so that they end as `replied`. The key of each is the id of its call. */
  readonly inbox?: Pick<Inbox, "list" | "reply">;
  readonly session?: string;
  /** The person who talked; needed with `inbox`. */
  readonly by?: Answerer;
}

/**
 * Makes a history valid again in which a person talked instead of answering: each call without a result gets one, right
 * after its message, that says what the person wrote. With an `inbox`, the pending asks of these calls end as `replied`.
 * Takes messages of Anthropic, OpenAI (both APIs) and the AI SDK; returns new ones and leaves the old unchanged.
 *
 * @example
 * const messages = [
 *   { role: "assistant", content: [{ type: "tool_use", id: "toolu_1", name: "ask_user_question", input: {} }] },
 *   { role: "user", content: "Let us talk about the budget first." },
 * ];
 * console.log(await settleDangling(messages));
 */
export async function settleDangling<M extends object>(
  messages: readonly M[],
  options: DanglingOptions = {},
): Promise<M[]> {
  const items = messages as readonly Record<string, unknown>[];
  const done = new Set(items.flatMap(resultIds));
  const result: Record<string, unknown>[] = [];
  for (let index = 0; index < items.length; index += 1) {
    const message = items[index] ?? {};
    const open = callsOf(message).filter(({ id }) => !done.has(id));
    result.push(message);
    if (open.length === 0) continue;
    const text = options.text ?? nextText(items, index + 1);
    const outcome = { kind: "replied", text, by: options.by ?? UNKNOWN } as const;
    const words = text === "" ? NO_ANSWER : describeOutcome({ questions: [] }, outcome);
    if (options.inbox !== undefined && text !== "") await reply(options.inbox, open, text, options);
    if (open[0]?.shape !== "anthropic") {
      result.push(...open.map((call) => resultMessage(call, words)));
      continue;
    }
    // All results come first in the next message of the user, together with what the person wrote.
    const results = open.map(({ id }) => ({ type: "tool_result", tool_use_id: id, content: words }));
    const next = items[index + 1];
    const joined = next?.role === "user" ? next : undefined;
    if (joined !== undefined) index += 1;
    result.push({ role: "user", ...joined, content: [...results, ...contentOf(joined)] });
  }
  return result as M[];
}

const UNKNOWN: Answerer = { kind: "person", id: "person", surface: "chat" };
const NO_ANSWER = "The person did not answer this. Do not assume an answer.";

interface DanglingCall {
  readonly shape: "anthropic" | "openai-chat" | "openai-responses" | "ai-sdk";
  readonly id: string;
  readonly name: string;
}

function callsOf(message: Readonly<Record<string, unknown>>): readonly DanglingCall[] {
  const call = (shape: DanglingCall["shape"], id: unknown, name: unknown): readonly DanglingCall[] =>
    typeof id === "string" ? [{ shape, id, name: typeof name === "string" ? name : "" }] : [];
  if (message.type === "function_call") return call("openai-responses", message.call_id, message.name);
  if (message.role !== "assistant") return [];
  const chat = listOf(message.tool_calls).flatMap((item) =>
    call("openai-chat", item.id, isRecord(item.function) ? item.function.name : ""),
  );
  const parts = listOf(message.content).flatMap((part) => {
    if (part.type === "tool_use") return call("anthropic", part.id, part.name);
    return part.type === "tool-call" && part.providerExecuted !== true
      ? call("ai-sdk", part.toolCallId, part.toolName)
      : [];
  });
  return [...chat, ...parts];
}

function resultIds(message: Readonly<Record<string, unknown>>): readonly unknown[] {
  if (message.type === "function_call_output") return [message.call_id];
  if (message.role === "tool" && typeof message.tool_call_id === "string") return [message.tool_call_id];
  return listOf(message.content).flatMap((part) => {
    if (part.type === "tool_result") return [part.tool_use_id];
    return part.type === "tool-result" ? [part.toolCallId] : [];
  });
}

function resultMessage({ shape, id, name }: DanglingCall, text: string): Record<string, unknown> {
  if (shape === "openai-responses") return { type: "function_call_output", call_id: id, output: text };
  if (shape === "openai-chat") return { role: "tool", tool_call_id: id, content: text };
  const output = { type: "text", value: text };
  return { role: "tool", content: [{ type: "tool-result", toolCallId: id, toolName: name, output }] };
}

function contentOf(message: Readonly<Record<string, unknown>> | undefined): readonly unknown[] {
  if (message === undefined) return [];
  return Array.isArray(message.content) ? message.content : [{ type: "text", text: String(message.content) }];
}

function nextText(items: readonly Readonly<Record<string, unknown>>[], from: number): string {
  for (const message of items.slice(from)) {
    if (message.role !== "user") continue;
    if (typeof message.content === "string") return message.content;
    const texts = listOf(message.content).flatMap(({ text }) => (typeof text === "string" ? [text] : []));
    if (texts.length > 0) return texts.join("\n");
  }
  return "";
}

function listOf(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

async function reply(
  inbox: Pick<Inbox, "list" | "reply">,
  calls: readonly DanglingCall[],
  text: string,
  { session = "", by }: DanglingOptions,
): Promise<void> {
  if (by === undefined) throw new AsklineError("invalid_request", "settleDangling with an inbox needs `by`");
  const keys = new Set(calls.map(({ id }) => id));
  for (let after: string | undefined; ; ) {
    const page = await inbox.list({ session, status: "pending" }, after === undefined ? {} : { after });
    for (const ask of page.asks) {
      if (ask.key !== undefined && keys.has(ask.key)) await replyOnce(inbox, ask, text, by);
    }
    if (page.next === undefined) return;
    after = page.next;
  }
}

async function replyOnce(
  inbox: Pick<Inbox, "reply">,
  { id }: Ask,
  text: string,
  by: Answerer,
): Promise<void> {
  try {
    await inbox.reply(id, text, { by });
  } catch (error) {
    // It has just ended in another way, which stands.
    if (!(error instanceof AsklineError) || error.code !== "already_settled") throw error;
  }
}
