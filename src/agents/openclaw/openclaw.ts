// A plugin for OpenClaw, as in the gateway protocol: a hook intercepts `AskUserQuestion` before it runs, asks a person
// through any Resolver and puts the answers into the call's parameters. OpenClaw does not always call the hook for a
// plugin's own tool, so the tool asks itself if the hook has not.
//
// The OpenClaw API is typed here structurally, as far as it is used: OpenClaw is not a dependency.

import { timeoutTextOf } from "../../client/gateway/gateway-resolver.js";
import { newUuid } from "../../client/random-id.js";
import { formatIssues } from "../../core/kit/issue.js";
import { isRecord, type JsonObject } from "../../core/kit/json.js";
import { profiles } from "../../core/kit/profiles.js";
import { keepNewest, messageOf } from "../../core/kit/tools.js";
import type { AskRequest } from "../../core/model/ask.js";
import type { Outcome } from "../../core/model/outcome.js";
import type { Resolver } from "../../core/model/ports.js";
import { describeOutcome } from "../../core/text/describe-outcome.js";
import { originFields } from "../relay/origin.js";
import type { GatewayAnswers } from "../shapes/gateway/envelopes.js";
import { gateway, timeoutText } from "../shapes/gateway.js";
import { ASK_TOOL_DESCRIPTION, askToolSchema, SDK_TOOL_NAME } from "../tool/ask-tool-definition.js";

type Params = Readonly<Record<string, unknown>>;

export interface OpenClawToolEvent {
  /** The name that OpenClaw passes to hooks: lower case, with `exec` for `bash`. */
  readonly toolName: string;
  readonly params: Record<string, unknown>;
  /** Absent in older versions. */
  readonly toolCallId?: string;
}

export interface OpenClawContext {
  readonly agentId?: string;
  readonly sessionKey?: string;
  readonly toolCallId?: string;
  /** For hooks: aborts when the call is cancelled. Absent in older versions. */
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

/** The part of OpenClaw's plugin `api` that is used. */
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
  /** How long an ask waits, in milliseconds; 120,000 by default, as in the gateway protocol. */
  readonly timeoutMs?: number;
  /** Which calls of other tools need a person's approval; none by default. */
  readonly needsApproval?: (toolName: string, params: Params) => boolean;
}

type Asked =
  | { readonly ok: true; readonly ask: AskRequest; readonly outcome: Outcome }
  | { readonly ok: false; readonly reason: string };

/**
 * OpenClaw gives a hook 15 seconds unless it asks for more; after that it blocks the call while the question stays
 * open. The hook asks for more time than the ask has, so that the ask ends first.
 */
const HOOK_SLACK_MS = 30_000;
/** The longest delay of a timer: a longer one fires at once. */
const LONGEST_HOOK_MS = 2_147_483_647;
/** Answers kept until their call runs; bounded, because a call may never run. */
const MOST_WAITING = 1_000;

/**
 * @example
 * const plugin = openClawPlugin({ resolver, needsApproval: (toolName) => toolName === "exec" });
 * console.log(plugin.id);
 */
export function openClawPlugin(options: OpenClawOptions): OpenClawPlugin {
  const { resolver, timeoutMs = 120_000, needsApproval = () => false } = options;
  // Answers that the hook got, by call id. The tool never trusts answers in its parameters: a model could have
  // written them.
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
      const outcome = await resolver.ask(parsed.ask, { signal });
      return { ok: true, ask: parsed.ask, outcome };
    } catch (error) {
      return { ok: false, reason: `resolver error: ${messageOf(error)}` };
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
          ...originFields({ agent: context.agentId }),
          key,
        },
        { signal: context.abortSignal },
      );
      const decision = outcome.kind === "decided" ? outcome.decisions[0] : undefined;
      if (decision?.kind === "approve") return undefined;
      if (decision?.kind === "edit") return { params: { ...decision.args } };
      // Describe the refused call by its name and the decision's action id.
      const action = { id: decision?.action ?? "", name: event.toolName, args: {}, allow: [] };
      const content = { questions: [], approval: { actions: [action] } };
      // OpenClaw replaces a blank reason by its own, which does not say that a person rejected the call.
      const reason = decision?.message?.trim() ? decision.message : timeoutTextOf(outcome);
      return block(reason ?? describeOutcome(content, outcome));
    } catch (error) {
      // Not approved.
      return block(`could not get an approval for this call: ${messageOf(error)}`);
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
      keepNewest(answered, MOST_WAITING);
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
    description: "Asks a person and waits for the answer.",
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
          // Without a call id the tool could not find the hook's answers: let the tool ask.
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

/** The gateway's answers map: `{}` for a dismissal; undefined if there is no answer. */
function answersOf(ask: AskRequest, outcome: Outcome): GatewayAnswers | undefined {
  const isEnding = outcome.kind === "answered" || outcome.kind === "declined";
  return isEnding ? gateway.encodeAnswers(ask, outcome) : undefined;
}

/** The tool's schema says `preview`, the gateway protocol says `markdown`; models send either. */
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
