// One tool call: from its arguments to an ask, from the ask's outcome to a result.
//
// The client says how long a call may take, and whether its own form or card asks. So a call can return while its ask is
// pending, which no other agent does: this loop is its own, and only its parts are those of the relay.
//
//   call ----finds the ask of an earlier call, or posts one----> waiting
//   waiting --outcome--------------------------> the outcome, delivered
//           --the client's limit comes near----> pending, with the ask's id
//           --cancelled, no timeout------------> withdrawn
//           --timeout, hang-up, end of process-> nothing is sent; the ask stays pending, and the same call finds it

import type { Clock } from "../../core/kit/clock.js";
import { isRecord, type Json } from "../../core/kit/json.js";
import { profiles } from "../../core/kit/profiles.js";
import type { Ask, AskInput, AskRequest } from "../../core/model/ask.js";
import { AsklineError } from "../../core/model/error.js";
import type { Outcome } from "../../core/model/outcome.js";
import { abortReason } from "../../core/rules/abort.js";
import { parseAsk } from "../../core/rules/parse-ask.js";
import { displayLine } from "../../core/text/display.js";
import { titleOf } from "../../core/text/title.js";
import { inboxWords } from "../../core/words/terminal-inbox.js";
import { originFields } from "../relay/origin.js";
import { withdrawAsk } from "../relay/port.js";
import { digestOf } from "../relay/rounds.js";
import { type ClaudePermission, claude } from "../shapes/claude.js";
import { CARD_TOOL } from "../shapes/shared/mcp-card.js";
import { parseToolInput } from "../tool/ask-tool-definition.js";
import { answerInCard, cardResult, usesCard } from "./cards.js";
import { type CallerFacts, isWithdrawal, waitOf } from "./clients.js";
import { askOfForm, type ClientForm, formRound, outcomeWithForm, usesForm } from "./forms.js";
import type { AgentPort } from "./port.js";
import {
  type CallResult,
  deliver,
  errorResult,
  faultResult,
  invalidInput,
  pendingResult,
  postedResult,
  textResult,
} from "./results.js";
import type { States } from "./states.js";
import { taskResult } from "./tasks.js";
import type { ToolName } from "./tools.js";
import { KEY_PREFIX, type Undelivered } from "./undelivered.js";

/** One call, as the client sent it. */
export interface ToolCall extends CallerFacts {
  readonly name: ToolName;
  readonly args: Readonly<Record<string, unknown>>;
  /** The client's own id of the call, such as Claude Code's. */
  readonly callId: string | undefined;
  /** The client's session, where its requests do not share a connection. */
  readonly session: string | undefined;
  /** The agents that lead to the caller, where the client names them. */
  readonly path: readonly string[];
  readonly takesTasks: boolean;
  /** Absent if the client shows no forms. */
  readonly form?: ClientForm | undefined;
  /** Whether the client shows cards (MCP Apps). */
  readonly showsCards: boolean;
  readonly signal: AbortSignal;
  /** Reports progress, if the client wants it. */
  progress(message: string): void;
}

export interface CallOptions {
  readonly port: AgentPort;
  readonly undelivered: Undelivered;
  readonly clock: Clock;
  /** The longest wait, in place of the client's own limit. */
  readonly waitMs: number | undefined;
  readonly tasks: "auto" | "always" | "never";
  readonly ask: Omit<AskInput, "questions" | "approval" | "key">;
  readonly project: string | undefined;
  /** Where a person can answer, such as `at http://127.0.0.1:4780`. */
  readonly where: string;
  /** Whether the client's own form is a surface, and whether the only one. */
  readonly elicit: "no" | "only" | "race";
  /** False if nobody can answer but in the client. */
  readonly hasInbox: boolean;
  /** Whether an approval may be answered in the client's form or card. */
  readonly trustClient: boolean;
  /** The person at the client. */
  readonly person: string | undefined;
  readonly hasCard: boolean;
  readonly states: States;
}

const PROGRESS_MS = 10_000;
const LISTED = 50;

export async function callTool(call: ToolCall, options: CallOptions): Promise<CallResult> {
  try {
    return await run(call, options);
  } catch (error) {
    if (call.signal.aborted) throw abortReason(call.signal);
    if (!(error instanceof AsklineError)) throw error;
    if (error.code === "not_found" || error.code === "invalid_ask" || error.code === "key_conflict") {
      return errorResult(`${error.message}`);
    }
    return faultResult(error);
  }
}

async function run(call: ToolCall, options: CallOptions): Promise<CallResult> {
  const { args } = call;
  const { port } = options;
  switch (call.name) {
    case "ask_user_question":
    case "post_question": {
      const parsed = parseToolInput(args, profiles.open, hostFields(call, options));
      return parsed.ok ? askPerson(parsed.ask, call, options) : invalidInput(parsed.issues);
    }
    case "ask_approval": {
      const approval = { actions: worded(args.actions, args.context) };
      const parsed = parseAsk({ ...hostFields(call, options), approval, context: args.context });
      return parsed.ok ? askPerson(parsed.ask, call, options) : invalidInput(parsed.issues);
    }
    case "permission_prompt":
      return permissionPrompt(call, options);
    case CARD_TOOL:
      return answerInCard(call, options);
    case "get_answer": {
      const seconds = args.wait_seconds ?? undefined;
      if (seconds !== undefined && !(typeof seconds === "number" && seconds >= 0 && seconds <= 3_600)) {
        return errorResult("wait_seconds must be a number from 0 to 3600.");
      }
      const ask = await port.get(requireId(args));
      return answerOf(ask, call, options, seconds === undefined ? undefined : seconds * 1_000);
    }
    case "list_pending": {
      const { asks, next } = await port.list({ status: "pending" }, { limit: LISTED, order: "newest" });
      return pendingList(asks, next !== undefined);
    }
    case "withdraw_question": {
      const id = requireId(args);
      const reason = typeof args.reason === "string" && args.reason !== "" ? args.reason : undefined;
      const ask = await port.get(id);
      if (ask.outcome !== undefined) return deliver(ask, options);
      const outcome = await withdrawAsk(port, ask, reason);
      if (outcome.kind !== "withdrawn") return deliver({ ...ask, status: outcome.kind, outcome }, options);
      return textResult(`${id} is withdrawn: nobody will answer it.`, { status: "withdrawn", ask_id: id });
    }
  }
}

/** A model words contexts and descriptions anew each time, and they may say what is done: a rule is of no use then. */
function worded(actions: unknown, context: unknown): unknown {
  if (!Array.isArray(actions)) return actions;
  return actions.map((action: unknown) =>
    isRecord(action) && [context, action.description].some((text) => typeof text === "string")
      ? { ...action, once: true }
      : action,
  );
}

function requireId({ ask_id: id }: ToolCall["args"]): string {
  if (typeof id === "string" && /^[\w.:-]{1,128}$/.test(id)) return id;
  throw new AsklineError("invalid_ask", 'ask_id must be the id of a question, such as "ask_0199…"');
}

/** What the host adds to each ask; a model cannot set it. */
function hostFields(call: ToolCall, { ask, project }: CallOptions): Omit<AskInput, "questions" | "approval"> {
  const agent = call.client === undefined ? undefined : displayLine(call.client);
  const origin = originFields({ agent, folder: project, path: call.path.map(displayLine) });
  return { ...origin, ...ask, metadata: { ...origin.metadata, ...ask.metadata } };
}

async function askPerson(request: AskRequest, call: ToolCall, options: CallOptions): Promise<CallResult> {
  const inForm = usesForm(call, options);
  if (!inForm && !options.hasInbox) return errorResult(nobodyToAsk(call, options));
  const ask = await post(request, call, options);
  if (inForm && ask.outcome === undefined && call.form?.revision === "2026-07-28") {
    const round = await formRound(ask, call.form, call, options);
    if (round !== undefined) return "form" in round ? round.form : deliver(round.ended, options);
  }
  const wantsTask = call.name === "post_question" ? options.tasks !== "never" : options.tasks === "always";
  if (usesCard(call, options) && !inForm && ask.outcome === undefined) return cardResult(ask, options);
  if (call.takesTasks && wantsTask && !inForm) return taskResult(ask, options);
  if (call.name !== "post_question") return answerOf(ask, call, options);
  return ask.outcome === undefined ? postedResult(ask, options.where) : deliver(ask, options);
}

/** Without a server, only the client's form can reach a person. */
function nobodyToAsk({ name, form }: ToolCall, { trustClient }: CallOptions): string {
  const why =
    form === undefined
      ? "this client shows no forms"
      : name === "ask_approval" && !trustClient
        ? "approvals are not given in the client's form unless askline runs with --trust-client"
        : `${name} needs a server`;
  return `Nobody can be asked: ${why}, and askline runs without a server. Nothing was asked.`;
}

/** The ask of an earlier call like this one whose outcome was not delivered, or a new one. */
async function post(request: AskRequest, call: ToolCall, options: CallOptions): Promise<Ask> {
  const { port, undelivered, project } = options;
  const { questions, approval = null, context = "" } = request;
  const hash = await digestOf([
    call.name === "post_question" ? "ask_user_question" : call.name,
    call.client ?? "",
    ...(call.session === undefined ? [] : [call.session]),
    project ?? "",
    { questions, approval, context } as unknown as Json,
  ]);
  const returned = await askOfForm(call, hash, options);
  if (returned !== undefined) return returned;
  const key = call.callId === undefined ? undefined : `${KEY_PREFIX}${call.callId}`.slice(0, 512);
  const found = await undelivered.find(hash, key);
  const metadata = { ...request.metadata, mcp: { call: hash, tool: call.name } };
  const ask = found ?? (await port.post({ ...request, metadata, key }));
  undelivered.asked(ask);
  return ask;
}

async function answerOf(
  ask: Ask,
  call: ToolCall,
  options: CallOptions,
  waitMs?: number,
): Promise<CallResult> {
  const ended = await ending(ask, call, options, waitMs);
  return ended === undefined ? pendingResult(ask, options.where) : deliver(ended, options);
}

/** The ended ask; undefined if the client's limit came first. Throws if the call was cancelled. */
async function ending(
  ask: Ask,
  call: ToolCall,
  options: CallOptions,
  waitMs: number | undefined,
): Promise<Ask | undefined> {
  if (ask.outcome !== undefined) return ask;
  const { port, clock, where } = options;
  const form = usesForm(call, options) ? call.form : undefined;
  const hasForm = form !== undefined && "show" in form;
  const longest = waitMs ?? options.waitMs ?? waitOf(call);
  const started = clock.monotonic();
  const elapsed = (): number => clock.monotonic() - started;
  const limit = new AbortController();
  const timers: (() => void)[] = [];
  const startLimit = (): void => {
    if (longest !== undefined) timers[0] = clock.schedule(longest, () => limit.abort());
  };
  // Nobody takes a form away while a person fills it in; clients know that they wait for their own form.
  if (!hasForm || options.waitMs !== undefined) startLimit();
  const report = (): void => {
    call.progress(`Waiting for a person to answer ${where} (${Math.round(elapsed() / 1_000)} s)`);
    timers[1] = clock.schedule(PROGRESS_MS, report);
  };
  if (call.hasProgress) report();
  options.undelivered.asked(ask);
  try {
    const signal = AbortSignal.any([limit.signal, call.signal]);
    const outcome: Outcome = hasForm
      ? await outcomeWithForm(ask, form, call, options, signal, startLimit)
      : await port.wait(ask.id, { signal });
    if (call.signal.aborted) throw abortReason(call.signal);
    return { ...ask, status: outcome.kind, outcome };
  } catch (error) {
    if (call.signal.aborted) {
      await cancelled(ask, call, options, elapsed());
      throw abortReason(call.signal);
    }
    if (limit.signal.aborted) return undefined;
    throw error;
  } finally {
    for (const cancel of timers) cancel?.();
  }
}

async function cancelled(ask: Ask, call: ToolCall, { port }: CallOptions, elapsedMs: number): Promise<void> {
  if (!isWithdrawal(call.signal.reason, elapsedMs, call)) return;
  await withdrawAsk(port, ask, "the call was cancelled").catch(() => undefined);
}

/** For `claude -p --permission-prompt-tool`: the decision as JSON text. */
async function permissionPrompt(call: ToolCall, options: CallOptions): Promise<CallResult> {
  const { tool_name: name, input, tool_use_id: callId } = call.args;
  if (typeof name !== "string" || !isRecord(input)) {
    return errorResult("permission_prompt needs tool_name and input.");
  }
  if (!options.hasInbox) return permission(deny(nobodyToAsk(call, options)));
  const prompt = { ...call, callId: typeof callId === "string" ? callId : call.callId };
  const fields = hostFields(call, options);
  if (name === "AskUserQuestion") {
    const decoded = claude.decodeAsk(input);
    if (!decoded.ok) return permission(deny(invalidInput(decoded.issues).content[0]?.text ?? ""));
    const ask = await post({ ...decoded.ask, ...fields } as AskRequest, prompt, options);
    const ended = await ending(ask, prompt, options, undefined);
    if (ended?.outcome === undefined) return permission(deny(notYet(ask)));
    deliver(ended, options);
    return permission(claude.encodeOutcome(ended, ended.outcome, { input }));
  }
  const parsed = parseAsk({ ...fields, approval: { actions: [{ name, args: input }] } });
  if (!parsed.ok) return permission(deny(invalidInput(parsed.issues).content[0]?.text ?? ""));
  const ask = await post(parsed.ask, prompt, options);
  const ended = await ending(ask, prompt, options, undefined);
  if (ended?.outcome === undefined) return permission(deny(notYet(ask)));
  const { content } = deliver(ended, options);
  const [decision] = ended.outcome.kind === "decided" ? ended.outcome.decisions : [];
  if (decision?.kind === "approve") return permission({ behavior: "allow", updatedInput: input });
  if (decision?.kind === "edit") return permission({ behavior: "allow", updatedInput: decision.args });
  return permission(deny(content[0]?.text ?? ""));
}

type Permission =
  | ClaudePermission
  | { readonly behavior: "allow"; readonly updatedInput: unknown }
  | { readonly behavior: "deny"; readonly message: string };

function deny(message: string): Permission {
  return { behavior: "deny", message };
}

function notYet({ id }: Ask): string {
  return `Nobody has decided yet; the request is still open as ${id}. Try the same call again later.`;
}

function permission(result: Permission): CallResult {
  return textResult(JSON.stringify(result));
}

function pendingList(asks: readonly Ask[], hasMore: boolean): CallResult {
  const pending = asks.map((ask) => ({
    ask_id: ask.id,
    question: titleOf(ask, inboxWords("en")),
    asked_at: new Date(ask.createdAt).toISOString(),
  }));
  const lines = pending.map(({ ask_id: id, question }) => `- ${id}: ${JSON.stringify(question)}`);
  const text =
    lines.length === 0
      ? "No question is open."
      : `${lines.length} open, newest first:\n${lines.join("\n")}${hasMore ? "\nThere are more." : ""}`;
  return textResult(text, { pending });
}
