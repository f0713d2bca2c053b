import type { Decision } from "./approval.js";

/** Somebody who may answer. */
export interface Person {
  readonly id: string;
  readonly name?: string;
}

/** Who ended an ask: a person at a surface, or a policy. Never unknown. */
export type Answerer =
  | { readonly kind: "person"; readonly id: string; readonly surface: string }
  | { readonly kind: "policy"; readonly name: string };

/** The answer to one question. An answered ask holds exactly one for each of its questions, in their order. */
export interface Answer {
  /** The question's id. */
  readonly question: string;
  /** The ids of the chosen options, in the order of the question's options. */
  readonly selected: readonly string[];
  readonly text?: string;
  readonly note?: string;
  /** The person left this question blank, and the ask allows that. */
  readonly skipped?: true;
}

/** How an ask ended. Only `answered` and `decided` carry what a person (or a policy) chose. */
export type Outcome =
  | {
      readonly kind: "answered";
      readonly answers: readonly Answer[];
      readonly note?: string;
      readonly by: Answerer;
    }
  | {
      readonly kind: "decided";
      readonly decisions: readonly Decision[];
      readonly note?: string;
      readonly by: Answerer;
    }
  | { readonly kind: "declined"; readonly reason?: string; readonly by: Answerer }
  | { readonly kind: "replied"; readonly text: string; readonly by: Answerer }
  | { readonly kind: "expired" }
  | { readonly kind: "withdrawn"; readonly reason?: string }
  | { readonly kind: "unavailable"; readonly reason?: string };

export type OutcomeKind = Outcome["kind"];

export const OUTCOME_KINDS: readonly OutcomeKind[] = [
  "answered",
  "decided",
  "declined",
  "replied",
  "expired",
  "withdrawn",
  "unavailable",
];
