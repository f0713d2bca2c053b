// A plugin for OpenClaw as source 004 describes it: `AskUserQuestion` is intercepted before it runs, a person is
// asked through any Resolver, and the answers go into the call's parameters. Tools that a plugin registers
// do not always pass that hook, so the tool asks by itself where the hook has not.
//
// The API is typed by its shape, as far as it is used here: OpenClaw is no dependency.

import { timeoutTextOf } from "../client/gateway/gateway-resolver.js";
import { newUuid } from "../client/random-id.js";
import {
  ASK_TOOL_DESCRIPTION,
  type AskOptions,
  type AskRequest,
  askToolSchema,
  describeOutcome,
  formatIssues,
  isRecord,
  type JsonObject,
  type Outcome,
  profiles,
  type Resolver,
  SDK_TOOL_NAME,
} from "../core/index.js";
import { messageOf } from "../core/kit/tools.js";
import { type GatewayAnswers, gateway, timeoutText } from "../dialects/gateway.js";

type Params = Readonly<Record<string, unknown>>;

export interface OpenClawToolEvent {
  /** As OpenClaw writes it for hooks: in lower case, `bash` as `exec`. */
  readonly toolName: string;
  readonly params: Record<string, unknown>;
  /** Older versions leave it out. */
  readonly toolCallId?: string;
}

export interface OpenClawContext {
  readonly agentId?: string;
  readonly sessionKey?: string;
  readonly toolCallId?: string;
  /** Of a hook: aborts when the call is cancelled. Older versions leave it out. */
  readonly abortSignal?: AbortSignal;
}

export interface OpenClawDecision {
  readonly params?: Record<string, unknown>;
  readonly block?: boolean;
  readonly blockReason?: string;
}

export interface OpenClawToolResult {
  readonly content: { readonly type: "text"; readonly text: string }[];
  readonly details: unknown;
}

export interface OpenClawTool {
  readonly name: string;
  readonly label: string;
  readonly description: string;
  readonly parameters: JsonObject;
  execute(toolCallId: string, params: unknown, signal?: AbortSignal): Promise<OpenClawToolResult>;
}

/** What is used of the `api` that OpenClaw hands to a plugin. */
export interface OpenClawApi {
  registerTool(make: (context: OpenClawContext) => OpenClawTool, options: { readonly name: string }): void;
  on(
    hook: "before_tool_call",
    handler: (event: OpenClawToolEvent, context: OpenClawContext) => Promise<OpenClawDecision | undefined>,
    options: { readonly timeoutMs: number },
  ): void;
}

export interface OpenClawPlugin {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  register(api: OpenClawApi): void;
}

export interface OpenClawOptions {
  readonly resolver: Resolver;
  /** How long a person has; 120,000 by default, as in the document. */
  readonly timeoutMs?: number;
  /** Which calls of other tools a person must approve first; none by default. */
  readonly needsApproval?: (toolName: string, params: Params) => boolean;
}

type Asked =
  | { readonly ok: true; readonly ask: AskRequest; readonly outcome: Outcome }
  | { readonly ok: false; readonly reason: string };

/**
 * OpenClaw gives a hook 15 seconds unless it asks for more, then blocks the call and leaves the person with a
 * question that nobody waits for. It gets more than the person has, so that the ask ends first.
 */
const HOOK_SLACK_MS = 30_000;
/** The longest that a timer can wait: one that is set for longer goes off at once. */
const LONGEST_HOOK_MS = 2_147_483_647;
/** Answers that wait for their call to run; a call that never does must not keep them for ever. */
const MOST_WAITING = 1_000;

/**
 * @example
 * const plugin = openClawPlugin({ resolver, needsApproval: (toolName) => toolName === "exec" });
 * console.log(plugin.id);
 */
export function openClawPlugin(options: OpenClawOptions): OpenClawPlugin {
  const { resolver, timeoutMs = 120_000, needsApproval = () => false } = options;
  // What the hook got for a call, by its id. Answers in the parameters are not looked at by the tool: a model
  // could have written them there itself.
  const answered = new Map<string, Extract<Asked, { readonly ok: true }>>();

  const ask = async (
    params: unknown,
    context: OpenClawContext,
    callId: string | undefined,
    signal?: AbortSignal,
  ): Promise<Asked> => {
    const parsed = gateway.decodeAsk({
      sessionKey: context.sessionKey ?? "",
      agentId: context.agentId,
      questionId: callId ?? newUuid(),
      questions: withMarkdown(isRecord(params) ? params.questions : undefined),
      timeoutMs,
    });
    if (!parsed.ok) return { ok: false, reason: `invalid parameters: ${formatIssues(parsed.issues)}` };
    try {
      const outcome = await resolver.ask(parsed.ask, untilAborted(signal));
      return { ok: true, ask: parsed.ask, outcome };
    } catch (error) {
      return {
        ok: false,
        reason: `resolver error: ${messageOf(error)}`,
      };
    }
  };

  const approve = async (
    event: OpenClawToolEvent,
    context: OpenClawContext,
  ): Promise<OpenClawDecision | undefined> => {
    try {
      const key = event.toolCallId ?? context.toolCallId;
      const outcome = await resolver.ask(
        {
          approval: { actions: [{ name: event.toolName, args: event.params as JsonObject }] },
          session: context.sessionKey ?? "",
          timeoutMs,
          ...(context.agentId !== undefined && { agentId: context.agentId }),
          ...(key !== undefined && { key }),
        },
        untilAborted(context.abortSignal),
      );
      const decision = outcome.kind === "decided" ? outcome.decisions[0] : undefined;
      if (decision?.kind === "approve") return undefined;
      if (decision?.kind === "edit") return { params: { ...decision.args } };
      // Its own call, by the name that the decision has for it: else the words would not say what was refused.
      const action = { id: decision?.action ?? "", name: event.toolName, args: {}, allow: [] };
      const content = { questions: [], approval: { actions: [action] } };
      // A blank reason would be replaced by OpenClaw's own, which does not say that a person said no.
      const said = decision?.message?.trim() ? decision.message : timeoutTextOf(outcome);
      return block(said ?? describeOutcome(content, outcome));
    } catch (error) {
      // Nobody said yes.
      return block(`this call could not be approved: ${messageOf(error)}`);
    }
  };

  const intercept = async (
    event: OpenClawToolEvent,
    context: OpenClawContext,
  ): Promise<OpenClawDecision | undefined> => {
    const callId = event.toolCallId ?? context.toolCallId;
    const asked = await ask(event.params, context, callId, context.abortSignal);
    if (!asked.ok) return block(asked.reason);
    const answers = answersOf(asked.ask, asked.outcome);
    if (answers === undefined) return block(textOf(asked.ask, asked.outcome));
    if (callId !== undefined) {
      answered.set(callId, asked);
      for (const oldest of answered.keys()) {
        if (answered.size <= MOST_WAITING) break;
        answered.delete(oldest);
      }
    }
    return { params: { ...event.params, answers } };
  };

  const textOf = (request: AskRequest, outcome: Outcome): string =>
    outcome.kind === "expired"
      ? (timeoutTextOf(outcome) ?? timeoutText(request.key ?? "", timeoutMs))
      : describeOutcome(request, outcome);

  return {
    id: "askline",
    name: "Askline",
    description: "Asks a person, and waits for the answer.",
    register(api) {
      api.registerTool(
        (context) => ({
          name: SDK_TOOL_NAME,
          label: "Ask the user",
          description: ASK_TOOL_DESCRIPTION,
          parameters: askToolSchema(profiles.claude),
          async execute(toolCallId, params, signal) {
            const known = answered.get(toolCallId);
            answered.delete(toolCallId);
            const asked = known ?? (await ask(params, context, toolCallId, signal));
            if (!asked.ok) return result(asked.reason, {});
            const answers = answersOf(asked.ask, asked.outcome);
            return result(textOf(asked.ask, asked.outcome), {
              outcome: asked.outcome.kind,
              ...(answers !== undefined && { answers }),
            });
          },
        }),
        { name: SDK_TOOL_NAME },
      );
      const before: Parameters<OpenClawApi["on"]>[1] = async (event, context) => {
        if (event.toolName.toLowerCase() === SDK_TOOL_NAME.toLowerCase()) {
          // Without an id the tool could not know that it was asked already: it asks by itself.
          const known = event.toolCallId ?? context.toolCallId;
          return known === undefined ? undefined : intercept(event, context);
        }
        return needsApproval(event.toolName, event.params) ? approve(event, context) : undefined;
      };
      api.on("before_tool_call", before, {
        timeoutMs: Math.min(timeoutMs + HOOK_SLACK_MS, LONGEST_HOOK_MS),
      });
    },
  };
}

function untilAborted(signal: AbortSignal | undefined): AskOptions {
  return signal === undefined ? {} : { signal };
}

/** The map of the document: `{}` for a dismissal; undefined where there is nothing to go on with. */
function answersOf(ask: AskRequest, outcome: Outcome): GatewayAnswers | undefined {
  const isEnding = outcome.kind === "answered" || outcome.kind === "declined";
  return isEnding ? gateway.encodeAnswers(ask, outcome) : undefined;
}

/** The tool's schema calls it a preview, the document markdown; models send either. */
function withMarkdown(questions: unknown): unknown {
  if (!Array.isArray(questions)) return questions;
  return questions.map((question: unknown) =>
    isRecord(question) && Array.isArray(question.options)
      ? {
          ...question,
          options: question.options.map((option: unknown) =>
            isRecord(option) ? { ...option, markdown: option.markdown ?? option.preview } : option,
          ),
        }
      : question,
  );
}

function block(blockReason: string): OpenClawDecision {
  return { block: true, blockReason };
}

function result(text: string, details: object): OpenClawToolResult {
  return { content: [{ type: "text", text }], details };
}
