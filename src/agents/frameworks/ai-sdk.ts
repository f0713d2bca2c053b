// The AI SDK (`ai` 6 and 7). Three ways to ask:
//
//   askTool(resolver)        the tool waits in place
//   withApproval(tool, …)    a person approves, edits or rejects the arguments before a tool runs
//   parkedAskTool() + park() the run stops at the call; messages are stored, and continued when the ask has ended
//
// Nothing of the SDK is imported: its tools are plain objects, and it takes any Standard Schema. So both versions work,
// whichever copy of the SDK the program has.

import { isRecord } from "../../core/kit/json.js";
import { profiles } from "../../core/kit/profiles.js";
import type { Ask } from "../../core/model/ask.js";
import { AsklineError } from "../../core/model/error.js";
import type { Outcome } from "../../core/model/outcome.js";
import type { Resolver } from "../../core/model/ports.js";
import type { RelayPort } from "../relay/port.js";
import { approveCall } from "../tool/approve-call.js";
import { createAskTool, outcomeText, problemText, type ResolverToolOptions } from "../tool/ask-tool.js";
import {
  ASK_TOOL_DESCRIPTION,
  askToolSchema,
  parseToolInput,
  TOOL_NAME,
} from "../tool/ask-tool-definition.js";
import { checkEdited, misfit, type OpenSchema, openSchema } from "../tool/open-schema.js";

export type AskToolOptions = Omit<ResolverToolOptions, "resolver" | "strict">;

/** What the SDK passes to `execute`, as far as it is used. */
interface AiSdkCall {
  readonly toolCallId: string;
  readonly abortSignal?: AbortSignal | undefined;
}

/** The output of the ask tool: `text` is what the model reads, `outcome` is for the program and its pages. */
interface AskToolOutput {
  readonly text: string;
  readonly outcome: Outcome;
}

/** What the model wrote. The tool checks it and reports every problem, so the schema lets everything through. */
type AskToolInput = Readonly<Record<string, unknown>>;

type AskToolInputSchema = OpenSchema<AskToolInput, unknown>;

interface ParkedAskTool {
  readonly description: string;
  readonly inputSchema: AskToolInputSchema;
}

interface AiSdkAskTool extends ParkedAskTool {
  execute(input: AskToolInput, call: AiSdkCall): Promise<AskToolOutput>;
  toModelOutput(result: { readonly output: AskToolOutput }): { type: "text"; value: string };
}

/**
 * A tool with which the model asks a person; it waits in place. An invalid input is a tool error that lists the
 * problems, and nobody is asked.
 *
 * @example
 * const tools = { ask_user_question: askTool(resolver, { ask: { session: "s1" } }) };
 */
export function askTool(resolver: Resolver, options: AskToolOptions = {}): AiSdkAskTool {
  const tool = createAskTool({ text: "described", ...options, resolver });
  return {
    ...parkedAskTool(options),
    async execute(input, { toolCallId, abortSignal }) {
      const { text, isError, outcome } = await tool.execute(input, { toolCallId, signal: abortSignal });
      if (isError || outcome === undefined) throw new Error(text);
      return { text, outcome };
    },
    toModelOutput: ({ output }) => ({ type: "text", value: output.text }),
  };
}

/**
 * The ask tool without `execute`: the SDK stops at a call, so that no process has to wait. {@link park} asks, and
 * {@link resume} or another {@link park} adds the result.
 *
 * @example
 * const tools = { ask_user_question: parkedAskTool() };
 */
export function parkedAskTool(options: Pick<AskToolOptions, "profile"> = {}): ParkedAskTool {
  const profile = options.profile ?? profiles.canonical;
  return { description: ASK_TOOL_DESCRIPTION, inputSchema: openSchema(() => askToolSchema(profile)) };
}

/** Any tool of the SDK, as far as it is used. */
interface ApprovableTool {
  readonly description?: unknown;
  readonly title?: unknown;
  readonly inputSchema?: unknown;
  readonly execute?: ((input: never, options: never) => unknown) | undefined;
}

export interface WithApprovalOptions {
  /** The name that the person sees. Tools of the SDK have none of their own; by default it is the tool's title. */
  readonly name?: string;
  readonly ask?: ResolverToolOptions["ask"];
}

/**
 * The same tool, which runs only after a person has approved its arguments, and with those that the person approved.
 * Anything else is a tool error whose text says how the ask ended.
 *
 * @example
 * const remove = { description: "Deletes a file", execute: async ({ path }: { path: string }) => `deleted ${path}` };
 * const tools = { remove: withApproval(remove, resolver, { name: "remove" }) };
 */
export function withApproval<T extends ApprovableTool>(
  tool: T,
  resolver: Resolver,
  options: WithApprovalOptions = {},
): T {
  const run = tool.execute as ((input: unknown, call: AiSdkCall) => unknown) | undefined;
  if (run === undefined) {
    throw new AsklineError("invalid_request", "withApproval needs a tool with an execute function");
  }
  const { name = typeof tool.title === "string" ? tool.title : "tool call" } = options;
  const description = typeof tool.description === "string" ? tool.description : undefined;
  const execute = async (input: unknown, call: AiSdkCall): Promise<unknown> => {
    // What was proposed, even if its owner changes it while the person reads.
    const kept = structuredClone(input);
    const { args, edited } = await approveCall(
      resolver,
      { name, args: isRecord(kept) ? kept : { input: kept }, description },
      {
        ask: options.ask,
        signal: call.abortSignal,
        toolCallId: call.toolCallId,
      },
    );
    // The SDK has checked and transformed the input already; a second time only for what a person wrote.
    const approved = edited ? await checked(tool.inputSchema, isRecord(kept) ? args : args.input) : kept;
    return lastOf(run.call(tool, approved, call));
  };
  return { ...tool, execute } as T;
}

type Message = Readonly<Record<string, unknown>>;

export interface ParkOptions extends Omit<AskToolOptions, "ask"> {
  /** Fields of each ask. A session is needed: with the call's id it names the ask, so that it is asked once. */
  readonly ask: NonNullable<AskToolOptions["ask"]> & { readonly session: string };
}

/** The agent's side of a hub or of a client, as far as it is used. */
type Poster = Pick<RelayPort, "post">;

export interface Parked<M> {
  /** The messages, with the results of the calls that have ended or were invalid. */
  readonly messages: M[];
  /** The asks that are still pending. While there are any, the model cannot go on. */
  readonly pending: readonly Ask[];
}

/**
 * Asks for every call of the ask tool that has no result yet, and adds the results of asks that have ended. Store the
 * messages and call this again later, in any process: each call is asked once.
 *
 * @example
 * const { messages, pending } = await park([], hub, { ask: { session: "s1" } });
 * console.log(messages.length, pending.length);
 */
export async function park<M extends object>(
  messages: readonly M[],
  hub: Poster,
  options: ParkOptions,
): Promise<Parked<M>> {
  let next = [...messages];
  const pending: Ask[] = [];
  for (const call of openCalls(messages, options.name)) {
    const parsed = parseToolInput(call.input, options.profile ?? profiles.canonical, {
      ...options.ask,
      key: call.toolCallId,
    });
    if (!parsed.ok) {
      next = withResult(next, call, {
        type: "error-text",
        value: problemText(parsed.issues, options.text !== "canonical"),
      });
      continue;
    }
    const ask = await hub.post(parsed.ask);
    if (ask.outcome === undefined) pending.push(ask);
    else next = resume(next, ask.outcome, { ...options, toolCallId: call.toolCallId });
  }
  return { messages: next, pending };
}

export interface ResumeOptions extends Pick<AskToolOptions, "name" | "profile" | "text"> {
  /** Needed if several calls have no result. */
  readonly toolCallId?: string;
}

/**
 * The messages with the result of a parked call, ready for the model.
 *
 * @example
 * const messages = [{ role: "assistant", content: [{ type: "tool-call", toolCallId: "call_1", toolName: "ask_user_question", input }] }];
 * console.log(resume(messages, outcome).length);
 */
export function resume<M extends object>(
  messages: readonly M[],
  outcome: Outcome,
  options: ResumeOptions = {},
): M[] {
  const open = openCalls(messages, options.name);
  const named = open.filter(
    ({ toolCallId }) => options.toolCallId === undefined || toolCallId === options.toolCallId,
  );
  const [call] = named;
  if (call === undefined || named.length > 1) {
    const ids = open.map(({ toolCallId }) => toolCallId).join(", ") || "none";
    const message = `the messages must have exactly one call without a result; set toolCallId to one of: ${ids}`;
    throw new AsklineError("invalid_request", message);
  }
  const parsed = parseToolInput(call.input, options.profile ?? profiles.canonical, {});
  if (!parsed.ok) {
    throw new AsklineError("invalid_ask", `the call ${call.toolCallId} is invalid and was not asked`, {
      issues: parsed.issues,
    });
  }
  const value = outcomeText(parsed.ask, outcome, options.text !== "canonical");
  return withResult([...messages], call, { type: "text", value });
}

interface OpenCall {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: unknown;
}

function openCalls(messages: readonly object[], name: string = TOOL_NAME): readonly OpenCall[] {
  const parts = (messages as readonly Message[]).flatMap(({ content }) =>
    Array.isArray(content) ? content.filter(isRecord) : [],
  );
  const done = new Set(parts.flatMap((part) => (part.type === "tool-result" ? [part.toolCallId] : [])));
  return parts.flatMap(({ type, toolCallId, toolName, input }) =>
    type === "tool-call" && toolName === name && typeof toolCallId === "string" && !done.has(toolCallId)
      ? [{ toolCallId, toolName: name, input }]
      : [],
  );
}

function withResult<M extends object>(
  messages: M[],
  { toolCallId, toolName }: OpenCall,
  output: { readonly type: "text" | "error-text"; readonly value: string },
): M[] {
  const result = { role: "tool", content: [{ type: "tool-result", toolCallId, toolName, output }] };
  return [...messages, result as unknown as M];
}

/** Arguments that a person may have edited, checked by the tool's own schema. */
async function checked(schema: unknown, args: unknown): Promise<unknown> {
  const found: unknown = typeof schema === "function" && !("~standard" in schema) ? schema() : schema;
  const { "~standard": standard, validate } = Object(found) as SdkSchema;
  if (standard !== undefined || validate === undefined) return checkEdited(found, args);
  const result = await validate(args);
  if (!result.success) throw misfit(String(result.error?.message ?? result.error));
  return result.value;
}

/** A schema of the SDK's own, or a Standard Schema. */
interface SdkSchema {
  readonly "~standard"?: unknown;
  readonly validate?: (value: unknown) => PromiseLike<SdkValidation> | SdkValidation;
}

interface SdkValidation {
  readonly success: boolean;
  readonly value?: unknown;
  readonly error?: Error;
}

/** A tool that yields its progress: its last value is its output. */
async function lastOf(result: unknown): Promise<unknown> {
  const value = await result;
  if (typeof value !== "object" || value === null || !(Symbol.asyncIterator in value)) return value;
  let last: unknown;
  for await (const item of value as AsyncIterable<unknown>) last = item;
  return last;
}
