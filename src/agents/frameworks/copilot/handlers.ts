// A session of GitHub's Copilot SDK asks its host in four ways. Each becomes an ask:
//
//   onUserInputRequest    the tool `ask_user`: one question
//   onElicitationRequest  a form, such as that of an MCP server
//   onPermissionRequest   what the runtime wants a permission for: an approval, without edits
//   hooks.onPreToolUse    tools that the host names: an approval, with edits
//
//   request --asked, or found by its key--> waiting --outcome--> the response
//   waiting --the turn is aborted--------> withdrawn
//           --the session disconnects----> nothing is sent; the ask stays pending
//
// The SDK gives no id and no signal to its handlers. So the key is made of the request, and `onEvent` says when a turn
// was aborted. Plain objects of the SDK's shape: nothing of it is imported.

import { isRecord, type Json } from "../../../core/kit/json.js";
import { messageOf } from "../../../core/kit/tools.js";
import type { AskInput } from "../../../core/model/ask.js";
import { AsklineError } from "../../../core/model/error.js";
import type { Outcome } from "../../../core/model/outcome.js";
import type { Resolver } from "../../../core/model/ports.js";
import { parseAsk } from "../../../core/rules/parse-ask.js";
import { describeOutcome } from "../../../core/text/describe-outcome.js";
import { writtenWords } from "../../../core/text/written-words.js";
import { formPrompt } from "../../relay/form.js";
import { resolverPort } from "../../relay/port.js";
import { type Content, createRelay, type Prompt } from "../../relay/relay.js";
import type { FormValue } from "../../shapes/shared/schema-form.js";
import { type ApprovalContent, approvalOf, type PermissionRequest, permissionContent } from "./permission.js";
import { inputAnswer, inputContent, type UserInputRequest, type UserInputResponse } from "./user-input.js";

export interface AsklineOptions {
  /** Fields that you add to each ask. The session is the Copilot session, unless it is set here. */
  readonly ask?: Omit<AskInput, "questions" | "approval" | "context" | "key">;
  /**
   * The tools that a person approves before they run, and whose arguments the person may edit: these names, or those
   * that the function accepts; none by default. The runtime then asks for no permission of its own.
   */
  readonly approve?: readonly string[] | ((name: string, args: unknown) => boolean);
  /** Called with what a person wrote beside a form or instead of it, for which the SDK has no field. */
  readonly onMessage?: (text: string, sessionId: string) => void;
}

interface Invocation {
  readonly sessionId: string;
}

/** What the SDK says about a form, as far as it is used. */
export interface ElicitationRequest extends Invocation {
  readonly message: string;
  readonly requestedSchema?: object | undefined;
  readonly mode?: string | undefined;
}

export interface ElicitationResponse {
  action: "accept" | "decline" | "cancel";
  content?: Record<string, FormValue>;
}

export type PermissionResponse =
  | { kind: "approve-once"; approvedInteractively: boolean }
  | { kind: "reject"; feedback?: string }
  | { kind: "user-not-available" };

export interface PreToolUseOutput {
  permissionDecision: "allow" | "deny";
  permissionDecisionReason?: string;
  modifiedArgs?: unknown;
}

/** For the configuration of one session. */
export interface CopilotHandlers {
  onUserInputRequest(request: UserInputRequest, invocation: Invocation): Promise<UserInputResponse>;
  onElicitationRequest(request: ElicitationRequest): Promise<ElicitationResponse>;
  onPermissionRequest(request: PermissionRequest, invocation: Invocation): Promise<PermissionResponse>;
  /** If you have a handler of your own, use `session.on`. */
  onEvent(event: { readonly type: string; readonly data?: unknown }): void;
  /** Only with `approve`. */
  hooks?: { onPreToolUse: PreToolUse };
}

type PreToolUse = (
  input: { readonly toolName: string; readonly toolArgs: unknown },
  invocation: Invocation,
) => Promise<PreToolUseOutput | undefined>;

const NEVER = new AbortController().signal;

/**
 * Handlers for one session of the Copilot SDK: questions, forms and permission requests go to a person. Call it for
 * each session.
 *
 * @example
 * // For the SDK: client.createSession({ ...askline(resolver), model })
 * const config = { ...askline(resolver, { approve: ["bash"], ask: { recipients: ["ana"] } }) };
 */
export function askline(resolver: Resolver, options: AsklineOptions = {}): CopilotHandlers {
  const { approve, onMessage } = options;
  const isForPerson = (name: string, args: unknown): boolean =>
    typeof approve === "function" ? approve(name, args) : approve?.includes(name) === true;

  const relay = createRelay(resolverPort(resolver), options);
  /** What waits, with the call of a permission request: the runtime says when that has ended elsewhere. */
  const waiting = new Map<Prompt<unknown>, string | undefined>();

  const ask = async <R>(
    { content, reply }: Pick<Prompt<R>, "content" | "reply">,
    session: string,
    toolCallId?: string,
  ): Promise<R | undefined> => {
    const identity = [session, content as unknown as Json];
    const prompt = { identity, origin: { agent: "copilot", session }, content, reply };
    waiting.set(prompt, toolCallId);
    try {
      return await relay.ask(prompt, NEVER);
    } finally {
      waiting.delete(prompt);
    }
  };
  const outcomeOf = async (content: Content, session: string, toolCallId?: string): Promise<Outcome> => {
    const reply = (_ask: unknown, outcome: Outcome) => ({ reply: outcome });
    return (await ask({ content, reply }, session, toolCallId)) ?? { kind: "withdrawn" };
  };

  const onPreToolUse: PreToolUse = async ({ toolName, toolArgs }, { sessionId }) => {
    if (!isForPerson(toolName, toolArgs)) return undefined;
    try {
      const args = isRecord(toolArgs) ? toolArgs : { input: toolArgs };
      const content = approvalOf({ name: toolName, args, allow: ["approve", "edit", "reject"] });
      return hookOutput(content, await outcomeOf(content, sessionId), isRecord(toolArgs));
    } catch (error) {
      // The runtime would go on without an answer.
      const reason = `Nobody could be asked: ${messageOf(error)}`;
      return { permissionDecision: "deny", permissionDecisionReason: reason };
    }
  };

  return {
    async onUserInputRequest(request, { sessionId }) {
      const content = inputContent(request);
      return inputAnswer(request, content, await outcomeOf(content, sessionId));
    },

    async onElicitationRequest({ sessionId, message, requestedSchema, mode = "form" }) {
      const form = formPrompt<ElicitationResponse>(requestedSchema, message, (read, outcome) => {
        const words = writtenWords(outcome);
        if (words !== undefined) onMessage?.(words, sessionId);
        return read?.action === "accept"
          ? { action: "accept", content: read.content }
          : { action: read?.action ?? "cancel" };
      });
      const cancel: ElicitationResponse = { action: "cancel" };
      if (mode !== "form" || !form.ok) return cancel;
      try {
        return (await ask(form, sessionId)) ?? cancel;
      } catch (error) {
        // What does not fit is not asked here.
        if (error instanceof AsklineError && error.code === "invalid_ask") return cancel;
        throw error;
      }
    },

    async onPermissionRequest(request, { sessionId }) {
      const content = permissionContent(request);
      // What does not fit is not asked here.
      if (!parseAsk(content).ok) return { kind: "user-not-available" };
      const outcome = await outcomeOf(content, sessionId, request.toolCallId);
      switch (outcome.kind) {
        case "decided": {
          const [decision] = outcome.decisions;
          const isPerson = outcome.by.kind === "person";
          if (decision?.kind === "approve" && (isPerson || request.managedApprovalRequired !== true)) {
            return { kind: "approve-once", approvedInteractively: isPerson };
          }
          return decision?.kind === "approve" ? { kind: "user-not-available" } : rejection(outcome);
        }
        case "answered":
        case "declined":
        case "replied":
          return rejection(outcome);
        case "expired":
        case "withdrawn":
        case "unavailable":
          return { kind: "user-not-available" };
      }
    },

    onEvent({ type, data }) {
      const { toolCallId } = isRecord(data) ? data : {};
      for (const [prompt, own] of waiting) {
        const isElsewhere = type === "permission.completed" && own !== undefined && own === toolCallId;
        if (type !== "abort" && !isElsewhere) continue;
        void relay.endedThere(prompt, "the turn was aborted").catch(() => undefined);
      }
    },

    ...(approve !== undefined && { hooks: { onPreToolUse } }),
  };
}

function rejection(outcome: Outcome): PermissionResponse {
  const feedback = writtenWords(outcome);
  return { kind: "reject", ...(feedback !== undefined && { feedback }) };
}

function hookOutput(content: ApprovalContent, outcome: Outcome, isObject: boolean): PreToolUseOutput {
  const decision = outcome.kind === "decided" ? outcome.decisions[0] : undefined;
  if (decision?.kind === "approve") return { permissionDecision: "allow" };
  if (decision?.kind === "edit") {
    const { args } = decision;
    return { permissionDecision: "allow", modifiedArgs: isObject ? args : args.input };
  }
  const parsed = parseAsk(content);
  const reason = parsed.ok ? describeOutcome(parsed.ask, outcome) : outcome.kind;
  return { permissionDecision: "deny", permissionDecisionReason: reason };
}
