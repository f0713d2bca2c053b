// Runs any AG-UI agent and answers its interrupts with a hub.
//
//   run --ends with interrupts--> each is posted, or found by its key --> waiting
//   waiting --all have ended----> the right to resume is claimed, and the next run is sent what was answered
//           --answer does not fit the schema--> asked again, with what is wrong
//           --signal aborts-----> withdrawn; rejects with the signal's reason
//           --process dies------> the asks stay pending; the same interrupts find them
//   run --ends otherwise--------> done

import {
  type Ask,
  type AskInput,
  AsklineError,
  type AskOptions,
  abortReason,
  isRecord,
  type Json,
  type Outcome,
  onAbort,
  type ResumeLease,
  type ResumeOptions,
  untilAborted,
} from "../../core/index.js";
import { digestKey } from "../../core/kit/digest-key.js";
import { parseDocument } from "../../core/kit/json.js";
import { keepNewest } from "../../core/kit/tools.js";
import type { FormProblem } from "../../dialects/shared/schema-form.js";
import { type InterruptAsk, interruptAsk, resumeEntry, type ToolCallFacts } from "./interrupts.js";
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
export interface RunPort {
  post(request: AskInput): Promise<Ask>;
  wait(id: string, options?: AskOptions): Promise<Outcome>;
  withdraw(id: string, reason?: string): Promise<unknown>;
  claimResume(id: string, options?: ResumeOptions): Promise<ResumeLease | undefined>;
}

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

const LEASE_MS = 60_000;
/** The most answered interrupts of an agent that are remembered. */
const REMEMBERED = 1_000;

/** How often the same interrupt of an agent was answered: an answer counts once. */
const rounds = new WeakMap<object, Map<string, number>>();

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
    const { entries, asks, used } = await answerAll(agent, hub, options, result !== undefined);
    result = await resumeOnce(asks, hub, () => run({ resume: entries }));
    used();
  }
  return { ...(result as Result), newMessages };
}

/** Only one of several processes that wait for the same interrupts resumes the run. */
async function resumeOnce<Result>(
  asks: readonly Ask[],
  hub: RunPort,
  run: () => Promise<Result>,
): Promise<Result> {
  const [first] = asks.map(({ id }) => id).sort();
  if (first === undefined) return run();
  const lease = await hub.claimResume(first, { leaseMs: LEASE_MS });
  if (lease === undefined) {
    const message = `the run that waited for ${first} was already resumed, or another process resumes it now`;
    throw new AsklineError("already_settled", message);
  }
  const renewing = setInterval(() => void lease.renew(LEASE_MS).catch(() => undefined), LEASE_MS / 3);
  try {
    const result = await run();
    await lease.done();
    for (const { id } of asks) if (id !== first) await (await hub.claimResume(id))?.done();
    return result;
  } catch (error) {
    await lease.release();
    throw error;
  } finally {
    clearInterval(renewing);
  }
}

/** Asks for every interrupt, and waits until all have ended. */
async function answerAll<Agent extends AgentLike>(
  agent: Agent,
  hub: RunPort,
  options: RunAgentOptions<Agent>,
  isNew: boolean,
): Promise<{ readonly entries: ResumeEntry[]; readonly asks: readonly Ask[]; used(): void }> {
  const { signal, onInterrupted, onMessage } = options;
  // Stops the other waits if one fails, without a change to their asks.
  const stop = new AbortController();
  const waiting = signal === undefined ? stop.signal : AbortSignal.any([signal, stop.signal]);
  const pending = new Set<string>();
  const put = async (interrupt: Interrupt, problems?: readonly FormProblem[]): Promise<Asked> => {
    const asked = await askFor(interrupt, agent, hub, options, isNew, problems);
    pending.add(asked.ask.id);
    return asked;
  };
  const answer = async (interrupt: Interrupt, first: Asked): Promise<Answered> => {
    let asked = first;
    for (;;) {
      const { ask, read, used } = asked;
      const outcome = ask.outcome ?? (await hub.wait(ask.id, { signal: waiting }));
      pending.delete(ask.id);
      const isGiven = outcome.kind === "answered" || outcome.kind === "decided";
      const reading = isGiven ? read(ask, outcome) : { payload: undefined };
      if ("payload" in reading) {
        return { ask, used, entry: resumeEntry(interrupt, ask, outcome, reading.payload, Date.now()) };
      }
      // What does not fit is never sent: the person is asked again, and reads why.
      used();
      asked = await put(interrupt, reading.problems);
    }
  };
  try {
    if (signal?.aborted) throw abortReason(signal);
    // An interrupt that nobody can answer any more must be cancelled, or the thread cannot go on.
    const open = agent.pendingInterrupts.filter(({ expiresAt }) => !isPast(expiresAt));
    const asked = await Promise.all(
      open.map(async (interrupt) => ({ interrupt, first: await put(interrupt) })),
    );
    await onInterrupted?.(asked.map(({ first }) => first.ask));
    const answered = await Promise.all(asked.map(({ interrupt, first }) => answer(interrupt, first)));
    const entries = agent.pendingInterrupts.map(
      ({ id }): ResumeEntry =>
        answered.find(({ entry }) => entry.interruptId === id)?.entry ?? {
          interruptId: id,
          status: "cancelled",
          metadata: { askline: { outcome: "expired" } },
        },
    );
    for (const { message } of entries.map(
      ({ metadata }) => metadata?.askline as { readonly message?: string },
    )) {
      if (message !== undefined) onMessage?.(message);
    }
    return {
      entries,
      asks: answered.map(({ ask }) => ask),
      used: () => {
        for (const each of answered) each.used();
      },
    };
  } catch (error) {
    stop.abort();
    if (!signal?.aborted) throw error;
    const reason = "the run was aborted";
    await Promise.all([...pending].map((id) => hub.withdraw(id, reason).catch(() => undefined)));
    throw abortReason(signal);
  }
}

interface Asked extends Pick<InterruptAsk, "read"> {
  readonly ask: Ask;
  /** The answer has been used: the same interrupt again is asked again. */
  used(): void;
}

interface Answered {
  readonly ask: Ask;
  readonly entry: ResumeEntry;
  used(): void;
}

/** `isNew`: a run of this process has just raised the interrupt, so that an answer to an earlier one does not count. */
async function askFor<Agent extends AgentLike>(
  interrupt: Interrupt,
  agent: Agent,
  hub: RunPort,
  { ask: host }: RunAgentOptions<Agent>,
  isNew: boolean,
  problems?: readonly FormProblem[],
): Promise<Asked> {
  const { id, reason, toolCallId, expiresAt } = interrupt;
  const { content, read } = interruptAsk(interrupt, toolCallOf(agent, toolCallId), problems);
  const digest = await digestKey("ag-ui", [id, content as unknown as Json]);
  const own = rounds.get(agent) ?? new Map<string, number>();
  rounds.set(agent, own);
  // A new process begins at 0, so it finds the ask that it did not live to see answered.
  for (let round = own.get(digest) ?? 0; ; round += 1) {
    const ask = await hub.post({
      ...withDeadline(host, expiresAt),
      ...content,
      session: host?.session ?? agent.threadId,
      key: round === 0 ? digest : `${digest}:${round}`,
      metadata: {
        ...host?.metadata,
        agui: {
          thread: agent.threadId,
          interrupt: id,
          reason,
          ...(toolCallId !== undefined && { toolCallId }),
        },
      },
    });
    if (isNew && ask.outcome !== undefined && (await wasResumed(ask, hub))) continue;
    const used = (): void => {
      own.set(digest, round + 1);
      keepNewest(own, REMEMBERED);
    };
    return { ask, read, used };
  }
}

async function wasResumed({ id }: Ask, hub: RunPort): Promise<boolean> {
  const lease = await hub.claimResume(id, { leaseMs: LEASE_MS });
  await lease?.release();
  return lease === undefined;
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
function withDeadline(host: HostFields = {}, expiresAt = ""): HostFields {
  const expires = Date.parse(expiresAt);
  if (Number.isNaN(expires)) return host;
  const { timeoutMs, deadline, ...rest } = host;
  const own = timeoutMs === undefined ? new Date(deadline ?? expires).getTime() : Date.now() + timeoutMs;
  return { ...rest, deadline: Math.min(expires, Number.isNaN(own) ? expires : own) };
}

function isPast(expiresAt: string | undefined): boolean {
  return expiresAt !== undefined && Date.parse(expiresAt) <= Date.now();
}
