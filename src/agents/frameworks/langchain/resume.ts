// Continues graphs that wait for asks. An ask is settled in the hub first; then one process resumes the thread, by the
// hub's lease, with one command for all interrupts of the thread whose asks have ended:
//
//   ask ended ──> thread's interrupts ──> some still pending? wait for them
//            │                       └──> lease ──> resume once ──> done
//            └──> its interrupt is gone ──> the run is over? done
//                                      └──> lease ──> go on from the last checkpoint ──> done
//
// A process that dies while it resumes, or whose graph fails, loses its lease, and the next sweep tries again. The lease is
// that of the first of the asks; the others are done as soon as it is held, so that a run has one lease.

import { Command } from "@langchain/langgraph";
import { isRecord } from "../../../core/kit/json.js";
import type { Logger } from "../../../core/kit/logger.js";
import { pages } from "../../../core/kit/pages.js";
import type { Ask, AskInput } from "../../../core/model/ask.js";
import type { AskFilter, AskOptions, AskPage, Page, Resolver } from "../../../core/model/ports.js";
import { markResumed, type ResumePort, resumeOnce } from "../../relay/resume.js";
import { approvalOf, askIdOf, type InterruptLike, resumeValue } from "./interrupts.js";

export interface InterruptOptions {
  /** The session of the asks; usually the thread's id. With the interrupt's id it names the ask. */
  readonly session: string;
  readonly ask?: Omit<AskInput, "questions" | "approval" | "key" | "session">;
  readonly signal?: AbortSignal;
}

/**
 * Asks a person about interrupts of `humanInTheLoopMiddleware` or of the Agent Inbox shape, waits, and returns what to
 * resume the graph with: `new Command({ resume })`.
 *
 * @example
 * const resume = await answerInterrupts([], resolver, { session: "thread-1" });
 */
export async function answerInterrupts(
  interrupts: readonly InterruptLike[],
  resolver: Resolver,
  { session, ask, signal }: InterruptOptions,
): Promise<Record<string, unknown>> {
  const resume = await Promise.all(
    interrupts.map(async (interrupt) => {
      const request = { ...ask, ...approvalOf(interrupt), session, key: idOf(interrupt) };
      const outcome = await resolver.ask(request, { signal });
      signal?.throwIfAborted();
      return [idOf(interrupt), resumeValue(interrupt, outcome)] as const;
    }),
  );
  return Object.fromEntries(resume);
}

/**
 * Stores asks for interrupts of `humanInTheLoopMiddleware` or of the Agent Inbox shape, without waiting;
 * {@link resumeOnSettle} resumes the thread when they have ended. Interrupts of our own tool have their asks already.
 *
 * @example
 * const asks = await postInterrupts([], hub, { session: "thread-1" });
 */
export async function postInterrupts(
  interrupts: readonly InterruptLike[],
  hub: { post(request: AskInput): Promise<Ask> },
  { session, ask }: Omit<InterruptOptions, "signal">,
): Promise<readonly Ask[]> {
  const asks: Ask[] = [];
  for (const interrupt of interrupts) {
    if (askIdOf(interrupt) !== undefined) continue;
    const id = idOf(interrupt);
    const metadata = { ...ask?.metadata, langgraph: { thread: session, interrupt: id } };
    asks.push(await hub.post({ ...ask, ...approvalOf(interrupt), session, key: id, metadata }));
  }
  return asks;
}

/** A compiled graph with a checkpointer, as far as it is used. */
export interface GraphLike {
  getState(config: ThreadConfig): Promise<GraphState>;
  // A method with a bivariant parameter: each graph has its own type of input.
  invoke(input: never, config: ThreadConfig): Promise<unknown>;
}

interface GraphState {
  readonly tasks: readonly { readonly interrupts?: readonly InterruptLike[] }[];
  /** The nodes that are to run; empty once the run is over. */
  readonly next?: readonly string[];
  readonly values?: unknown;
  /** Of the checkpoint; missing if there is none. */
  readonly createdAt?: string;
}

interface ThreadConfig {
  configurable: { thread_id: string };
}

/** The part of a hub or of a client that is used. */
export interface SettleSource extends ResumePort {
  get(id: string): Promise<Ask>;
  list(filter?: AskFilter, page?: Page): Promise<AskPage>;
  watch(filter?: AskFilter, options?: AskOptions): AsyncIterable<Ask>;
}

export interface ResumeOnSettleOptions {
  /** Called with the graph's result each time that this process has resumed a thread. */
  readonly onResumed?: (thread: string, result: unknown) => void | Promise<void>;
  /** Receives failures, which are tried again; the console by default. */
  readonly logger?: Logger;
  /** How long a process that dies while it resumes blocks the others, in milliseconds; 60,000 by default. */
  readonly leaseMs?: number;
  /** How often to look for runs that nobody resumed, in milliseconds; 30,000 by default. */
  readonly sweepMs?: number;
  /** How far back to look for them, in milliseconds since the ask was created; 30 days by default. */
  readonly lookBackMs?: number;
  /** Which asks are of this graph, if several graphs share a checkpointer; all by default. */
  readonly filter?: (ask: Ask) => boolean;
}

export interface Resuming {
  /** Stops, after the runs that are being resumed. */
  close(): Promise<void>;
}

/**
 * Resumes each thread of the graph once its asks have ended. Any number of processes may do this at once.
 *
 * @example
 * const start = (graph: GraphLike): Resuming => resumeOnSettle(graph, hub);
 */
export function resumeOnSettle(
  graph: GraphLike,
  hub: SettleSource,
  options: ResumeOnSettleOptions = {},
): Resuming {
  const { logger = console, leaseMs = 60_000, sweepMs = 30_000, lookBackMs = 30 * 86_400_000 } = options;
  const stop = new AbortController();
  // One at a time for each thread: two asks of a thread can end together.
  const threads = new Map<string, Promise<void>>();

  // Asks whose runs have gone on, so that a sweep does not look at their graphs again.
  const finished = new Set<string>();

  const consider = (ask: Ask): void => {
    const thread = threadOf(ask);
    if (thread === undefined || ask.outcome === undefined || finished.has(ask.id) || stop.signal.aborted)
      return;
    if (options.filter?.(ask) === false) return;
    const next = (threads.get(thread) ?? Promise.resolve())
      .then(() => (stop.signal.aborted ? undefined : resumeThread(thread, ask)))
      .catch((error: unknown) =>
        logger.warn(`could not resume thread ${thread}; it is tried again`, { error }),
      );
    threads.set(thread, next);
    void next.then(() => {
      if (threads.get(thread) === next) threads.delete(thread);
    });
  };

  const resumeThread = async (thread: string, ended: Ask): Promise<void> => {
    const config = { configurable: { thread_id: thread } };
    const state = await graph.getState(config);
    // A thread of another graph, with another checkpointer: its own watcher resumes it.
    if (!state.createdAt) return;
    const interrupts = state.tasks.flatMap((task) => task.interrupts ?? []);
    const waiting = await waitingFor(interrupts, thread);
    if (waiting.every(({ ask }) => ask.id !== ended.id)) {
      const goesOn = interrupts.length === 0 && (state.next ?? []).length > 0;
      // It has not come to its interrupt yet, or comes to it again.
      if (goesOn && !hasResult(state, ended)) return;
      // While it goes on, its process may still die.
      if (goesOn) return resume(thread, [ended], () => graph.invoke(null as never, config));
      await markResumed(hub, ended.id);
      finished.add(ended.id);
      return;
    }
    // The last of them to end calls this again.
    if (waiting.some(({ ask }) => ask.outcome === undefined)) return;
    const asks = waiting.map(({ ask }) => ask);
    await resume(thread, asks, () => {
      const answers = waiting.flatMap(({ interrupt, ask }) =>
        ask.outcome === undefined ? [] : [[idOf(interrupt), resumeValue(interrupt, ask.outcome)]],
      );
      return graph.invoke(new Command({ resume: Object.fromEntries(answers) }) as never, config);
    });
  };

  const resume = async (thread: string, asks: readonly Ask[], run: () => Promise<unknown>): Promise<void> => {
    const resumed = await resumeOnce(hub, asks, run, leaseMs);
    if (resumed !== undefined) await options.onResumed?.(thread, resumed.result);
  };

  const waitingFor = async (
    interrupts: readonly InterruptLike[],
    thread: string,
  ): Promise<readonly { readonly interrupt: InterruptLike; readonly ask: Ask }[]> => {
    const found: { readonly interrupt: InterruptLike; readonly ask: Ask }[] = [];
    let posted: readonly Ask[] | undefined;
    for (const interrupt of interrupts) {
      const id = askIdOf(interrupt);
      if (id !== undefined) {
        found.push({ interrupt, ask: await hub.get(id) });
        continue;
      }
      posted ??= await listAll({ session: thread });
      const ask = posted.find(({ metadata }) => {
        const own = metadata?.langgraph;
        return isRecord(own) && own.interrupt === interrupt.id && interrupt.id !== undefined;
      });
      if (ask !== undefined) found.push({ interrupt, ask });
    }
    return found;
  };

  const listAll = async (filter: AskFilter, createdAfter = 0): Promise<readonly Ask[]> => {
    const found: Ask[] = [];
    const newest = (after: string | undefined) => hub.list(filter, { order: "newest", after });
    for await (const { asks } of pages(newest)) {
      found.push(...asks.filter(({ createdAt }) => createdAt >= createdAfter));
      if ((asks.at(-1)?.createdAt ?? createdAfter) < createdAfter) break;
    }
    return found;
  };

  const sweep = async (): Promise<void> => {
    for (const ask of await listAll({ status: "settled" }, Date.now() - lookBackMs)) consider(ask);
  };

  const watching = (async () => {
    while (!stop.signal.aborted) {
      try {
        for await (const ask of hub.watch({}, { signal: stop.signal })) consider(ask);
        return;
      } catch (error) {
        if (stop.signal.aborted) return;
        logger.warn("the hub cannot be watched; trying again", { error });
        await new Promise((resolve) => setTimeout(resolve, 1_000));
      }
    }
  })();
  const sweepLogged = (): Promise<void> =>
    sweep().catch((error: unknown) => logger.warn("could not look for runs to resume", { error }));
  let sweeping = sweepLogged();
  const timer = setInterval(() => {
    sweeping = sweeping.then(() => (stop.signal.aborted ? undefined : sweepLogged()));
  }, sweepMs);

  return {
    async close() {
      stop.abort();
      clearInterval(timer);
      await watching;
      await sweeping;
      await Promise.all(threads.values());
    },
  };
}

/** Whether the run has read the outcome: our tool's call has a result. Other interrupts are asked about once they are there. */
function hasResult({ values }: GraphState, { key, metadata }: Ask): boolean {
  const own = metadata?.langgraph;
  const messages = isRecord(values) && Array.isArray(values.messages) ? values.messages : undefined;
  if (messages === undefined || (isRecord(own) && own.interrupt !== undefined)) return true;
  return messages.some((message) => isRecord(message) && message.tool_call_id === key);
}

function threadOf({ metadata }: Ask): string | undefined {
  const own = metadata?.langgraph;
  return isRecord(own) && typeof own.thread === "string" ? own.thread : undefined;
}

function idOf({ id }: InterruptLike): string {
  if (id === undefined) throw new TypeError("the interrupt has no id; LangGraph 1.4 or newer is needed");
  return id;
}
