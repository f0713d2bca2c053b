// The OpenAI Agents SDK (`@openai/agents` 0.20). A tool asks in place, or the run stops at `needsApproval`, its state is
// stored as text, and the tool reads the outcome from the hub when the run continues: the call's id is the ask's key, so
// the same call never asks twice.
//
// Nothing of the SDK is imported: its function tools are plain objects.

import { isRecord } from "../../core/kit/json.js";
import { profiles } from "../../core/kit/profiles.js";
import type { ActionInput } from "../../core/model/approval.js";
import type { Ask, AskInput } from "../../core/model/ask.js";
import { AsklineError } from "../../core/model/error.js";
import type { Resolver } from "../../core/model/ports.js";
import { describeOutcome } from "../../core/text/describe-outcome.js";
import type { RelayPort } from "../relay/port.js";
import { approveCall, NotApprovedError } from "../tool/approve-call.js";
import { createAskTool, type ResolverToolOptions, type ToolCall } from "../tool/ask-tool.js";
import { type AskToolSchema, parseToolInput, TOOL_NAME } from "../tool/ask-tool-definition.js";

export interface OpenAIAgentsOptions {
  /**
   * Whether the run stops at the call instead of waiting in it. Then store `result.state.toString()`, and call
   * {@link settleInterruptions} before each run.
   */
  readonly parked?: boolean;
}

export interface AskToolOptions
  extends OpenAIAgentsOptions,
    Omit<ResolverToolOptions, "resolver" | "strict"> {}

export interface ApprovalToolOptions extends OpenAIAgentsOptions, Pick<ResolverToolOptions, "ask"> {}

/** What the SDK passes to a tool about its call, as far as it is used. */
interface CallDetails {
  readonly toolCall?: { readonly callId?: string } | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A function tool of the SDK, as far as it is used. */
interface FunctionToolLike {
  readonly type: "function";
  readonly name: string;
  readonly description: string;
  invoke(runContext: never, input: string, details?: never): Promise<unknown>;
  needsApproval(runContext: never, input: never, callId?: string): Promise<boolean>;
}

// The SDK's own type has mutable fields.
interface OpenAIAskTool {
  type: "function";
  name: string;
  description: string;
  parameters: AskToolSchema<true>;
  strict: boolean;
  invoke: (runContext: unknown, input: string, details?: CallDetails) => Promise<string>;
  needsApproval: () => Promise<boolean>;
  isEnabled: () => Promise<boolean>;
}

// The tools that run with what a person decided, edits included.
const wrapped = new WeakSet<object>();

/**
 * A tool with which the model asks a person. An invalid input gives a text that lists the problems, and nobody is asked.
 *
 * @example
 * const tools = [askTool(resolver, { ask: { session: "s1" } })];
 */
export function askTool(resolver: Resolver, options: AskToolOptions = {}): OpenAIAskTool {
  const { parked = false, ...rest } = options;
  const tool = createAskTool({ text: "described", ...rest, resolver, strict: true });
  return {
    type: "function",
    name: tool.name,
    description: tool.description,
    parameters: tool.inputSchema,
    strict: true,
    invoke: async (_context, input, details) => (await tool.execute(input, callOf(details))).text,
    needsApproval: async () => parked,
    isEnabled: async () => true,
  };
}

/**
 * The same tool, which runs only after a person has approved its arguments, and with those that the person approved.
 * Otherwise the model reads how the ask ended.
 *
 * @example
 * const guarded = withApproval(askTool(resolver), resolver, { ask: { session: "s1" } });
 */
export function withApproval<T extends FunctionToolLike>(
  tool: T,
  resolver: Resolver,
  options: ApprovalToolOptions = {},
): T {
  const run = tool.invoke as (context: unknown, input: string, details?: CallDetails) => Promise<unknown>;
  const invoke: typeof run = async (context, input, details) => {
    const args = argumentsOf(input);
    // The tool itself tells the model what is wrong with its input.
    if (args === undefined) return run(context, input, details);
    try {
      const { args: approved } = await approveCall(resolver, actionOf(tool, args), {
        ask: options.ask,
        ...callOf(details),
      });
      return await run(context, JSON.stringify(approved), details);
    } catch (error) {
      if (error instanceof NotApprovedError) return error.message;
      throw error;
    }
  };
  const needsApproval = options.parked ? async () => true : tool.needsApproval;
  const result = { ...tool, invoke, needsApproval };
  wrapped.add(result);
  return result;
}

/** A run's state, as far as it is used. */
interface RunStateLike<Item> {
  getInterruptions(): readonly Item[];
  approve(item: Item): void;
  reject(item: Item, options?: { readonly message?: string }): void;
}

/** The agent's side of a hub or of a client, as far as it is used. */
type Poster = Pick<RelayPort, "post">;

export interface SettleOptions extends Pick<AskToolOptions, "name" | "profile"> {
  /** The same fields as those of the tools. A session is needed: with the call's id it names the ask. */
  readonly ask: NonNullable<ResolverToolOptions["ask"]> & { readonly session: string };
}

/**
 * Asks for every interruption of a run that was not asked yet, applies the outcomes of those that have ended, and
 * returns the asks that are still pending. While there are any, store the state's text and call this again later, in
 * any process. Tools that need an approval without {@link withApproval} can be approved and rejected, but not edited.
 *
 * @example
 * const canRun = async (state: Parameters<typeof settleInterruptions>[0]): Promise<boolean> =>
 *   (await settleInterruptions(state, hub, { ask: { session: "s1" } })).length === 0;
 */
export async function settleInterruptions<Item>(
  state: RunStateLike<Item>,
  hub: Poster,
  options: SettleOptions,
): Promise<readonly Ask[]> {
  const pending: Ask[] = [];
  for (const item of state.getInterruptions()) {
    const call = readItem(item);
    const request = requestOf(call, options);
    // The tool tells the model what is wrong with its input.
    if (request === undefined) {
      state.approve(item);
      continue;
    }
    const ask = await hub.post(request);
    if (ask.outcome === undefined) pending.push(ask);
    else if (call.name === (options.name ?? TOOL_NAME) || call.wrapped) state.approve(item);
    else {
      const { outcome } = ask;
      const decision = outcome.kind === "decided" ? outcome.decisions[0] : undefined;
      if (decision?.kind === "approve") state.approve(item);
      else {
        const alone = outcome.kind === "decided" && outcome.note === undefined ? decision : undefined;
        const reason = alone?.kind === "reject" ? alone.message : undefined;
        state.reject(item, { message: reason ?? describeOutcome(ask, outcome) });
      }
    }
  }
  return pending;
}

interface InterruptedCall {
  readonly name: string;
  readonly callId: string;
  readonly input: string;
  /** The tool, if {@link withApproval} made it. */
  readonly wrapped: FunctionToolLike | undefined;
}

function readItem(item: unknown): InterruptedCall {
  const { rawItem, agent, name } = isRecord(item) ? item : { rawItem: {}, agent: {}, name: undefined };
  const raw = isRecord(rawItem) ? rawItem : {};
  const callId = raw.callId ?? raw.id;
  const toolName = raw.name ?? name;
  if (typeof callId !== "string" || typeof toolName !== "string") {
    throw new AsklineError(
      "unsupported",
      "an interruption without a call id and a tool name cannot be asked",
    );
  }
  const tools: readonly unknown[] = isRecord(agent) && Array.isArray(agent.tools) ? agent.tools : [];
  return {
    name: toolName,
    callId,
    input: typeof raw.arguments === "string" ? raw.arguments : "{}",
    wrapped: tools.find(
      (tool): tool is FunctionToolLike => isRecord(tool) && tool.name === toolName && wrapped.has(tool),
    ),
  };
}

function requestOf(call: InterruptedCall, options: SettleOptions): AskInput | undefined {
  const host = { ...options.ask, key: call.callId };
  if (call.name === (options.name ?? TOOL_NAME)) {
    const parsed = parseToolInput(call.input, options.profile ?? profiles.canonical, host);
    return parsed.ok ? parsed.ask : undefined;
  }
  const args = argumentsOf(call.input);
  if (args === undefined) return undefined;
  const action = call.wrapped
    ? actionOf(call.wrapped, args)
    : { name: call.name, args, allow: ["approve", "reject"] as const };
  return { ...host, approval: { actions: [action] } };
}

// The same for a parked call and for the tool itself: the same key with other content would be refused.
function actionOf(
  { name, description }: FunctionToolLike,
  args: Readonly<Record<string, unknown>>,
): ActionInput {
  return { name, args, description };
}

function argumentsOf(input: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const args: unknown = JSON.parse(input === "" ? "{}" : input);
    return isRecord(args) ? args : undefined;
  } catch {
    return undefined;
  }
}

function callOf({ toolCall, signal }: CallDetails = {}): ToolCall {
  return { toolCallId: toolCall?.callId, signal };
}
