// Runs any AG-UI agent and answers its interrupts with a hub.
//
//   run --ends with interrupts--> each is posted, or found by its key --> waiting
//   waiting --all have ended----> the right to resume is claimed, and the next run is sent what was answered
//           --answer does not fit the schema--> asked again, with what is wrong
//           --signal aborts-----> withdrawn; rejects with the signal's reason
//           --process dies------> the asks stay pending; the same interrupts find them
//   run --ends otherwise--------> done

import { isRecord, type Json, parseDocument } from "../../../core/kit/json.js";
import { defined } from "../../../core/kit/tools.js";
import type { Ask, AskInput } from "../../../core/model/ask.js";
import { abortReason, onAbort, untilAborted } from "../../../core/rules/abort.js";
import type { RelayPort } from "../../relay/port.js";
import { type Content, createRelay, type Opened, type Prompt } from "../../relay/relay.js";
import { type ResumePort, requireResume, wasResumed } from "../../relay/resume.js";
import { createRounds, type Rounds } from "../../relay/rounds.js";
import { interruptAsk, resumeEntry, type ToolCallFacts } from "./interrupts.js";
import type { Interrupt, ResumeEntry } from "./shapes.js";

/** An agent of `@ag-ui/client`, such as `HttpAgent`, as far as it is used. */
export interface AgentLike {
  readonly threadId: string;
  readonly messages: readonly object[];
  readonly pendingInterrupts: readonly Interrupt[];
  // Methods with bivariant parameters: each agent has its own type of them.
  runAgent(parameters?: never, subscriber?: never): Promise<{ readonly newMessages: readonly object[] }>;
  subscribe(subscriber: never): { unsubscribe(): void };
  abortRun(): void;
}

/** What `runAgent` needs of a hub: a client of a server, or a hub in this process. */
export interface RunPort extends RelayPort, ResumePort {}

type ParametersOf<Agent> = Agent extends { runAgent(parameters?: infer P, subscriber?: infer _): unknown }
  ? Omit<NonNullable<P>, "resume">
  : never;
type SubscriberOf<Agent> = Agent extends { runAgent(parameters?: infer _, subscriber?: infer S): unknown }
  ? NonNullable<S>
  : never;

type HostFields = Omit<AskInput, "questions" | "approval" | "context" | "key">;

export interface RunAgentOptions<Agent extends AgentLike> {
  /** What `agent.runAgent` takes, for each run; a `runId` for the first only. */
  readonly parameters?: ParametersOf<Agent>;
  readonly subscriber?: SubscriberOf<Agent>;
  /** Fields that you add to each ask. The session is the agent's thread, unless it is set here. */
  readonly ask?: HostFields;
  /** Aborts the run, and withdraws what it waits for. */
  readonly signal?: AbortSignal;
  /**
   * Called when the interrupts of a run are stored as asks, before anybody is waited for. To go on after a restart,
   * store the agent's `messages`, `state` and `pendingInterrupts` here, and give them to the new agent.
   */
  readonly onInterrupted?: (asks: readonly Ask[]) => void | Promise<void>;
  /**
   * Called with what a person wrote and the payload has no field for, such as the reason of a decline. The resume entry
   * has it too, as `metadata.askline.message`.
   */
  readonly onMessage?: (text: string) => void;
}

/** The run failed: the agent emitted `RUN_ERROR`. Its interrupts stay pending, and so do their answers. */
export class AgentRunError extends Error {
  override readonly name: string = "AgentRunError";
  readonly code: string | undefined;

  constructor(message: string, code: string | undefined) {
    super(message);
    this.code = code;
  }
}

/** Of each agent: an answer to an interrupt counts once. */
const rounds = new WeakMap<AgentLike, Rounds>();

/**
 * Runs an agent, puts its interrupts into the hub as asks, and resumes it with what people answer, until it is done.
 * Returns what `agent.runAgent` returned last, with the new messages of all runs. If the agent has pending interrupts
 * already, these are answered first.
 *
 * @example
 * const run = <Agent extends AgentLike>(agent: Agent) => runAgent(agent, hub, { ask: { recipients: ["ana"] } });
 */
export async function runAgent<Agent extends AgentLike>(
  agent: Agent,
  hub: RunPort,
  options: RunAgentOptions<Agent> = {},
): Promise<Awaited<ReturnType<Agent["runAgent"]>>> {
  type Result = Awaited<ReturnType<Agent["runAgent"]>>;
  const { signal, subscriber } = options;
  const { runId, ...parameters }: Readonly<Record<string, unknown>> = { ...options.parameters };
  const newMessages: object[] = [];

  const run = async (more: object): Promise<Result> => {
    if (signal?.aborted) throw abortReason(signal);
    let failure: unknown;
    const onRunErrorEvent = ({ event }: { readonly event: unknown }): void => {
      failure = event;
    };
    const watching = agent.subscribe({ onRunErrorEvent } as never);
    const stop = signal === undefined ? () => undefined : onAbort(signal, () => agent.abortRun());
    try {
      const all = { ...parameters, ...more } as never;
      // An agent may ignore its abort, or end without an error.
      const result = (await untilAborted(signal, agent.runAgent(all, subscriber as never))) as Result;
      if (signal?.aborted) throw abortReason(signal);
      if (isRecord(failure)) {
        const { message, code } = failure;
        throw new AgentRunError(String(message), typeof code === "string" ? code : undefined);
      }
      newMessages.push(...result.newMessages);
      return result;
    } finally {
      stop();
      watching.unsubscribe();
    }
  };

  let result: Result | undefined;
  if (agent.pendingInterrupts.length === 0) result = await run(runId === undefined ? {} : { runId });
  while (agent.pendingInterrupts.length > 0) {
    const answered = await answerAll(agent, hub, options, result !== undefined);
    try {
      result = await requireResume(hub, answered.asks, () => run({ resume: answered.entries }));
      await answered.used();
    } finally {
      answered.close();
    }
  }
  return { ...(result as Result), newMessages };
}

interface Answered {
  readonly entries: readonly ResumeEntry[];
  readonly asks: readonly Ask[];
  used(): Promise<unknown>;
  close(): void;
}

interface Answer {
  readonly ask: Ask;
  readonly entry: ResumeEntry;
}

/**
 * Asks for every interrupt, and waits until all have ended. `isNew`: a run of this process has just raised them, so that
 * an answer to an earlier one does not count.
 */
async function answerAll<Agent extends AgentLike>(
  agent: Agent,
  hub: RunPort,
  options: RunAgentOptions<Agent>,
  isNew: boolean,
): Promise<Answered> {
  const { signal, onInterrupted, onMessage } = options;
  if (signal?.aborted) throw abortReason(signal);
  const own = rounds.get(agent) ?? createRounds();
  rounds.set(agent, own);
  const { timeoutMs: _, deadline: __, ...host } = options.ask ?? {};
  const relay = createRelay(hub, { ask: host }, own);
  // Stops the other waits if one fails, without a change to their asks.
  const stop = new AbortController();
  const waiting = signal === undefined ? stop.signal : AbortSignal.any([signal, stop.signal]);
  let opened: readonly Opened<Answer>[] = [];
  const close = (): void => {
    for (const each of opened) each.close();
  };
  try {
    // An interrupt that nobody can answer any more must be cancelled, or the thread cannot go on.
    const open = agent.pendingInterrupts.filter(({ expiresAt }) => !isPast(expiresAt));
    const opening = open.map((interrupt) => relay.open(promptOf(interrupt, agent, hub, options, isNew)));
    opened = (await Promise.allSettled(opening)).flatMap((each) =>
      each.status === "fulfilled" ? [each.value] : [],
    );
    await Promise.all(opening);
    await onInterrupted?.(opened.map(({ ask }) => ask));
    const answers = (await Promise.all(opened.map((each) => each.reply(waiting)))).filter(
      (answer) => answer !== undefined,
    );
    const entries = agent.pendingInterrupts.map(
      ({ id }): ResumeEntry =>
        answers.find(({ entry }) => entry.interruptId === id)?.entry ?? {
          interruptId: id,
          status: "cancelled",
          metadata: { askline: { outcome: "expired" } },
        },
    );
    for (const { metadata } of entries) {
      const { message } = (metadata?.askline ?? {}) as { readonly message?: string };
      if (message !== undefined) onMessage?.(message);
    }
    const used = (): Promise<unknown> => Promise.all(opened.map((each) => each.used()));
    return { entries, asks: answers.map(({ ask }) => ask), used, close };
  } catch (error) {
    stop.abort();
    if (signal?.aborted) await relay.over("the run was aborted").catch(() => undefined);
    close();
    throw signal?.aborted ? abortReason(signal) : error;
  }
}

function promptOf<Agent extends AgentLike>(
  interrupt: Interrupt,
  agent: Agent,
  hub: RunPort,
  { ask: host = {} }: RunAgentOptions<Agent>,
  isNew: boolean,
): Prompt<Answer> {
  const { id, reason, toolCallId, expiresAt } = interrupt;
  const call = toolCallOf(agent, toolCallId);
  let asked = interruptAsk(interrupt, call);
  const content = (): Content => ({ ...asked.content, ...deadlineOf(host, expiresAt) });
  return {
    identity: [id, asked.content as unknown as Json],
    origin: { session: agent.threadId },
    content: content(),
    facts: {
      agui: {
        ...{ thread: agent.threadId, interrupt: id, reason },
        ...(toolCallId !== undefined && { toolCallId }),
      },
    },
    counts: async (ask) => !isNew || !(await wasResumed(hub, ask.id)),
    reply(ask, outcome) {
      const isGiven = outcome.kind === "answered" || outcome.kind === "decided";
      const reading = isGiven ? asked.read(ask, outcome) : { payload: undefined };
      if ("problems" in reading) {
        asked = interruptAsk(interrupt, call, reading.problems);
        return { again: content() };
      }
      return { reply: { ask, entry: resumeEntry(interrupt, ask, outcome, reading.payload, Date.now()) } };
    },
  };
}

/** The call with its name and arguments, from the messages of the agent. */
function toolCallOf({ messages }: AgentLike, id: string | undefined): ToolCallFacts | undefined {
  for (const { toolCalls } of messages as readonly Readonly<Record<string, unknown>>[]) {
    const call = Array.isArray(toolCalls)
      ? toolCalls.find((each) => isRecord(each) && each.id === id)
      : undefined;
    const called = isRecord(call) ? call.function : undefined;
    if (isRecord(called) && typeof called.name === "string") {
      return { name: called.name, args: jsonOf(called.arguments) };
    }
  }
  return undefined;
}

function jsonOf(text: unknown): unknown {
  try {
    return parseDocument(String(text));
  } catch {
    return text;
  }
}

/** The ask ends when nobody may answer the interrupt any more, or earlier if the host says so. */
function deadlineOf(
  { timeoutMs, deadline }: HostFields,
  expiresAt = "",
): Pick<Content, "deadline" | "timeoutMs"> {
  const expires = Date.parse(expiresAt);
  if (Number.isNaN(expires)) return defined({ timeoutMs, deadline });
  const own = timeoutMs === undefined ? new Date(deadline ?? expires).getTime() : Date.now() + timeoutMs;
  return { deadline: Math.min(expires, Number.isNaN(own) ? expires : own) };
}

function isPast(expiresAt: string | undefined): boolean {
  return expiresAt !== undefined && Date.parse(expiresAt) <= Date.now();
}
