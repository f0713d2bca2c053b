// The normal form of questions in the AI SDK's `@ai-sdk/harness`. Its questions, options and answers have ids
// as ours do, so nothing of its own shape is lost in decode and encode.
//
// Lost from an ask of ours in encode and decode: everything but its questions and `allowPartial`; minPicks,
// maxPicks; `recommended` and `input` where the label does not say so; a preview's format (the decoder is
// told which it is).
// Lost from an outcome: notes, a decline's reason, who answered (the decoder is told); `replied`, `expired`,
// `withdrawn`, `unavailable` and `decided` are all `cancelled`, which comes back as `withdrawn`: of all
// endings only that claims nothing about a person.

import { ownValue } from "../core/answers-by-text.js";
import {
  type AskContent,
  type AskRequest,
  type Issue,
  isRecord,
  type Outcome,
  type ParsedAsk,
  type Preview,
  profiles,
  validateAnswers,
} from "../core/index.js";
import { inputReader, typeName } from "../core/input-reader.js";
import {
  type AnswerableAsk,
  checkEncoded,
  type DecodedOutcome,
  type DecodeOutcomeOptions,
  type EncodedAsk,
  mapList,
  neverThrowing,
  parsePicked,
} from "./answers-map.js";

// Lists are not readonly here: those of the AI SDK's own types are not, and would not take ours.

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
  /** What the previews are; the shape does not say. `markdown` by default. */
  readonly previewFormat?: Preview["format"];
}

/**
 * @example
 * const decoded = harness.decodeAsk(input);
 * const output = harness.encodeOutcome(ask, outcome); // { action: "answered", answers: { … } }
 */
export const harness: {
  readonly decodeAsk: (input: unknown, options?: HarnessDecodeOptions) => ParsedAsk;
  readonly encodeAsk: (ask: AskContent & Pick<AskRequest, "allowPartial">) => EncodedAsk<HarnessInput>;
  readonly encodeOutcome: (ask: AskContent, outcome: Outcome) => HarnessOutput;
  readonly decodeOutcome: (
    ask: AnswerableAsk,
    output: unknown,
    options: DecodeOutcomeOptions,
  ) => DecodedOutcome;
} = { decodeAsk, encodeAsk, encodeOutcome, decodeOutcome };

function decodeAsk(input: unknown, { previewFormat = "markdown" }: HarnessDecodeOptions = {}): ParsedAsk {
  const parsed = parsePicked(input, profiles.open, (fields) => ({
    allowPartial: fields.allowPartialAnswers,
    questions: mapList(fields.questions, (item) =>
      isRecord(item) ? pickQuestion(item, previewFormat) : item,
    ),
  }));
  return parsed.ok ? parsed : { ok: false, issues: parsed.issues.map(inTheirNames) };
}

type Fields = Readonly<Record<string, unknown>>;

function pickQuestion(item: Fields, format: Preview["format"]): Fields {
  const { allowFreeForm } = item;
  const isForm = isRecord(allowFreeForm);
  const hasOptions = Array.isArray(item.options) && item.options.length > 0;
  return {
    id: item.id,
    question: item.question,
    header: item.header,
    options: mapList(item.options, (option) =>
      isRecord(option)
        ? {
            id: option.id,
            label: option.label,
            description: option.description,
            preview: typeof option.preview === "string" ? { format, content: option.preview } : undefined,
          }
        : option,
    ),
    multiSelect: item.allowMultiple,
    // Without options a question can only be answered by typing, whether it says so or not.
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

/** Whoever mends the input looks for the field by the name it has there. */
function inTheirNames(issue: Issue): Issue {
  const path = issue.path.map((part) =>
    typeof part === "string" && Object.hasOwn(THEIR_NAMES, part) ? (THEIR_NAMES[part] ?? part) : part,
  );
  return { ...issue, path };
}

function encodeAsk(ask: AskContent & Pick<AskRequest, "allowPartial">): EncodedAsk<HarnessInput> {
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
  return checkEncoded(ask, { allowPartialAnswers: ask.allowPartial, questions }, decodeAsk);
}

function encodeOutcome(ask: AskContent, outcome: Outcome): HarnessOutput {
  if (outcome.kind === "declined") return { action: "declined" };
  if (outcome.kind !== "answered") return { action: "cancelled" };
  const given = outcome.answers.filter(({ selected, text }) => selected.length > 0 || text !== undefined);
  const answers = Object.fromEntries(
    given.map(({ question, selected, text }) => [
      question,
      { optionIds: [...selected], ...(text !== undefined && { freeform: text }) },
    ]),
  );
  return { action: given.length < ask.questions.length ? "partially-answered" : "answered", answers };
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
    const asked = new Set(ask.questions.map(({ id }) => id));
    for (const id of Object.keys(answers)) {
      if (!asked.has(id)) reader.add("unknown_question", ["answers", id], "is the id of no question");
    }
    const submitted = ask.questions.flatMap(({ id }) => {
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
    // "answered" claims that every question has its answer, even where the ask would allow less.
    const validated = validateAnswers(ask, submitted, action === "answered" ? { partial: false } : {});
    if (!validated.ok) return validated;
    return { ok: true, outcome: { kind: "answered", answers: validated.answers, by } };
  });
}
