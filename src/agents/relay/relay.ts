// A prompt of an agent as an ask. The first answer wins, there or here.
//
//   prompt --posted, or found by its key--> waiting
//   waiting --ended here-------------> its reply
//           --reply asks again-------> posted with the corrected content, in the next round
//           --ended at the agent-----> reported, or withdrawn; if somebody was faster here, that outcome stands
//           --the signal aborts------> left pending: the same prompt finds it, in this process or another
//   replied --used------------------> the same prompt is asked anew
//
// A relay knows no agent. An agent's own file says what its prompts are, and what it reads.

import type { Json, JsonObject } from "../../core/kit/json.js";
import { pages } from "../../core/kit/pages.js";
import type { Ask, AskInput } from "../../core/model/ask.js";
import type { Ending } from "../../core/model/ending.js";
import type { Outcome } from "../../core/model/outcome.js";
import type { AskFilter, AskPage, Page } from "../../core/model/ports.js";
import { untilAborted } from "../../core/rules/abort.js";
import { type Origin, originFields } from "./origin.js";
import { endThere, type RelayPort, type ReportPort, type There } from "./port.js";
import { createRounds, promptName, type Round, type Rounds } from "./rounds.js";

/** What a person is asked: everything of an ask but where it comes from. */
export type Content = Omit<AskInput, "session" | "key" | "agentId" | "agentPath" | "metadata">;

export interface Prompt<R> {
  /** What makes it the same prompt when it comes again. */
  readonly identity: readonly Json[];
  readonly origin: Origin;
  readonly content: Content;
  /** Kept with the ask, for the agent's own relay. */
  readonly facts?: JsonObject | undefined;
  /** Called when the ask has ended, in whatever way. */
  reply(ask: Ask, outcome: Outcome): Reply<R> | Promise<Reply<R>>;
  /** Whether the outcome of an ask that had already ended answers this prompt; if not, it is asked anew. Yes by default. */
  counts?(ask: Ask, outcome: Outcome): boolean | Promise<boolean>;
}

/** What the agent is sent, or what it asks instead because the answer does not fit. Undefined if it is sent nothing. */
export type Reply<R> = { readonly reply: R } | { readonly again: Content } | undefined;

export interface RelayHost {
  /** Fields that the host adds to each ask, such as its recipients. A session here replaces that of the prompt. */
  readonly ask?: Omit<AskInput, "questions" | "approval" | "context" | "key"> | undefined;
  /** Who ends prompts at the agent. Without it, they end as withdrawn. */
  readonly there?: There;
  /** Called once an ask is stored and nobody has answered yet. */
  readonly onAsk?: ((ask: Ask) => void) | undefined;
}

/** A prompt whose ask is stored. */
export interface Opened<R> {
  /** The ask that it was first. */
  readonly ask: Ask;
  /** Waits until the ask has ended, and no more. An abort leaves it pending. */
  ended(signal: AbortSignal): Promise<Outcome | undefined>;
  /** Waits until it has ended, and makes the reply. An abort leaves the ask pending. */
  reply(signal: AbortSignal): Promise<R | undefined>;
  /** The reply was handed out: the same prompt is asked anew. */
  used(): Promise<void>;
  /** Nobody waits for it here any more. The owner calls it at the end. */
  close(): void;
}

export interface Relay {
  /** Asks, waits, and marks the reply as used. Undefined if the agent is sent nothing. */
  ask<R>(prompt: Prompt<R>, signal: AbortSignal): Promise<R | undefined>;
  /** {@link Relay.ask} in steps, for a reply that is used later. */
  open<R>(prompt: Prompt<R>): Promise<Opened<R>>;
  /**
   * The prompt, or what the ask stands for, is over at the agent: the ask is reported if its ending is known, and
   * otherwise withdrawn. Returns how the ask ended; undefined for a prompt that nobody waits for here.
   */
  endedThere(
    prompt: Prompt<unknown> | Ask,
    reason: string,
    ending?: (ask: Ask) => Ending | undefined,
  ): Promise<Outcome | undefined>;
  /** Everything is over that is waited for here, or what a session waits for. */
  over(reason: string, session?: string): Promise<void>;
}

interface Active {
  readonly stop: AbortController;
  posted: Promise<Posted>;
  ended?: Promise<Outcome | undefined>;
}

interface Posted {
  readonly ask: Ask;
  readonly round: Round;
}

export function createRelay(
  port: RelayPort & ReportPort,
  host: RelayHost = {},
  rounds: Rounds = createRounds(),
): Relay {
  /** What is waited for here. */
  const active = new Map<Prompt<unknown>, Active>();

  const post = async (prompt: Prompt<unknown>, content: Content): Promise<Posted> => {
    const name = await promptName(prompt.origin.agent ?? "agent", prompt.identity);
    for (;;) {
      const round = await rounds.take(name);
      try {
        const ask = await port.post(requestOf(prompt, content, round.key, host.ask));
        const { outcome } = ask;
        if (outcome === undefined) host.onAsk?.(ask);
        if (outcome === undefined || ((await prompt.counts?.(ask, outcome)) ?? true)) return { ask, round };
        await round.used();
      } catch (error) {
        round.free();
        throw error;
      }
      round.free();
    }
  };

  const outcomeOf = async (ask: Ask, entry: Active, signal: AbortSignal): Promise<Outcome | undefined> => {
    if (ask.outcome !== undefined) return ask.outcome;
    const until = AbortSignal.any([signal, entry.stop.signal]);
    try {
      return await untilAborted(until, port.wait(ask.id, { signal: until }));
    } catch (error) {
      if (entry.ended === undefined) throw error;
      return entry.ended;
    }
  };

  const open = async <R>(prompt: Prompt<R>): Promise<Opened<R>> => {
    const entry: Active = { stop: new AbortController(), posted: post(prompt, prompt.content) };
    active.set(prompt, entry);
    let current = await entry.posted.catch((error: unknown) => {
      active.delete(prompt);
      throw error;
    });
    const ended = async (signal: AbortSignal): Promise<Outcome | undefined> => {
      const { ask, round } = current;
      const outcome = await outcomeOf(ask, entry, signal);
      if (outcome !== undefined) current = { ask: { ...ask, status: outcome.kind, outcome }, round };
      return outcome;
    };
    return {
      ask: current.ask,
      ended,
      async reply(signal) {
        for (;;) {
          const outcome = await ended(signal);
          const { ask, round } = current;
          const given = outcome && (await prompt.reply(ask, outcome));
          if (given === undefined || "reply" in given) return given?.reply;
          if (entry.ended !== undefined) return undefined;
          await round.used();
          round.free();
          if (entry.ended !== undefined) return undefined;
          entry.posted = post(prompt, given.again);
          current = await entry.posted;
        }
      },
      used: () => current.round.used(),
      close() {
        active.delete(prompt);
        current.round.free();
      },
    };
  };

  const endAsk = async (ask: Ask, reason: string, ending?: Ending): Promise<Outcome> =>
    ask.outcome ?? endThere(port, ask, reason, ending, host.there);

  const endedThere: Relay["endedThere"] = async (what, reason, ending) => {
    if (!("identity" in what)) return endAsk(what, reason, ending?.(what));
    const entry = active.get(what);
    if (entry === undefined) return undefined;
    entry.ended ??= entry.posted.then(
      ({ ask }) => endAsk(ask, reason, ending?.(ask)),
      // Nothing was asked.
      () => undefined,
    );
    entry.stop.abort();
    return entry.ended;
  };

  return {
    open,
    async ask(prompt, signal) {
      const opened = await open(prompt);
      try {
        const reply = await opened.reply(signal);
        await opened.used();
        return reply;
      } finally {
        opened.close();
      }
    },
    endedThere,
    async over(reason, session) {
      const own = [...active.keys()].filter(
        ({ origin }) => session === undefined || origin.session === session,
      );
      await Promise.all(own.map((prompt) => endedThere(prompt, reason)));
    },
  };
}

/** The pending asks of an agent, or of one of its sessions: what an earlier process may have left. */
export async function* leftovers(
  port: { list(filter?: AskFilter, page?: Page): Promise<AskPage> },
  filter: Pick<AskFilter, "agentId" | "session">,
): AsyncGenerator<Ask> {
  const pending = { status: "pending", ...filter } as const;
  for await (const { asks } of pages((after: string | undefined) => port.list(pending, { after })))
    yield* asks;
}

function requestOf(
  { origin, facts }: Prompt<unknown>,
  content: Content,
  key: string,
  host: RelayHost["ask"] = {},
): AskInput {
  const { metadata, ...fields } = originFields(origin);
  const all = { ...host.metadata, ...metadata, ...facts };
  return {
    ...fields,
    ...host,
    ...content,
    session: host.session ?? origin.session,
    key,
    metadata: Object.keys(all).length > 0 ? all : undefined,
  };
}
