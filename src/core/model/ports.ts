import type { Ask, AskInput, AskStatus } from "./ask.js";
import type { Draft } from "./draft.js";
import type { Answerer, Outcome } from "./outcome.js";

export interface AskOptions {
  readonly signal?: AbortSignal;
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
  readonly id?: string;
  readonly status?: AskStatus | "settled";
  readonly session?: string;
  readonly agentId?: string;
  /** Only asks by this agent: the name of its credential. */
  readonly asker?: string;
  /** With `asker`: the agent of this owner. It also finds what was asked under its name without an owner. */
  readonly owner?: string;
  /** Only asks that this person may answer. */
  readonly person?: string;
}

export interface Page {
  /** The `next` of the previous page. */
  readonly after?: string | undefined;
  readonly limit?: number;
  /** By time of creation; oldest first by default. */
  readonly order?: "oldest" | "newest";
}

export interface AskPage<Listed extends Ask = Ask> {
  readonly asks: readonly Listed[];
  /** Where the next page starts; absent on the last. */
  readonly next?: string;
  /** The ids of those asks that an agent is waiting for now; absent if that is not known. */
  readonly awaited?: readonly string[];
  /** The pending asks with recipients that the server does not know, or who have left. */
  readonly unknown?: readonly { readonly ask: string; readonly people: readonly string[] }[];
}

/** What a person submits: answers by question id, and optionally an overall note. */
export interface Submission {
  readonly answers: readonly SubmittedAnswer[];
  readonly note?: string;
}

export interface SubmittedAnswer {
  readonly question: string;
  /** Option ids, or exact labels. */
  readonly selected?: readonly string[];
  readonly text?: string;
  readonly note?: string;
  readonly skipped?: boolean;
}

export type SubmittedDecision = {
  readonly action: string;
  readonly kind: "approve" | "edit" | "reject";
  readonly args?: unknown;
  readonly message?: string;
  /** `session`, `always`, or one of the action's `rules`; only this once if omitted. */
  readonly remember?: string;
  /** Refused: a rule compares the whole call that was shown. */
  readonly rememberField?: string;
};

export interface DecisionSubmission {
  readonly decisions: readonly SubmittedDecision[];
  readonly note?: string;
}

export interface By {
  readonly by: Answerer;
}

/** An ending that an agent's process reports for a person, who gave it in a form of the agent's host. */
export type Report = {
  /** The person who gave it. */
  readonly person: string;
  /** Where the person gave it, such as `mcp-form`. */
  readonly surface: string;
} & (
  | { readonly answer: Submission }
  | { readonly decide: DecisionSubmission }
  | { readonly decline: { readonly reason?: string } }
  | { readonly reply: { readonly text: string } }
);

export interface SettleOptions extends By {
  /** Lets a caller retry safely when it does not know whether the first try was stored. */
  readonly settlementId?: string;
}

/** The person's side. Each method that ends an ask returns the ended ask, or rejects and changes nothing. */
export interface Inbox<Listed extends Ask = Ask> {
  list(filter?: AskFilter, page?: Page): Promise<AskPage<Listed>>;
  get(id: string): Promise<Listed>;
  answer(id: string, submission: Submission, options: SettleOptions): Promise<Listed>;
  decide(id: string, submission: DecisionSubmission, options: SettleOptions): Promise<Listed>;
  decline(id: string, reason: string | undefined, options: SettleOptions): Promise<Listed>;
  reply(id: string, text: string, options: SettleOptions): Promise<Listed>;
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
  readonly holder?: string;
  /** How long the lease lasts unless it is renewed, in milliseconds; 60,000 by default. */
  readonly leaseMs?: number;
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
