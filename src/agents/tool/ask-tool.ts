import { formatIssues, type Issue } from "../../core/kit/issue.js";
import { type Profile, profiles } from "../../core/kit/profiles.js";
import { messageOf } from "../../core/kit/tools.js";
import type { AskInput, AskRequest } from "../../core/model/ask.js";
import { deliverOutcome } from "../../core/model/delivery.js";
import { AsklineError } from "../../core/model/error.js";
import type { DeliveredOutcome, Outcome } from "../../core/model/outcome.js";
import type { Resolver } from "../../core/model/ports.js";
import { abortReason } from "../../core/rules/abort.js";
import { canonicalError, formatAnswers } from "../../core/text/canonical.js";
import { describeOutcome } from "../../core/text/describe-outcome.js";
import {
  ASK_TOOL_DESCRIPTION,
  type AskToolSchema,
  askToolSchema,
  parseToolInput,
  SUBAGENT_REFUSAL,
  TOOL_NAME,
} from "./ask-tool-definition.js";
import { createHandlerTool, type HandlerToolOptions } from "./handler-tool.js";

/** A tool as agent frameworks define it: what the model reads about it, and what runs when the model calls it. */
export interface AskTool<Strict extends boolean = boolean> {
  readonly name: string;
  readonly description: string;
  /** JSON Schema, with a description on every property. Fits what agent frameworks take, without a cast. */
  readonly inputSchema: AskToolSchema<Strict>;
  execute(input: unknown, call?: ToolCall): Promise<ToolResult>;
}

export interface ToolCall {
  readonly signal?: AbortSignal | undefined;
  /** Becomes the ask's key, so that a repeated call asks only once. */
  readonly toolCallId?: string | undefined;
  /** Set by the host if a subagent calls the tool. */
  readonly subagent?: boolean | undefined;
}

export interface ToolResult {
  /** What the model reads. */
  readonly text: string;
  readonly isError: boolean;
  readonly outcome?: DeliveredOutcome;
  /** The problems of an invalid input. */
  readonly issues?: readonly Issue[];
}

export interface ResolverToolOptions {
  /** The tool's name for the model; `ask_user_question` by default. */
  readonly name?: string;
  /** Who is asked: `connect()`, a hub, `terminalResolver()`, or your own. */
  readonly resolver: Resolver;
  /** The limits of what a model may ask; `profiles.canonical` by default. */
  readonly profile?: Profile;
  /** Whether `inputSchema` has the form that OpenAI's strict mode needs; false by default. */
  readonly strict?: boolean;
  /**
   * `canonical` (default): the canonical texts. `described`: `describeOutcome` for every outcome, which typed text
   * cannot imitate.
   */
  readonly text?: "canonical" | "described";
  /** Fields that the host adds to each ask, such as its session and its deadline. A model cannot set them. */
  readonly ask?: Omit<AskInput, "questions" | "approval" | "key"> | undefined;
}

/**
 * The tool that lets a model ask. With a `resolver` it returns the canonical texts. With a `handler`, which returns a
 * map from question text to answer, it returns that map.
 *
 * @example
 * const tool = createAskTool({ resolver, ask: { session: "s1" } });
 * const result = await tool.execute(input, { toolCallId: "call_1" });
 */
export function createAskTool(options: ToolOptions & { readonly strict: true }): AskTool<true>;
export function createAskTool(options: ToolOptions & { readonly strict?: false }): AskTool<false>;
export function createAskTool(options: ToolOptions): AskTool;
export function createAskTool(options: ToolOptions): AskTool {
  const { handler, resolver }: Partial<HandlerToolOptions & ResolverToolOptions> = options ?? {};
  if (typeof handler === "function") return createHandlerTool({ ...options, handler });
  if (typeof resolver?.ask === "function") return createResolverTool({ ...options, resolver });
  const message = "createAskTool needs a resolver or a handler: createAskTool({ resolver })";
  throw new AsklineError("invalid_request", message);
}

type ToolOptions = ResolverToolOptions | HandlerToolOptions;

function createResolverTool(options: ResolverToolOptions): AskTool {
  const profile = options.profile ?? profiles.canonical;
  const described = options.text === "described";
  return {
    name: options.name ?? TOOL_NAME,
    description: ASK_TOOL_DESCRIPTION,
    inputSchema: askToolSchema(profile, options),
    async execute(input, { signal, toolCallId, subagent } = {}) {
      if (subagent) return { text: SUBAGENT_REFUSAL, isError: true };
      const parsed = parseToolInput(input, profile, { ...options.ask, key: toolCallId });
      if (!parsed.ok) {
        return { text: problemText(parsed.issues, described), isError: true, issues: parsed.issues };
      }
      let outcome: DeliveredOutcome;
      try {
        const ended = await options.resolver.ask(parsed.ask, { signal });
        outcome = deliverOutcome(parsed.ask, ended);
      } catch (error) {
        if (signal?.aborted) throw abortReason(signal);
        return { text: `resolver error: ${messageOf(error)}`, isError: true };
      }
      if (outcome.kind === "withdrawn" && signal?.aborted) throw abortReason(signal);
      return { text: outcomeText(parsed.ask, outcome, described), isError: false, outcome };
    },
  };
}

export function problemText(issues: readonly Issue[], described: boolean): string {
  if (!described) {
    const undecodable = issues.some(({ code }) => code === "invalid_json" || code === "wrong_type");
    if (undecodable) return `invalid parameters: ${formatIssues(issues)}`;
    const first = canonicalError(issues);
    if (first !== undefined) return first;
  }
  return `The input is invalid, and nothing was asked. Fix these problems and call the tool again:\n${formatIssues(issues)}`;
}

/** What the model reads about an ask that has ended. */
export function outcomeText(ask: AskRequest, outcome: Outcome, described: boolean): string {
  if (described) return describeOutcome(ask, outcome);
  switch (outcome.kind) {
    case "answered":
      return formatAnswers(ask, outcome);
    case "declined":
    case "replied":
      return "[cancelled by user]";
    case "decided":
    case "expired":
    case "withdrawn":
    case "unavailable":
      return describeOutcome(ask, outcome);
  }
}
