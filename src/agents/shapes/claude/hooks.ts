// Claude Code's hooks: the ask that an event stands for, what an ending of the ask returns to Claude Code, and how a
// later event ends the ask. The shapes were recorded from Claude Code 2.1.325 (test/vectors/claude-hooks.json).
//
//   PermissionRequest, PreToolUse, Elicitation ------> an ask, and then a decision, or none
//   PostToolUse, PostToolUseFailure -----------------> the person allowed it at the terminal, or answered there
//   PermissionDenied, ElicitationResult -------------> it is over, and a person did not decide here
//   Stop, SubagentStop, UserPromptSubmit, SessionEnd -> whatever that agent still asks is over

import { canonicalJson, isRecord, type Json, type JsonObject } from "../../../core/kit/json.js";
import { LIMITS } from "../../../core/kit/limits.js";
import type { Ask, AskInput } from "../../../core/model/ask.js";
import { endingOf as coreEndingOf, type Ending } from "../../../core/model/ending.js";
import type { Outcome } from "../../../core/model/outcome.js";
import type { By } from "../../../core/model/ports.js";
import { type ParsedAsk, parseAsk } from "../../../core/rules/parse-ask.js";
import { describeOutcome } from "../../../core/text/describe-outcome.js";
import { displayLine } from "../../../core/text/display.js";
import { claude, UNANSWERED_CAPABILITY } from "../claude.js";
import { askOfForm, formFields, replyToForm } from "../shared/schema-form.js";
import { refused } from "../shared.js";

/** An event, as far as an ask needs it. The output of a tool is not part of it. */
export interface ClaudeHook {
  readonly event: string;
  readonly session: string;
  readonly prompt: string | undefined;
  /** A subagent; absent for the main one. */
  readonly agent: string | undefined;
  readonly agentType: string | undefined;
  readonly cwd: string | undefined;
  readonly tool: string | undefined;
  readonly input: JsonObject;
  readonly toolUse: string | undefined;
  /** Rules of Claude Code's own that a person may make, in its words. */
  readonly suggestions: readonly JsonObject[];
  /** The person interrupted the tool. */
  readonly interrupted: boolean;
  readonly elicitation: ClaudeElicitation | undefined;
}

export interface ClaudeElicitation {
  readonly server: string;
  readonly message: string;
  readonly mode: string;
  readonly schema: JsonObject;
}

export const ASKING_EVENTS: readonly string[] = ["PermissionRequest", "PreToolUse", "Elicitation"];

/** The surface of a person who answers at Claude Code's own terminal. */
export const CLAUDE_SURFACE = "claude-code";

const MOST_SUGGESTIONS = 8;
const OWN_SERVER = /^(plugin[:_].*)?askline/i;

/** Undefined for anything that is not an event with a session. */
export function readClaudeHook(body: unknown): ClaudeHook | undefined {
  if (!isRecord(body)) return undefined;
  const event = nameIn(body.hook_event_name, 64);
  const session = nameIn(body.session_id, LIMITS.sessionLength);
  if (event === undefined || session === undefined) return undefined;
  const server = nameIn(body.mcp_server_name, LIMITS.idLength);
  return {
    event,
    session,
    prompt: nameIn(body.prompt_id, LIMITS.idLength),
    agent: nameIn(body.agent_id, LIMITS.idLength),
    agentType: nameIn(body.agent_type, LIMITS.idLength),
    cwd: nameIn(body.cwd, 4_096),
    tool: nameIn(body.tool_name, LIMITS.actionNameLength),
    input: isRecord(body.tool_input) ? (body.tool_input as JsonObject) : {},
    toolUse: nameIn(body.tool_use_id, LIMITS.idLength),
    suggestions: Array.isArray(body.permission_suggestions)
      ? (body.permission_suggestions.filter(isRecord).slice(0, MOST_SUGGESTIONS) as readonly JsonObject[])
      : [],
    interrupted: body.is_interrupt === true,
    elicitation:
      server === undefined
        ? undefined
        : {
            server,
            message: typeof body.message === "string" ? body.message : "",
            mode: typeof body.mode === "string" ? body.mode : "form",
            schema: isRecord(body.requested_schema) ? (body.requested_schema as JsonObject) : {},
          },
  };
}

/** What identifies the request within its session: Claude Code has no id for it when it asks for a permission. */
export function identityOf(hook: ClaudeHook): string {
  return canonicalJson([hook.prompt ?? "", hook.agent ?? "", ...sameRequest(hook)]);
}

/** The part that a later event of the same call repeats. The answers to questions are not part of it. */
export function callOf(hook: ClaudeHook): string {
  return canonicalJson(sameRequest(hook));
}

function sameRequest({ tool, input, elicitation }: ClaudeHook): readonly Json[] {
  if (elicitation !== undefined) {
    return ["Elicitation", elicitation.server, elicitation.message, elicitation.schema];
  }
  return [tool ?? "", tool === "AskUserQuestion" ? (input.questions ?? null) : input];
}

/**
 * The questions or the approval of an event. Undefined if there is nothing to ask here: another event, a question of our
 * own MCP server, a form that our questions cannot express, or a request too large to be shown whole.
 */
export function askOfHook(hook: ClaudeHook): AskInput | undefined {
  const { tool, input, elicitation } = hook;
  if (hook.event === "Elicitation") {
    if (elicitation === undefined || OWN_SERVER.test(elicitation.server)) return undefined;
    const form = elicitation.mode === "form" ? decodeElicitation(elicitation.schema) : undefined;
    if (form?.ok !== true) return undefined;
    const { questions, approval, allowPartial = false } = form.ask;
    const asks = `**${plain(elicitation.server)}** asks: ${plain(elicitation.message)}`;
    const context = join(asks, whereOf(hook));
    if (context.length > LIMITS.contextLength) return undefined;
    return approval === undefined ? { questions, allowPartial, context } : { approval, context };
  }
  if (tool === undefined || !ASKING_EVENTS.includes(hook.event) || isOwnTool(tool)) return undefined;
  if (tool === "AskUserQuestion") {
    const decoded = claude.decodeAsk(input);
    if (!decoded.ok) return undefined;
    const { questions } = decoded.ask;
    return { questions, allowPartial: questions.length > 1, context: whereOf(hook) };
  }
  if (tool === "ExitPlanMode") {
    const { plan } = input;
    const hasPlan = typeof plan === "string" && plan.trim() !== "";
    const context = join(hasPlan ? plan : "", whereOf(hook));
    if (context.length > LIMITS.contextLength || !fits(input)) return undefined;
    const allow = ["approve", "reject"] as const;
    const description = hasPlan
      ? "Approve this plan: Claude Code leaves plan mode and starts to work."
      : "Claude Code wants to leave plan mode. It has written no plan.";
    // Markdown can hide a part of its text, and context may be passed over: the plan itself is what has to be shown.
    return { approval: { actions: [{ name: tool, args: input, description, allow, once: true }] }, context };
  }
  if (!fits(input)) return undefined;
  const { description } = input;
  const rules = ownRules(hook.suggestions);
  const action = {
    name: tool,
    args: input,
    // One that is too long stands among the arguments, whole.
    description:
      typeof description === "string" && description.length <= LIMITS.descriptionLength
        ? description
        : undefined,
    rules: rules.length > 0 ? rules : undefined,
  };
  return { approval: { actions: [action] }, context: whereOf(hook) };
}

/** Our own MCP tools ask by themselves. */
function isOwnTool(tool: string): boolean {
  return /^mcp__(plugin_[^_]+_)?askline__/.test(tool);
}

function fits(args: JsonObject): boolean {
  return JSON.stringify(args).length <= LIMITS.argsLength;
}

/** Claude Code's own rules, in its words; those that cannot be told apart are not offered. */
function ownRules(suggestions: readonly JsonObject[]): readonly string[] {
  const labels = suggestions.map(labelOf);
  return labels.filter((label, index) => label.length <= LIMITS.idLength && labels.indexOf(label) === index);
}

function labelOf(suggestion: JsonObject): string {
  const { type, behavior, rules, mode, directories, destination } = suggestion;
  const listed = Array.isArray(rules)
    ? rules.filter(isRecord).map(({ toolName, ruleContent }) => {
        const content = ruleContent === undefined ? "" : `(${String(ruleContent)})`;
        return `${String(toolName)}${content}`;
      })
    : Array.isArray(directories)
      ? directories.map(String)
      : [];
  const what = [
    ...[type, behavior, mode].filter((part) => typeof part === "string"),
    ...listed.map((text) => JSON.stringify(text)),
  ].join(" ");
  return displayLine(
    `Claude Code: ${what}${typeof destination === "string" ? `, kept in ${destination}` : ""}`,
  );
}

/** Where the agent says that it works: nobody has verified it. */
function whereOf({ cwd, agentType }: ClaudeHook): string {
  const parts = [
    ...(cwd === undefined ? [] : [`Folder, as Claude Code reports it: ${plain(cwd)}`]),
    ...(agentType === undefined ? [] : [`Subagent: ${plain(agentType)}`]),
  ];
  return parts.join("\n\n");
}

function join(...parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join("\n\n");
}

/** As Markdown that reads as it is. */
function plain(text: string): string {
  return displayLine(text).replace(/[\\`*_{}[\]<>()#+!|~-]/g, "\\$&");
}

/** What Claude Code is told. Undefined for no decision: its own dialog goes on. */
export function decisionOf(hook: ClaudeHook, ask: Ask, outcome: Outcome): JsonObject | undefined {
  // The person answered at the terminal: Claude Code knows.
  if ("by" in outcome && outcome.by.kind === "person" && outcome.by.via !== undefined) return undefined;
  if (hook.event === "Elicitation") {
    const result = hook.elicitation && encodeElicitation(hook.elicitation.schema, ask, outcome);
    return result && specific("Elicitation", result);
  }
  const permission = permissionOf(hook, ask, outcome);
  if (permission === undefined) return undefined;
  const { behavior, message, updatedInput, updatedPermissions } = permission;
  if (hook.event === "PermissionRequest") {
    return specific("PermissionRequest", {
      decision: {
        behavior,
        ...(message !== undefined && { message }),
        ...(updatedInput !== undefined && { updatedInput }),
        ...(updatedPermissions !== undefined && { updatedPermissions }),
      },
    });
  }
  return specific("PreToolUse", {
    permissionDecision: behavior,
    permissionDecisionReason: message ?? "A person allowed this in Askline.",
    ...(updatedInput !== undefined && { updatedInput }),
  });
}

/** Parks a headless run until somebody resumes it. */
export const DEFERRED: JsonObject = specific("PreToolUse", {
  permissionDecision: "defer",
  permissionDecisionReason: "Nobody has decided yet. The question stays open; resume this session to go on.",
});

/**
 * What closes a gate of `PreToolUse` if nobody can be asked: by itself, Claude Code would let some calls through. Undefined
 * for everything else, where its own dialog goes on.
 */
export function unaskedDecision(body: unknown, why: string): JsonObject | undefined {
  const { event, tool } = readClaudeHook(body) ?? {};
  const isGate =
    event === "PreToolUse" && tool !== undefined && tool !== "AskUserQuestion" && !isOwnTool(tool);
  if (!isGate) return undefined;
  return specific("PreToolUse", {
    permissionDecision: "deny",
    permissionDecisionReason: `This call needs the approval of a person in Askline, and nobody could be asked: ${why}.`,
  });
}

interface Permission {
  readonly behavior: "allow" | "deny";
  readonly message?: string;
  readonly updatedInput?: JsonObject;
  readonly updatedPermissions?: readonly JsonObject[] | undefined;
}

function permissionOf(hook: ClaudeHook, ask: Ask, outcome: Outcome): Permission | undefined {
  switch (outcome.kind) {
    case "expired":
    case "withdrawn":
    case "unavailable":
      return undefined;
    case "declined":
    case "replied":
      return { behavior: "deny", message: describeOutcome(ask, outcome) };
    case "answered": {
      const options = { input: hook.input, capabilities: [UNANSWERED_CAPABILITY], from: "hook" } as const;
      const permission = claude.encodeOutcome(ask, outcome, options);
      if (permission.behavior === "deny") return permission;
      return { behavior: "allow", updatedInput: withoutUnanswered(permission.updatedInput) };
    }
    case "decided": {
      const [decision] = outcome.decisions;
      if (decision?.kind === "reject" || decision === undefined) {
        return { behavior: "deny", message: describeOutcome(ask, outcome) };
      }
      if (decision.kind === "edit") return { behavior: "allow", updatedInput: decision.args };
      const { remember } = decision;
      const chosen = hook.suggestions.find((suggestion) => labelOf(suggestion) === remember);
      return { behavior: "allow", updatedPermissions: chosen && [chosen] };
    }
  }
}

/** A session does not tell its hooks whether it takes these annotations; the words in the answers are for the model. */
function withoutUnanswered({
  questions,
  answers,
  annotations = {},
}: {
  readonly questions: readonly unknown[];
  readonly answers: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, object>>;
}): JsonObject {
  const kept = Object.entries(annotations).flatMap(([question, annotation]) => {
    const { unanswered: _, ...rest } = annotation as Record<string, unknown>;
    return Object.keys(rest).length === 0 ? [] : [[question, rest] as const];
  });
  const value = { questions, answers, ...(kept.length > 0 && { annotations: Object.fromEntries(kept) }) };
  return value as unknown as JsonObject;
}

function specific(hookEventName: string, output: JsonObject): JsonObject {
  return { hookSpecificOutput: { hookEventName, ...output } };
}

/** How an event ends an ask that stands for a request of the same session. */
export type HookEnding =
  | { readonly kind: "report"; readonly ending: Ending }
  | { readonly kind: "withdraw"; readonly reason: string };

/** Undefined if the event says nothing about the ask. `isSameCall`: the ask stands for the call of the event. */
export function endingOf(
  hook: ClaudeHook,
  ask: Ask,
  { agent, isSameCall, by }: By & { readonly agent: string | undefined; readonly isSameCall: boolean },
): HookEnding | undefined {
  const isSameAgent = hook.agent === agent;
  const over = (reason: string): HookEnding => ({ kind: "withdraw", reason });
  switch (hook.event) {
    case "PostToolUse":
      return isSameCall && isSameAgent ? allowedThere(hook, ask, by) : undefined;
    case "PostToolUseFailure":
      if (!isSameCall || !isSameAgent) return undefined;
      return ask.approval === undefined || hook.interrupted
        ? over("interrupted in Claude Code")
        : allowedThere(hook, ask, by);
    case "PermissionDenied":
      return isSameCall && isSameAgent ? over("refused in Claude Code") : undefined;
    case "ElicitationResult":
      return isSameCall ? over("answered in Claude Code") : undefined;
    case "Stop":
    case "SubagentStop":
      return isSameAgent ? over("Claude Code went on without it") : undefined;
    case "UserPromptSubmit":
      return isSameAgent ? over("the person went on in Claude Code") : undefined;
    case "SessionEnd":
      return over("the session in Claude Code ended");
    default:
      return undefined;
  }
}

/** The tool ran, so the person allowed it at the terminal; the answers to questions are in its input. */
function allowedThere(hook: ClaudeHook, ask: Ask, by: By["by"]): HookEnding {
  if (ask.approval !== undefined) {
    const decisions = ask.approval.actions.map(({ id }) => ({ action: id, kind: "approve" as const }));
    return { kind: "report", ending: { type: "decide", decisions } };
  }
  const decoded = claude.decodeOutcome(ask, hook.input, { by });
  const ending =
    decoded.ok && decoded.outcome.kind === "answered" ? coreEndingOf(decoded.outcome) : undefined;
  return ending === undefined
    ? { kind: "withdraw", reason: "answered in Claude Code" }
    : { kind: "report", ending };
}

function nameIn(value: unknown, max: number): string | undefined {
  return typeof value === "string" && value.trim() !== "" && value.length <= max && !/\p{Cc}/u.test(value)
    ? value
    : undefined;
}

/** Refused, if an ask cannot express the form; the client then shows its own. */
function decodeElicitation(schema: JsonObject): ParsedAsk {
  const form = askOfForm(schema);
  if (!form.ok) return refused("invalid_value", ["requested_schema"], form.message);
  const names = formFields(schema).map(({ name }) => name);
  const questions = form.content.questions?.map((question, index) => ({ ...question, id: names[index] }));
  return parseAsk({ ...form.content, questions });
}

/** `{ action, content? }`. Undefined for an outcome that decides nothing. */
function encodeElicitation(schema: JsonObject, ask: Ask, outcome: Outcome): JsonObject | undefined {
  const reply = replyToForm(schema, ask.questions, outcome);
  if (reply?.action !== "accept") return reply;
  // What does not fit the form is sent as it is: the server refuses it in its own words.
  return { action: "accept", content: reply.content };
}
