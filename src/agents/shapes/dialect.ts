// The contract of a dialect: a pure codec between our model and the shape of one other system. It does no I/O,
// keeps no state and never throws. What a shape cannot carry is declared as data, and `test/agents/shapes/suite`
// holds every dialect to its declaration.

import type { Issue } from "../../core/kit/issue.js";
import type { Profile } from "../../core/kit/profiles.js";
import type { AskContent, AskRequest } from "../../core/model/ask.js";
import type { OutcomeKind } from "../../core/model/kinds.js";
import type { Answerer, Outcome } from "../../core/model/outcome.js";
import type { ParsedAsk } from "../../core/rules/parse-ask.js";

/**
 * `Input` is what the other system asks with, `Output` what it is answered with. `Needs` is what encoding needs
 * besides the ask, such as the id under which the other system knows it.
 */
export interface Dialect<Input = unknown, Output = unknown, Needs extends readonly unknown[] = []> {
  /** The last part of its subpath: `canonical` for `askline/dialects/canonical`. */
  readonly name: string;
  /** How many questions and options the shape takes. */
  readonly profile: Profile;
  /** What the shape can ask. `encodeAsk` refuses an ask that needs anything else. */
  readonly carries: readonly Carried[];
  /** What each kind of outcome is after encoding and decoding; `lost` for a kind that cannot be decoded again. */
  readonly endings: Readonly<Record<OutcomeKind, OutcomeKind | "lost">>;
  /** What encoding and decoding loses. No shape says who answered, so that is not listed. */
  readonly losses: { readonly ask: readonly AskLoss[]; readonly outcome: readonly OutcomeLoss[] };
  /** Reads only the fields of the shape: a model cannot choose a session, a recipient or a deadline through it. */
  readonly decodeAsk: (input: unknown) => ParsedAsk;
  /** Whatever it returns as `input`, `decodeAsk` accepts. */
  readonly encodeAsk: (ask: AnswerableAsk, ...needs: Needs) => EncodedAsk<Input>;
  /** An {@link EncodedOutcome} if the shape cannot express some of the endings. */
  readonly encodeOutcome: (ask: AskContent, outcome: Outcome, ...needs: Needs) => Output;
  /** Validated against the ask: a foreign answer never becomes an invalid one. */
  readonly decodeOutcome: (
    ask: AnswerableAsk,
    output: unknown,
    options: DecodeOutcomeOptions,
  ) => DecodedOutcome;
}

export type Carried = "questions" | "multiSelect" | "approval";

/** What an ask loses when it is encoded and decoded again; docs/dialects.md explains each. */
export type AskLoss =
  | "address"
  | "recipients"
  | "metadata"
  | "onDeadline"
  | "context"
  | "header"
  | "ids"
  | "previews"
  | "preview format"
  | "minPicks, maxPicks"
  | "freeText: false"
  | "freeText: true"
  | "allowPartial: false"
  | "allowPartial: true"
  | "recommended"
  | "input"
  | "white space"
  | "several actions"
  | "edits";

/** What an outcome loses when it is encoded and decoded again; docs/dialects.md explains each. */
export type OutcomeLoss =
  | "notes"
  | "overall note"
  | "reasons"
  | "ambiguous text"
  | "text beside picks"
  | "[No preference]"
  | "typed text"
  | "skips"
  | "all skipped"
  | "edits"
  | "declined approvals";

/** An ask as far as its answers depend on it. */
export type AnswerableAsk = AskContent & Partial<Pick<AskRequest, "allowPartial">>;

/** The reasons why something was not accepted. */
export interface Refused {
  readonly ok: false;
  readonly issues: readonly Issue[];
}

export type EncodedAsk<Input> = { readonly ok: true; readonly input: Input } | Refused;

/** For shapes that only know answers: any other ending is a message, the same that a model would read. */
export type EncodedOutcome<Output> =
  | { readonly ok: true; readonly output: Output }
  | { readonly ok: false; readonly message: string };

export type DecodedOutcome = { readonly ok: true; readonly outcome: Outcome } | Refused;

export interface DecodeOutcomeOptions {
  /** Who answered: foreign shapes do not say. */
  readonly by: Answerer;
}
