import type { Ask, AskInput, AskStatus } from "./ask.js";
import type { Draft } from "./draft.js";
import type { Ending } from "./ending.js";
import type { Answerer, Outcome } from "./outcome.js";

export interface AskOptions {
  readonly signal?: AbortSignal | undefined;
}

/**
 * The agent's side. Resolves with how the ask ended; an aborted signal withdraws the ask. Rejects with an
 * `AsklineError` for an invalid ask (`invalid_ask`) and for faults. A `Resolver<DeliveredOutcome>` also returns the
 * answers in words (`choices`), as all of Askline's own resolvers do.
 */
export interface Resolver<Ended extends Outcome = Outcome> {
  ask(request: AskInput, options?: AskOptions): Promise<Ended>;
}

export interface AskFilter {
  /** A part of the id, of at least four characters. A list then has at most five asks, and no `next`. */
  readonly id?: string | undefined;
  readonly status?: AskStatus | "settled" | undefined;
  readonly session?: string | undefined;
  readonly agentId?: string | undefined;
  /** Only asks by this agent: the name of its credential. */
  readonly asker?: string | undefined;
  /** With `asker`: the agent of this owner. It also finds what was asked under its name without an owner. */
  readonly owner?: string | undefined;
  /** Only asks that this person may answer. */
  readonly person?: string | undefined;
}

export interface Page {
  /** The `next` of the previous page. */
  readonly after?: string | undefined;
  readonly limit?: number | undefined;
  /** By time of creation; oldest first by default. */
  readonly order?: "oldest" | "newest" | undefined;
}

export interface AskPage<Listed extends Ask = Ask> {
  readonly asks: readonly Listed[];
  /** Where the next page starts; absent on the last. */
  readonly next?: string | undefined;
  /** The ids of those asks that an agent is waiting for now; absent if that is not known. */
  readonly awaited?: readonly string[] | undefined;
  /** The pending asks with recipients that the server does not know, or who have left. */
  readonly unknown?: readonly { readonly ask: string; readonly people: readonly string[] }[] | undefined;
}

export interface By {
  readonly by: Answerer;
}

export interface SettleOptions extends By {
  /** Lets a caller retry safely when it does not know whether the first try was stored. */
  readonly settlementId?: string | undefined;
}

/** The person's side. */
export interface Inbox<Listed extends Ask = Ask> {
  list(filter?: AskFilter, page?: Page): Promise<AskPage<Listed>>;
  get(id: string): Promise<Listed>;
  /** Ends an ask and returns it; or rejects and changes nothing. */
  settle(id: string, ending: Ending, options: SettleOptions): Promise<Listed>;
  /** Stores a person's unfinished answers; may move the ask's deadline. */
  saveDraft(id: string, draft: Draft, by: By): Promise<void>;
  draft(id: string, by: By): Promise<Draft | undefined>;
  /**
   * Yields every pending ask that matches, then each ask again whenever it changes, including when it ends. May yield
   * an ask twice in the same state; never misses a change.
   */
  watch(filter?: AskFilter, options?: AskOptions): AsyncIterable<Listed>;
}

export interface ResumeOptions {
  /** Names the process; random by default. The same holder gets its own lease again, as after a lost response. */
  readonly holder?: string | undefined;
  /** How long the lease lasts unless it is renewed, in milliseconds; 60,000 by default. */
  readonly leaseMs?: number | undefined;
}

/**
 * The right to resume the run that was parked for an ask. If the holder dies, the lease expires and another process can
 * claim it. Call `done` before the first step that must never run twice.
 */
export interface ResumeLease {
  readonly holder: string;
  readonly expiresAt: number;
  /** Extends the lease. Undefined if it was lost. */
  renew(leaseMs?: number): Promise<ResumeLease | undefined>;
  /** Marks the run as resumed: nobody can claim it again. False if the lease was lost. */
  done(): Promise<boolean>;
  /** Gives the lease back, so that another process can claim it at once. */
  release(): Promise<void>;
}
