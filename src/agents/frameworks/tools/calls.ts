// For agent loops without a framework: the ask tool in the shapes of the OpenAI, Anthropic and Gemini APIs, running a call
// of any of them, and approvals around any function.

import { isRecord, type JsonObject } from "../../../core/kit/json.js";
import { AsklineError } from "../../../core/model/error.js";
import type { Resolver } from "../../../core/model/ports.js";
import { approveCall } from "../../tool/approve-call.js";
import type { AskTool, ResolverToolOptions, ToolCall, ToolResult } from "../../tool/ask-tool.js";

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
  const done = await tool.execute(input, { ...options, toolCallId: id });
  return result(done) as CallResult<Call>;
}

interface ReadCall {
  readonly name: string;
  readonly id: string | undefined;
  readonly input: unknown;
  result(done: ToolResult): CallResult<ModelCall>;
}

function readCall(call: ModelCall): ReadCall {
  if (!isRecord(call)) throw unknownCall();
  if ("functionCall" in call && isRecord(call.functionCall)) {
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
  if ("function" in call && isRecord(call.function)) {
    const { id } = call;
    return {
      name: call.function.name,
      id,
      input: call.function.arguments,
      result: ({ text }) => ({ role: "tool", tool_call_id: id, content: text }),
    };
  }
  if ("type" in call && call.type === "function_call") {
    const { call_id, name } = call;
    return {
      name,
      id: call_id,
      input: call.arguments,
      result: ({ text }) => ({ type: "function_call_output", call_id, output: text }),
    };
  }
  if ("type" in call && call.type === "tool_use") {
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
  throw unknownCall();
}

function unknownCall(): AsklineError {
  return new AsklineError("invalid_request", "not a tool call of OpenAI, Anthropic or Gemini");
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
      { name, args: isObject ? only : { arguments: kept }, description },
      { ask, signal, toolCallId: key?.(...args) },
    );
    const final = isObject ? [decided] : positional(decided);
    return run(...((edited ? final : kept) as unknown as Args));
  };
}

function positional({ arguments: args }: JsonObject): readonly unknown[] {
  if (Array.isArray(args)) return args;
  throw new Error("The person approved other arguments, but `arguments` is not a list, so nothing ran.");
}
