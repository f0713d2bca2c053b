import { ToolMessage } from "@langchain/core/messages";
import { type StructuredToolInterface, type ToolRunnableConfig, tool } from "@langchain/core/tools";
import { interrupt } from "@langchain/langgraph";
import { isRecord } from "../../../core/kit/json.js";
import { type Profile, profiles } from "../../../core/kit/profiles.js";
import type { Ask, AskInput } from "../../../core/model/ask.js";
import { AsklineError } from "../../../core/model/error.js";
import type { Resolver } from "../../../core/model/ports.js";
import { createAskTool, outcomeText, problemText, type ResolverToolOptions } from "../../tool/ask-tool.js";
import {
  ASK_TOOL_DESCRIPTION,
  askToolSchema,
  parseToolInput,
  TOOL_NAME,
} from "../../tool/ask-tool-definition.js";

/** Unless `ask.session` is set, the session is the thread of the run. */
export type AskToolOptions = Omit<ResolverToolOptions, "resolver" | "strict">;

/**
 * A tool of LangChain. As a record it also fits where a program has another copy of LangChain's types, as a CommonJS
 * program does.
 */
export type LangChainTool = StructuredToolInterface & Record<string, unknown>;

/**
 * A tool with which the model asks a person; it waits in place. The artifact of its message is the outcome. An invalid
 * input gives a message with status `error` that lists the problems, and nobody is asked.
 *
 * @example
 * const tools = [askTool(resolver)];
 */
export function askTool(resolver: Resolver, options: AskToolOptions = {}): LangChainTool {
  return define(options, async (input, config) => {
    const made = createAskTool({ text: "described", ...options, resolver, ask: hostFields(options, config) });
    const { text, isError, outcome } = await made.execute(input, {
      toolCallId: config.toolCall?.id,
      signal: config.signal,
    });
    return isError ? [errorMessage(made.name, config.toolCall?.id, text), undefined] : [text, outcome];
  });
}

/** The agent's side of a hub or of a client, as far as the tool uses it. */
export interface AskPoster {
  post(request: AskInput): Promise<Ask>;
  get(id: string): Promise<Ask>;
}

/**
 * A tool that stores its ask in a hub and interrupts the graph, so that no process has to wait. It goes on when the ask
 * has ended and the graph is resumed, by `resumeOnSettle` or by hand; what the graph is resumed with does not count, only
 * the outcome in the hub. The graph needs a checkpointer and a `thread_id`.
 *
 * @example
 * const tools = [interruptTool(hub)];
 */
export function interruptTool(hub: AskPoster, options: AskToolOptions = {}): LangChainTool {
  const { name = TOOL_NAME, profile = profiles.canonical, text } = options;
  return define(options, async (input, config) => {
    const fields = hostFields(options, config);
    const thread = threadOf(config);
    const key = config.toolCall?.id;
    // Without it, every run of this function would ask again.
    if (!key) throw new AsklineError("invalid_request", "interruptTool needs the id of its tool call");
    const parsed = parseToolInput(input, profile, {
      ...fields,
      key,
      metadata: thread === undefined ? fields.metadata : { ...fields.metadata, langgraph: { thread } },
    });
    if (!parsed.ok) {
      return [errorMessage(name, key, problemText(parsed.issues, true)), undefined];
    }
    // This runs again from the start when the graph is resumed; the key makes it the same ask.
    let ask = await hub.post(parsed.ask);
    while (ask.outcome === undefined) {
      interrupt({ askline: { ask: ask.id }, questions: parsed.ask.questions });
      ask = await hub.get(ask.id);
    }
    return [outcomeText(parsed.ask, ask.outcome, text !== "canonical"), ask.outcome];
  });
}

function define(
  { name = TOOL_NAME, profile = profiles.canonical }: AskToolOptions,
  run: (input: unknown, config: ToolRunnableConfig) => Promise<readonly [unknown, unknown]>,
): LangChainTool {
  const schema = askToolSchema(profile);
  const made = tool(async (input, config) => run(input, config), {
    name,
    description: ASK_TOOL_DESCRIPTION,
    schema,
    responseFormat: "content_and_artifact",
  });
  return tolerant(made, profile);
}

/**
 * LangChain checks the input against the schema and says only that it does not match. So the input is parsed first: what
 * models often get wrong is put right, and real problems are listed.
 */
function tolerant(made: StructuredToolInterface, profile: Profile): LangChainTool {
  const invoke = made.invoke.bind(made) as (input: unknown, config?: ToolRunnableConfig) => Promise<unknown>;
  const tolerantInvoke = async (input: unknown, config?: ToolRunnableConfig): Promise<unknown> => {
    const isCall = isRecord(input) && input.type === "tool_call";
    const args = isCall ? input.args : input;
    const parsed = parseToolInput(args, profile, {});
    if (!parsed.ok) {
      const text = problemText(parsed.issues, true);
      return isCall ? errorMessage(made.name, String(input.id), text) : text;
    }
    const { questions, context } = parsed.ask;
    const fixed = { questions, ...(context !== undefined && { context }) };
    return invoke(isCall ? { ...input, args: fixed } : fixed, config);
  };
  return Object.assign(made, { invoke: tolerantInvoke }) as unknown as LangChainTool;
}

function errorMessage(name: string, id: string | undefined, content: string): ToolMessage {
  return new ToolMessage({ name, tool_call_id: id ?? "", content, status: "error" });
}

function hostFields(
  { ask }: AskToolOptions,
  config: ToolRunnableConfig,
): NonNullable<ResolverToolOptions["ask"]> {
  return { ...ask, session: ask?.session ?? threadOf(config) ?? "" };
}

function threadOf({ configurable }: ToolRunnableConfig): string | undefined {
  const thread: unknown = configurable?.thread_id;
  return typeof thread === "string" ? thread : undefined;
}
