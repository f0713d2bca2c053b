// Mastra (`@mastra/core` 1.71). A tool asks in place, or the run is suspended at the call and resumed in any process: the
// tool then reads the outcome from the hub. The call's id is the ask's key, so the same call never asks twice.
//
// Each function returns what Mastra's `createTool` takes. Nothing of Mastra is imported.

import { isRecord, type JsonObject } from "../../core/kit/json.js";
import { profiles } from "../../core/kit/profiles.js";
import type { Ask, AskInput } from "../../core/model/ask.js";
import { AsklineError } from "../../core/model/error.js";
import type { Outcome } from "../../core/model/outcome.js";
import type { AskOptions, Resolver } from "../../core/model/ports.js";
import { abortReason } from "../../core/rules/abort.js";
import { requireAsk } from "../../core/rules/parse-ask.js";
import { describeOutcome } from "../../core/text/describe-outcome.js";
import type { RelayPort } from "../relay/port.js";
import { type ResumePort as ResumeLeases, requireResume } from "../relay/resume.js";
import { problemText, type ResolverToolOptions } from "../tool/ask-tool.js";
import {
  ASK_TOOL_DESCRIPTION,
  askToolSchema,
  parseToolInput,
  TOOL_NAME,
} from "../tool/ask-tool-definition.js";
import { checkEdited, type OpenSchema, openSchema } from "../tool/open-schema.js";

export interface MastraOptions {
  /** Whether the run is suspended at the call instead of waiting in it. {@link resumeSettled} continues it. */
  readonly parked?: boolean;
  /** Fields that the host adds to each ask. The session is the thread of the run, unless it is set here. */
  readonly ask?: ResolverToolOptions["ask"];
}

export interface AskToolOptions extends MastraOptions, Pick<ResolverToolOptions, "name" | "profile"> {}

/** What a tool needs of a hub: a client of a server, or a hub in this process; `ask` alone if it is not parked. */
interface MastraPort extends Resolver {
  post?(request: AskInput): Promise<Ask>;
}

/** What Mastra passes to a tool about its call, as far as it is used. */
interface MastraContext {
  readonly abortSignal?: AbortSignal | undefined;
  readonly agent?:
    | {
        readonly toolCallId?: string | undefined;
        readonly threadId?: string | undefined;
        readonly suspend?: ((payload: never) => Promise<unknown>) | undefined;
      }
    | undefined;
}

/** What the model wrote. The tool checks it and reports every problem. */
type AskToolInput = Readonly<Record<string, unknown>>;

interface SuspendPayload {
  askline: { ask: string };
}

interface MastraAskTool {
  id: string;
  description: string;
  inputSchema: OpenSchema<AskToolInput>;
  suspendSchema?: OpenSchema<SuspendPayload>;
  resumeSchema?: OpenSchema<Record<string, unknown>>;
  execute: (input: AskToolInput, context: unknown) => Promise<string | undefined>;
}

/**
 * A tool with which the model asks a person. An invalid input is an error that lists the problems, and nobody is asked.
 *
 * @example
 * // For Mastra: new Agent({ …, tools: { ask_user_question: createTool(tool) } })
 * const tool = askTool(resolver, { ask: { session: "s1" } });
 */
export function askTool(hub: MastraPort, options: AskToolOptions = {}): MastraAskTool {
  const { name = TOOL_NAME, profile = profiles.canonical, ask } = options;
  return {
    id: name,
    description: ASK_TOOL_DESCRIPTION,
    inputSchema: openSchema(() => askToolSchema(profile)),
    ...schemasOf(hub, options),
    async execute(input, given) {
      const context = given as MastraContext;
      const parsed = parseToolInput(input, profile, hostFields(ask, context));
      if (!parsed.ok) throw new Error(problemText(parsed.issues, true));
      const outcome = await outcomeOf(hub, parsed.ask, context, options);
      return outcome && describeOutcome(parsed.ask, outcome);
    },
  };
}

/** What `createTool` takes, as far as it is used. */
interface ApprovableTool {
  readonly id: string;
  readonly description: string;
  readonly inputSchema?: unknown;
  readonly execute?: ((input: never, context: never) => Promise<unknown>) | undefined;
}

/**
 * The same tool, which runs only after a person has approved its arguments, and with those that the person approved.
 * Anything else is an error whose text says how the ask ended.
 *
 * @example
 * const remove = { id: "remove", description: "Deletes a file", execute: async ({ path }: { path: string }) => `deleted ${path}` };
 * const tool = withApproval(remove, resolver, { ask: { session: "s1" } }); // then: createTool(tool)
 */
export function withApproval<T extends ApprovableTool>(
  tool: T,
  hub: MastraPort,
  options: MastraOptions = {},
): T {
  const { id: name, description, inputSchema } = tool;
  const run = tool.execute as ((input: unknown, context: MastraContext) => Promise<unknown>) | undefined;
  const execute = async (input: unknown, context: MastraContext): Promise<unknown> => {
    // What was proposed, even if its owner changes it while the person reads.
    const kept = structuredClone(input);
    const action = { name, description, args: (isRecord(kept) ? kept : { input: kept }) as JsonObject };
    const request = requireAsk({ ...hostFields(options.ask, context), approval: { actions: [action] } });
    const outcome = await outcomeOf(hub, request, context, options);
    if (outcome === undefined) return undefined;
    const decision = outcome.kind === "decided" ? outcome.decisions[0] : undefined;
    if (decision?.kind === "approve") return run?.(kept, context);
    if (decision?.kind !== "edit") throw new Error(describeOutcome(request, outcome));
    return run?.(
      await checkEdited(inputSchema, isRecord(kept) ? decision.args : decision.args.input),
      context,
    );
  };
  return { ...tool, ...schemasOf(hub, options), execute };
}

/** The outcome of the ask; undefined if the run was suspended. */
async function outcomeOf(
  hub: MastraPort,
  request: AskInput,
  { abortSignal, agent }: MastraContext,
  { parked }: MastraOptions,
): Promise<Outcome | undefined> {
  if (!parked) {
    const outcome = await hub.ask(request, { signal: abortSignal });
    if (outcome.kind === "withdrawn" && abortSignal?.aborted) throw abortReason(abortSignal);
    return outcome;
  }
  // This runs again from the start when the run is resumed; the key makes it the same ask. What it is resumed with does
  // not count, only the outcome in the hub.
  const ask = await hub.post?.(request);
  if (ask === undefined || ask.outcome !== undefined) return ask?.outcome;
  if (agent?.suspend === undefined) {
    throw new AsklineError("unsupported", "a parked tool needs an agent that can suspend its run");
  }
  await agent.suspend({ askline: { ask: ask.id } } satisfies SuspendPayload as never);
  return undefined;
}

function hostFields(ask: MastraOptions["ask"], { agent }: MastraContext) {
  return { ...ask, session: ask?.session ?? agent?.threadId ?? "", key: agent?.toolCallId };
}

function schemasOf(
  hub: MastraPort,
  { parked }: MastraOptions,
): Pick<MastraAskTool, "suspendSchema" | "resumeSchema"> {
  if (!parked) return {};
  if (hub.post === undefined) {
    throw new AsklineError("invalid_request", "a parked tool needs a hub or a client, which can post an ask");
  }
  const ask = { type: "object", properties: { ask: { type: "string" } }, required: ["ask"] };
  const payload = { type: "object", properties: { askline: ask }, required: ["askline"] };
  return { suspendSchema: openSchema(() => payload), resumeSchema: openSchema(() => ({ type: "object" })) };
}

/** An agent of Mastra, as far as it is used. */
interface AgentLike<Result> {
  resumeGenerate(
    data: Record<string, unknown>,
    options: { runId: string; toolCallId?: string },
  ): Promise<Result>;
}

/** What `agent.generate` returns, as far as it is used. */
interface RunResult {
  readonly runId?: string | undefined;
  readonly suspendPayload?: unknown;
}

/** What {@link resumeSettled} needs of a hub: a client of a server, or a hub in this process. */
interface ResumePort extends Pick<RelayPort, "wait">, ResumeLeases {}

/**
 * Waits for the ask that a run was suspended for, and resumes the run, until it is not suspended for an ask any more.
 * Any process may do it, with the stored `{ runId, suspendPayload }`; of several, one resumes.
 *
 * @example
 * const agent = { resumeGenerate: async () => ({ runId: "run_1" }) };
 * console.log((await resumeSettled(agent, { runId: "run_1", suspendPayload: input }, hub)).runId);
 */
export async function resumeSettled<Result extends RunResult>(
  agent: AgentLike<Result>,
  suspended: Result | RunResult,
  hub: ResumePort,
  options: AskOptions = {},
): Promise<Result> {
  for (let result = suspended; ; ) {
    const { runId, suspendPayload } = result;
    const { toolCallId, suspendPayload: own } = isRecord(suspendPayload) ? suspendPayload : {};
    const ask = isRecord(own) && isRecord(own.askline) ? own.askline.ask : undefined;
    if (typeof ask !== "string" || runId === undefined) return result as Result;
    await hub.wait(ask, options);
    const call = typeof toolCallId === "string" ? { runId, toolCallId } : { runId };
    result = await requireResume(hub, [{ id: ask }], () => agent.resumeGenerate({}, call));
  }
}
