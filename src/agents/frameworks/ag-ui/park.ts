// An agent that speaks AG-UI. A call of the ask tool, or of a tool that needs an approval, ends the run with an
// interrupt; the next run has the result.
//
//   call --posted, or found by its key--> pending --> an interrupt of this run
//   pending --resume entry of the front end, valid--> settled in the hub, as reported of `person`
//           --resume entry, invalid-----------------> the same interrupt again, with what is wrong
//           --answered in an inbox------------------> settled; what a resume entry says then does not count
//   settled --> the result of the call; an approved tool runs, once
//
// Messages and resume entries come from a front end: both are read with care, and only the hub's outcome counts.

import type { Issue } from "../../../core/kit/issue.js";
import { isRecord, type JsonObject } from "../../../core/kit/json.js";
import { profiles } from "../../../core/kit/profiles.js";
import { messageOf } from "../../../core/kit/tools.js";
import type { Ask } from "../../../core/model/ask.js";
import { endingOf } from "../../../core/model/ending.js";
import { AsklineError } from "../../../core/model/error.js";
import type { Answerer, Outcome } from "../../../core/model/outcome.js";
import { type ParsedAsk, parseAsk } from "../../../core/rules/parse-ask.js";
import { describeOutcome } from "../../../core/text/describe-outcome.js";
import { type RelayPort, type ReportPort, reportThere } from "../../relay/port.js";
import { type ResumePort, resumeOnce } from "../../relay/resume.js";
import { ELICITATION_META_KEY } from "../../shapes/elicitation/shape.js";
import { elicitation } from "../../shapes/elicitation.js";
import { problemText, type ResolverToolOptions } from "../../tool/ask-tool.js";
import { parseToolInput, TOOL_NAME } from "../../tool/ask-tool-definition.js";
import { APPROVAL_SCHEMA, readApproval } from "./approval.js";
import type { Interrupt, ResumeEntry, ToolMessage } from "./shapes.js";

/** The input of a run, as far as it is used. */
export interface RunInput<M extends object = object> {
  readonly threadId: string;
  readonly messages: readonly M[];
  readonly resume?: readonly object[] | undefined;
}

/** What `park` needs of a hub: a client of a server, or a hub in this process. */
export interface ParkPort extends Pick<RelayPort, "post">, ReportPort, ResumePort {}

export interface ParkOptions extends Pick<ResolverToolOptions, "name" | "profile" | "ask"> {
  /**
   * The person at the front end, verified by your sign-in: what its `resume` entries say ends the asks, as given by
   * this person. Without it, asks are answered elsewhere, and a `resume` only looks whether they have ended.
   */
  readonly person?: string;
  /** The tools that run only if a person approves, and with the arguments that the person approved. */
  readonly tools?: Readonly<Record<string, (args: never, call: { readonly toolCallId: string }) => unknown>>;
}

export interface Parked<M extends object> {
  /** The messages for the model: those of the input, with the results. */
  readonly messages: (M | ToolMessage)[];
  /** The results that are new. */
  readonly results: readonly ToolMessage[];
  /** The asks that are still pending. While there are any, the model cannot go on. */
  readonly pending: readonly Ask[];
  /** For `RUN_FINISHED`, unless the run goes on. */
  readonly outcome: { type: "interrupt"; interrupts: Interrupt[] } | { type: "success" };
  /** Entries of `resume` that belong to none of the open calls. */
  readonly unmatched: readonly ResumeEntry[];
}

const SURFACE = "ag-ui";

/**
 * Asks for every call of the ask tool, and of the tools that need an approval, that has no result yet; applies what the
 * front end sent in `resume`; and adds the results of those that have ended. Call it at the start of each run and after
 * each turn of the model: each call is asked once. The session is the thread, unless `ask.session` is set.
 *
 * @example
 * const { messages, pending } = await park({ threadId: "thread-1", messages: [] }, hub, { person: "ana" });
 * console.log(messages.length, pending.length);
 */
export async function park<M extends object>(
  input: RunInput<M>,
  hub: ParkPort,
  options: ParkOptions = {},
): Promise<Parked<M>> {
  const entries = readEntries(input.resume);
  const results: ToolMessage[] = [];
  const interrupts: Interrupt[] = [];
  const pending: Ask[] = [];
  for (const call of openCalls(input.messages, options)) {
    const parsed = requestOf(call, options, input.threadId);
    if (!parsed.ok) {
      results.push(failed(call, problemText(parsed.issues, true)));
      continue;
    }
    const posted = await hub.post(parsed.ask);
    const entry = entries.get(posted.id);
    entries.delete(posted.id);
    const { ask, outcome, issues } = await settled(posted, entry, hub, options);
    if (outcome !== undefined) results.push(await resultOf(call, ask, outcome, hub, options));
    else {
      pending.push(ask);
      interrupts.push(interruptOf(call, ask, issues));
    }
  }
  return {
    messages: withResults(input.messages, results),
    results,
    pending,
    outcome: interrupts.length > 0 ? { type: "interrupt", interrupts } : { type: "success" },
    unmatched: [...entries.values()],
  };
}

interface OpenCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

function callsOf(message: object): readonly OpenCall[] {
  const { role, toolCalls } = message as Readonly<Record<string, unknown>>;
  if (role !== "assistant" || !Array.isArray(toolCalls)) return [];
  return toolCalls.filter(isRecord).flatMap(({ id, function: called }) => {
    if (typeof id !== "string" || !isRecord(called) || typeof called.name !== "string") return [];
    return [{ id, name: called.name, input: called.arguments }];
  });
}

function resultOfCall(message: object): unknown {
  const { role, toolCallId } = message as Readonly<Record<string, unknown>>;
  return role === "tool" ? toolCallId : undefined;
}

function openCalls(messages: readonly object[], { name = TOOL_NAME, tools = {} }: ParkOptions) {
  const done = new Set(messages.map(resultOfCall));
  return messages
    .flatMap(callsOf)
    .filter((call) => !done.has(call.id) && (call.name === name || Object.hasOwn(tools, call.name)));
}

function requestOf(
  { id, name, input }: OpenCall,
  { name: own = TOOL_NAME, profile = profiles.canonical, ask }: ParkOptions,
  threadId: string,
): ParsedAsk {
  const host = { ...ask, session: ask?.session ?? threadId, key: id };
  if (name === own) return parseToolInput(input, profile, host);
  try {
    const args: unknown = input === "" || input === undefined ? {} : JSON.parse(String(input));
    return parseAsk({ ...host, approval: { actions: [{ name, args }] } });
  } catch (error) {
    return { ok: false, issues: [{ code: "invalid_json", path: [], message: messageOf(error) }] };
  }
}

function readEntries(resume: readonly object[] | undefined): Map<string, ResumeEntry> {
  const entries = new Map<string, ResumeEntry>();
  for (const entry of resume ?? []) {
    const { interruptId, status } = entry as Readonly<Record<string, unknown>>;
    if (typeof interruptId !== "string" || (status !== "resolved" && status !== "cancelled")) {
      const message = "each entry of resume needs an interruptId, and the status resolved or cancelled";
      throw new AsklineError("invalid_request", message);
    }
    if (entries.has(interruptId)) {
      throw new AsklineError("invalid_request", `resume has two entries for the interrupt ${interruptId}`);
    }
    entries.set(interruptId, entry as ResumeEntry);
  }
  return entries;
}

interface Settled {
  readonly ask: Ask;
  readonly outcome?: Outcome;
  readonly issues?: readonly Issue[];
}

/** Ends the ask with what the front end sent, if it is valid and the ask has not ended otherwise. */
async function settled(
  ask: Ask,
  entry: ResumeEntry | undefined,
  hub: ParkPort,
  { person }: ParkOptions,
): Promise<Settled> {
  if (ask.outcome !== undefined) return { ask, outcome: ask.outcome };
  if (entry === undefined || person === undefined) return { ask };
  const by: Answerer = { kind: "person", id: person, surface: SURFACE };
  const read = readEntry(ask, entry, by);
  if (!read.ok) return { ask, issues: read.issues };
  try {
    const ending = endingOf(read.outcome);
    if (ending === undefined) return { ask };
    const outcome = await reportThere(hub, ask, ending, { surface: SURFACE, person, via: SURFACE });
    // A token that may not report for this person: the run still goes on with what its own front end sent. An approval
    // must be the person's, so there it does not count.
    const isRefused = outcome.kind === "withdrawn" && read.outcome.kind === "answered";
    return { ask, outcome: isRefused ? read.outcome : outcome };
  } catch (error) {
    if (!(error instanceof AsklineError && error.code === "invalid_answer")) throw error;
    return { ask, issues: error.issues ?? [] };
  }
}

function readEntry(ask: Ask, { status, payload }: ResumeEntry, by: Answerer) {
  if (status === "cancelled") return { ok: true, outcome: { kind: "declined", by } } as const;
  if (ask.approval !== undefined) return readApproval(ask, payload, by);
  return elicitation.decodeOutcome(ask, { action: "accept", content: payload ?? {} }, { by });
}

function interruptOf({ id: toolCallId, name }: OpenCall, ask: Ask, issues: readonly Issue[] = []): Interrupt {
  const { id, approval, context, deadline, onDeadline } = ask;
  const common = {
    id,
    toolCallId,
    ...(deadline !== undefined && onDeadline !== "wait" && { expiresAt: new Date(deadline).toISOString() }),
  };
  const form = elicitation.encodeAsk(ask, { issues });
  if (approval === undefined && form.ok) {
    const { message, requestedSchema, _meta } = form.input;
    return {
      ...common,
      reason: "input_required",
      message,
      responseSchema: { ...requestedSchema },
      metadata: { ..._meta },
    };
  }
  const problems = issues.map(({ message, path }) => `- ${path.slice(1).join(".")}: ${message}`);
  const lead = problems.length > 0 ? [`Please correct this:\n${problems.join("\n")}`] : [];
  return {
    ...common,
    reason: "tool_call",
    message: [...lead, ...(context === undefined ? [] : [context]), `May the agent run ${name}?`].join(
      "\n\n",
    ),
    responseSchema: structuredClone(APPROVAL_SCHEMA),
    metadata: { [ELICITATION_META_KEY]: { approval, ...(context !== undefined && { context }) } },
  };
}

async function resultOf(
  call: OpenCall,
  ask: Ask,
  outcome: Outcome,
  hub: ParkPort,
  { tools = {} }: ParkOptions,
): Promise<ToolMessage> {
  const run = ask.approval === undefined ? undefined : tools[call.name];
  const decision = outcome.kind === "decided" ? outcome.decisions[0] : undefined;
  const proposed = ask.approval?.actions[0]?.args ?? {};
  if (run === undefined || (decision?.kind !== "approve" && decision?.kind !== "edit")) {
    return message(call, describeOutcome(ask, outcome));
  }
  const args: JsonObject = decision.kind === "edit" ? decision.args : proposed;
  const ran = await resumeOnce(hub, [ask], async () => {
    // A tool that failed has run.
    try {
      const result = await run(args as never, { toolCallId: call.id });
      return message(call, typeof result === "string" ? result : (JSON.stringify(result) ?? ""));
    } catch (error) {
      return failed(call, messageOf(error));
    }
  });
  return ran?.result ?? failed(call, RAN);
}

const RAN =
  "This call was approved, and another run has already run it or runs it now. Its result is not known here; do not call it again without checking.";

function message({ id }: OpenCall, content: string): ToolMessage {
  return { id: `${id}-result`, role: "tool", toolCallId: id, content };
}

function failed(call: OpenCall, error: string): ToolMessage {
  return { ...message(call, error), error };
}

/** Each result right after the message with its call, and the results that are there already: providers want that. */
function withResults<M extends object>(
  messages: readonly M[],
  results: readonly ToolMessage[],
): (M | ToolMessage)[] {
  const all: (M | ToolMessage)[] = [...messages];
  for (const result of results) {
    let place = all.findIndex((each) => callsOf(each).some(({ id }) => id === result.toolCallId)) + 1;
    while (place < all.length && resultOfCall(all[place] ?? {}) !== undefined) place += 1;
    all.splice(place, 0, result);
  }
  return all;
}
