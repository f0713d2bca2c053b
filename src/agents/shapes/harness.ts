// The normal form of questions in the AI SDK's `@ai-sdk/harness`. Its questions, options and answers have ids as ours
// do, so its own shape loses nothing when it is decoded and encoded again.
//
// Every ending other than an answer or a decline is `cancelled`, which comes back as `withdrawn`: the only ending
// that claims nothing about a person.

import type { Issue } from "../../core/kit/issue.js";
import { isRecord } from "../../core/kit/json.js";
import { profiles } from "../../core/kit/profiles.js";
import type { AskContent } from "../../core/model/ask.js";
import type { Preview } from "../../core/model/option.js";
import type { Outcome } from "../../core/model/outcome.js";
import { inputReader, typeName } from "../../core/read/input-reader.js";
import type { ParsedAsk } from "../../core/rules/parse-ask.js";
import { ownValue } from "../../core/text/answers-by-text.js";
import type { AnswerableAsk, DecodedOutcome, DecodeOutcomeOptions, Dialect, EncodedAsk } from "./dialect.js";
import {
  answered,
  checkEncoded,
  type Fields,
  isGap,
  mapRecords,
  neverThrowing,
  parsePicked,
  unknownKeys,
} from "./shared.js";

// Lists are mutable here, because a readonly list is not assignable to the mutable ones of the AI SDK's types.

export interface HarnessOption {
  readonly id: string;
  readonly label: string;
  readonly description?: string;
  readonly preview?: string;
}

export interface HarnessQuestion {
  readonly id: string;
  readonly question: string;
  readonly header?: string;
  readonly options?: HarnessOption[];
  readonly allowMultiple?: boolean;
  readonly allowFreeForm?: boolean | { readonly secret: boolean };
}

export interface HarnessInput {
  readonly allowPartialAnswers: boolean;
  readonly questions: HarnessQuestion[];
}

export interface HarnessAnswer {
  readonly optionIds: string[];
  readonly freeform?: string;
}

export type HarnessOutput =
  | {
      readonly action: "answered" | "partially-answered";
      readonly answers: Readonly<Record<string, HarnessAnswer>>;
    }
  | { readonly action: "declined" | "cancelled" };

export interface HarnessDecodeOptions {
  /** The format of the previews, which the shape does not state; `markdown` by default. */
  readonly previewFormat?: Preview["format"];
}

export interface HarnessDialect extends Dialect<HarnessInput, HarnessOutput> {
  readonly decodeAsk: (input: unknown, options?: HarnessDecodeOptions) => ParsedAsk;
}

/**
 * @example
 * const decoded = harness.decodeAsk(input);
 * const output = harness.encodeOutcome(ask, outcome); // { action: "answered", answers: { … } }
 */
export const harness: HarnessDialect = {
  name: "harness",
  profile: profiles.open,
  carries: ["questions", "multiSelect"],
  endings: {
    answered: "answered",
    decided: "withdrawn",
    declined: "declined",
    replied: "withdrawn",
    expired: "withdrawn",
    withdrawn: "withdrawn",
    unavailable: "withdrawn",
  },
  losses: {
    ask: ["address", "context", "preview format", "minPicks, maxPicks", "recommended", "input"],
    outcome: ["notes", "reasons", "all skipped"],
  },
  decodeAsk,
  encodeAsk,
  encodeOutcome,
  decodeOutcome,
};

function decodeAsk(input: unknown, { previewFormat = "markdown" }: HarnessDecodeOptions = {}): ParsedAsk {
  const parsed = parsePicked(input, profiles.open, (fields) => ({
    allowPartial: fields.allowPartialAnswers,
    questions: mapRecords(fields.questions, (item) => pickQuestion(item, previewFormat)),
  }));
  return parsed.ok ? parsed : { ok: false, issues: parsed.issues.map(inTheirNames) };
}

function pickQuestion(item: Fields, format: Preview["format"]): Fields {
  const { allowFreeForm } = item;
  const isForm = isRecord(allowFreeForm);
  const hasOptions = Array.isArray(item.options) && item.options.length > 0;
  return {
    id: item.id,
    question: item.question,
    header: item.header,
    options: mapRecords(item.options, ({ id, label, description, preview }) => ({
      id,
      label,
      description,
      preview: typeof preview === "string" ? { format, content: preview } : undefined,
    })),
    multiSelect: item.allowMultiple,
    // A question without options can only be answered by typing, even if it does not allow that.
    freeText: isForm ? true : (allowFreeForm ?? !hasOptions),
    secret: isForm && allowFreeForm.secret === true,
  };
}

const THEIR_NAMES: Readonly<Record<string, string>> = {
  allowPartial: "allowPartialAnswers",
  multiSelect: "allowMultiple",
  freeText: "allowFreeForm",
  secret: "allowFreeForm",
};

/** The sender looks for a field under the name that it has in the input. */
function inTheirNames(issue: Issue): Issue {
  const path = issue.path.map((part) =>
    typeof part === "string" && Object.hasOwn(THEIR_NAMES, part) ? (THEIR_NAMES[part] ?? part) : part,
  );
  return { ...issue, path };
}

function encodeAsk(ask: AnswerableAsk): EncodedAsk<HarnessInput> {
  const questions = ask.questions.map(({ id, question, header, options, multiSelect, freeText }) => ({
    id,
    question,
    ...(header !== undefined && { header }),
    options: options.map(({ id, label, description, preview }) => ({
      id,
      label,
      ...(description !== undefined && { description }),
      ...(preview !== undefined && { preview: preview.content }),
    })),
    allowMultiple: multiSelect,
    allowFreeForm: freeText,
  }));
  return checkEncoded(ask, { allowPartialAnswers: ask.allowPartial ?? false, questions }, decodeAsk);
}

function encodeOutcome(ask: AskContent, outcome: Outcome): HarnessOutput {
  if (outcome.kind === "declined") return { action: "declined" };
  if (outcome.kind !== "answered") return { action: "cancelled" };
  const answered = outcome.answers.filter((answer) => !isGap(answer));
  const answers = Object.fromEntries(
    answered.map(({ question, selected, text }) => [
      question,
      { optionIds: [...selected], ...(text !== undefined && { freeform: text }) },
    ]),
  );
  return { action: answered.length < ask.questions.length ? "partially-answered" : "answered", answers };
}

const ACTIONS = ["answered", "partially-answered", "declined", "cancelled"] as const;

function decodeOutcome(ask: AnswerableAsk, output: unknown, { by }: DecodeOutcomeOptions): DecodedOutcome {
  return neverThrowing((): DecodedOutcome => {
    const reader = inputReader();
    const fields = isRecord(output) ? output : {};
    const action = reader.choice(fields.action ?? "", ["action"], ACTIONS);
    if (action === "declined") return { ok: true, outcome: { kind: "declined", by } };
    if (action === "cancelled") return { ok: true, outcome: { kind: "withdrawn", reason: "cancelled" } };
    const answers = isRecord(fields.answers) ? fields.answers : {};
    if (!isRecord(fields.answers)) {
      reader.add("wrong_type", ["answers"], `must be an object, not ${typeName(fields.answers)}`);
    }
    const ids = ask.questions.map(({ id }) => id);
    for (const id of unknownKeys(answers, ids)) {
      reader.add("unknown_question", ["answers", id], "is not the id of any question");
    }
    const submitted = ids.flatMap((id) => {
      const answer = ownValue(answers, id);
      if (answer === undefined) return [];
      if (!isRecord(answer)) {
        reader.add(
          "wrong_type",
          ["answers", id],
          `must be an object with optionIds, not ${typeName(answer)}`,
        );
        return [];
      }
      return [{ question: id, selected: answer.optionIds, text: answer.freeform }];
    });
    if (reader.issues.length > 0) return { ok: false, issues: reader.issues };
    // "answered" claims that every question has an answer, even if the ask allows skipping.
    return answered(ask, submitted, by, action === "answered" ? { partial: false } : {});
  });
}
