// How a person ends an ask: one value, from the form that makes it to the hub that settles the ask with it.
//
// The fields of an ending are those of the outcome that it leads to, without who did it. So the table of outcomes also
// gives the bodies of the routes, their schemas and the parser.

import { deepFreeze, isRecord } from "../kit/json.js";
import { entriesOf, type Field, type Fields } from "../read/field.js";
import type { Decision } from "./approval.js";
import type { Ask } from "./ask.js";
import { type Answer, type Answerer, OUTCOME, type Outcome } from "./outcome.js";

/** How a person ends an ask, as they send it. `validateEnding` checks it against the ask. */
export type Ending = EndingOf<SubmittedAnswer, SubmittedDecision>;

/** An ending that was checked against its ask. Every one is also an {@link Ending}. */
export type ValidEnding = EndingOf<Answer, Decision>;

type EndingOf<SomeAnswer, SomeDecision> =
  | { readonly type: "answer"; readonly answers: readonly SomeAnswer[]; readonly note?: string }
  | { readonly type: "decide"; readonly decisions: readonly SomeDecision[]; readonly note?: string }
  | { readonly type: "decline"; readonly reason?: string | undefined }
  | { readonly type: "reply"; readonly text: string };

export type EndingType = Ending["type"];

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

type ContentOf<Type extends EndingType> = Omit<Extract<Ending, { readonly type: Type }>, "type">;

/** What a person submits: answers by question id, and optionally an overall note. */
export interface Submission extends ContentOf<"answer"> {}

/** Decisions by action id, and optionally an overall note. */
export interface DecisionSubmission extends ContentOf<"decide"> {}

/** The outcome that each ending leads to. */
export const ENDINGS: Readonly<Record<EndingType, Extract<Outcome, { readonly by: Answerer }>["kind"]>> = {
  answer: "answered",
  decide: "decided",
  decline: "declined",
  reply: "replied",
};

export type EndingInput = "AnswersInput" | "DecisionsInput" | "ReasonInput" | "ReplyInput";

/** The name of each schema in the OpenAPI document. */
export const ENDING_INPUTS: Readonly<Record<EndingType, EndingInput>> = {
  answer: "AnswersInput",
  decide: "DecisionsInput",
  decline: "ReasonInput",
  reply: "ReplyInput",
};

// Safe to cast: these are the keys of the table.
export const ENDING_TYPES: readonly EndingType[] = /* @__PURE__ */ Object.keys(ENDINGS) as EndingType[];

/** The entries of the table for what a person sends. */
export function endingFields(type: EndingType): readonly (readonly [name: string, field: Field])[] {
  return entriesOf(OUTCOME.variants[ENDINGS[type]]).filter(([name]) => name !== "kind" && name !== "by");
}

/** The ending with this content. Content that is no object stays as it is, and `validateEnding` refuses it. */
export function asEnding(type: EndingType, content: unknown): Ending {
  return (isRecord(content) ? { ...content, type } : content) as Ending;
}

/** The ending of an object without a type: by its `answers` or `decisions`, or by `decline` or `reply` within it. */
export function endingIn(given: Fields): Ending | undefined {
  for (const type of ENDING_TYPES) {
    const list = endingFields(type).find(([, { kind }]) => kind === "list")?.[0];
    const content = list === undefined ? given[type] : given[list] && given;
    if (isRecord(content)) return asEnding(type, content);
  }
  return undefined;
}

/** What an ending contains, as it is sent. */
export function contentOf(ending: Ending): Fields {
  const { type: _type, ...content } = ending;
  return content;
}

/** The outcome of a valid ending, frozen. */
export function toOutcome(ending: ValidEnding, by: Answerer): Outcome {
  const { type, ...content } = ending;
  return deepFreeze({ kind: ENDINGS[type], ...content, by: { ...by } } as Outcome);
}

/** How a person ended the ask; undefined for an outcome that no person or policy gave. */
export function endingOf(outcome: Outcome): ValidEnding | undefined {
  const {
    kind,
    by: _by,
    choices: _choices,
    ...content
  } = outcome as Outcome & { by?: Answerer; choices?: unknown };
  const type = ENDING_TYPES.find((each) => ENDINGS[each] === kind);
  return type && ({ type, ...content } as ValidEnding);
}

/** Why such an ask does not end so; undefined if it may. */
export function misfitOf({ approval }: Pick<Ask, "approval">, type: string): string | undefined {
  if (type === "answer" && approval !== undefined) {
    return "this ask is an approval: decide on its actions instead of answering";
  }
  if (type === "decide" && approval === undefined) {
    return "this ask has questions: answer them instead of deciding";
  }
  return undefined;
}

/** One method for each ending. The options are required or optional, as `settle` takes them. */
export interface EndingMethods<Ended extends Ask, Options extends readonly [unknown?]> {
  answer(id: string, submission: Submission, ...options: Options): Promise<Ended>;
  decide(id: string, submission: DecisionSubmission, ...options: Options): Promise<Ended>;
  decline(id: string, reason?: string | undefined, ...options: Options): Promise<Ended>;
  reply(id: string, text: string, ...options: Options): Promise<Ended>;
}

export function endingMethods<Ended extends Ask, Option>(
  settle: (id: string, ending: Ending, options: Option) => Promise<Ended>,
): EndingMethods<Ended, [options: Option]> {
  return {
    answer: (id, submission, options) => settle(id, { ...submission, type: "answer" }, options),
    decide: (id, submission, options) => settle(id, { ...submission, type: "decide" }, options),
    decline: (id, reason, options) => settle(id, { reason, type: "decline" }, options),
    reply: (id, text, options) => settle(id, { text, type: "reply" }, options),
  };
}
