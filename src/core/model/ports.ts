import type { Ask, AskInput, AskStatus } from "./ask.js";
import type { Draft } from "./draft.js";
import type { Answerer, Outcome } from "./outcome.js";

export interface AskOptions {
  readonly signal?: AbortSignal;
}

/**
 * The agent-side seam. Resolves with how the ask ended; an aborted signal ends it as `withdrawn`.
 * Rejects with an `AsklineError` for an ask that breaks the rules (`invalid_ask`) and for faults.
 */
export interface Resolver {
  ask(request: AskInput, options?: AskOptions): Promise<Outcome>;
}

export interface AskFilter {
  readonly status?: AskStatus | "settled";
  readonly session?: string;
  readonly agentId?: string;
  /** Only what was asked under this name. */
  readonly asker?: string;
  /** Only what this person may answer. */
  readonly person?: string;
}

export interface Page {
  /** The cursor that the page before gave. */
  readonly after?: string;
  readonly limit?: number;
  /** By creation; oldest first unless said otherwise. */
  readonly order?: "oldest" | "newest";
}

export interface AskPage {
  readonly asks: readonly Ask[];
  /** Where the next page starts; absent on the last. */
  readonly next?: string;
}

/** What a person submits: answers by question id, and perhaps an overall note. */
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
};

export interface DecisionSubmission {
  readonly decisions: readonly SubmittedDecision[];
  readonly note?: string;
}

export interface By {
  readonly by: Answerer;
}

export interface SettleOptions extends By {
  /** Given by a caller that may have to try again without knowing whether the first try was taken. */
  readonly settlementId?: string;
}

/** The person-side port. Each ending returns the ask as it then stands, or rejects and changes nothing. */
export interface Inbox {
  list(filter?: AskFilter, page?: Page): Promise<AskPage>;
  get(id: string): Promise<Ask>;
  answer(id: string, submission: Submission, options: SettleOptions): Promise<Ask>;
  decide(id: string, submission: DecisionSubmission, options: SettleOptions): Promise<Ask>;
  decline(id: string, reason: string | undefined, options: SettleOptions): Promise<Ask>;
  reply(id: string, text: string, options: SettleOptions): Promise<Ask>;
  /** Keeps a person's unfinished answers; may move the ask's deadline. */
  saveDraft(id: string, draft: Draft, by: By): Promise<void>;
  draft(id: string, by: By): Promise<Draft | undefined>;
  /**
   * Every pending ask that matches, then each ask again whenever it changes, its end included. An ask may
   * come twice in the same state; none is missed.
   */
  watch(filter?: AskFilter, options?: AskOptions): AsyncIterable<Ask>;
}
