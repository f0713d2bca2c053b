// Arbitrary asks and valid answers to them, as nasty as the parser lets through.

import fc from "fast-check";
import { foldName, isBlank, lookOf } from "../../src/core/kit/fold.js";
import type { AskRequest } from "../../src/core/model/ask.js";
import { CATCH_ALL_LABELS } from "../../src/core/model/option.js";
import {
  type Answer,
  type AskInput,
  type OptionInput,
  type Outcome,
  type Profile,
  profiles,
  type Question,
  type QuestionInput,
  requireAsk,
} from "../../src/index.js";

const NASTY_TEXTS = [
  "__proto__",
  "constructor",
  "toString",
  "hasOwnProperty",
  "a",
  "b",
  "a, b",
  "a, b, a",
  ", ",
  "Yes, and more",
  "Other",
  "Khác",
  "Fast (Recommended)",
  "o1",
  "q1",
  "1",
  " padded ",
  "two\nlines\n- third",
  "\u0000nul",
  "\u202ereversed",
  "\u2028separated",
  "\ud800 alone",
  "e\u0301 and é",
  "👩‍👩‍👧‍👦",
  "[cancelled by user]",
  'quote " and \\',
  "[]",
];

/** Text that is not blank. */
export function nastyText(maxLength = 40): fc.Arbitrary<string> {
  return fc
    .oneof(
      fc.constantFrom(...NASTY_TEXTS),
      fc.string({ unit: "grapheme", maxLength }),
      fc.string({ maxLength }),
    )
    .filter((text) => !isBlank(text));
}

/** Text that no reader can take for labels: letters and digits, and never one of `NASTY_TEXTS`. */
export function plainText(prefix: string): fc.Arbitrary<string> {
  return fc.stringMatching(/^[a-z0-9]{1,12}$/).map((text) => `${prefix} ${text}`);
}

export interface AskArbitraryOptions {
  readonly profile?: Profile;
  /** Texts and labels; `nastyText()` where not given. */
  readonly text?: fc.Arbitrary<string>;
  /** Whether multi-select questions occur; true by default. */
  readonly multiSelect?: boolean;
}

function arbitraryOption(label: string): fc.Arbitrary<OptionInput> {
  return fc.oneof(
    { weight: 1, arbitrary: fc.constant(label) },
    {
      weight: 3,
      arbitrary: fc
        .record(
          {
            description: nastyText(),
            preview: fc.oneof(
              nastyText(),
              fc.record({
                format: fc.constantFrom("text" as const, "markdown" as const, "html" as const),
                content: nastyText(),
              }),
            ),
            recommended: fc.boolean(),
          },
          { requiredKeys: [] },
        )
        .map((fields) => ({ label, ...fields })),
    },
  );
}

function arbitraryQuestion({
  profile = profiles.open,
  text = nastyText(),
  multiSelect: allowMulti = true,
}: AskArbitraryOptions = {}): fc.Arbitrary<QuestionInput> {
  const { min, max } = profile.options;
  const labels = fc.uniqueArray(text, {
    minLength: min,
    maxLength: Math.min(max, Math.max(min, 6)),
    selector: lookOf,
  });
  return fc
    .tuple(text, fc.option(text, { nil: undefined }), labels, fc.boolean(), fc.boolean(), fc.nat(), fc.nat())
    .chain(([question, header, names, multi, freeText, least, most]) =>
      fc.tuple(...names.map(arbitraryOption)).map((options): QuestionInput => {
        const multiSelect = allowMulti && multi;
        const minPicks = 1 + (least % Math.max(1, names.length));
        return {
          question,
          ...((header ?? (profile.headerRequired ? "Header" : undefined)) !== undefined && {
            header: header ?? "Header",
          }),
          options,
          multiSelect,
          // A third of the questions has bounds: always such that some answer fits.
          ...(multiSelect && least % 3 === 0 && { minPicks, maxPicks: minPicks + (most % 3) }),
          // Only options can answer without free text, and an option such as Other needs it.
          freeText: freeText || names.length === 0 || names.some((name) => CATCH_ALL_LABELS.includes(name)),
        };
      }),
    );
}

/** What a caller could write: within the profile, some with ids, context and an address. */
export function arbitraryAskInput(options: AskArbitraryOptions = {}): fc.Arbitrary<AskInput> {
  const profile = options.profile ?? profiles.open;
  const { min, max } = profile.questions;
  const questions = fc.uniqueArray(arbitraryQuestion(options), {
    minLength: min,
    maxLength: Math.min(max, 5),
    ...(profile.uniqueQuestions && { selector: ({ question }: QuestionInput) => question }),
  });
  const ids = fc.option(
    fc.uniqueArray(fc.constantFrom("__proto__", "constructor", "o1", "q2", "q1", "first", "é", "a, b"), {
      minLength: 5,
      maxLength: 5,
    }),
    { nil: undefined },
  );
  return fc
    .tuple(
      questions,
      ids,
      fc.record(
        {
          context: nastyText(),
          session: fc.constant("session 1"),
          key: fc.constant("call_1"),
          allowPartial: fc.boolean(),
          timeoutMs: fc.integer({ min: 1, max: 1_000_000 }),
        },
        { requiredKeys: [] },
      ),
    )
    .map(([asked, given, fields]) => ({
      ...fields,
      questions:
        given === undefined || hasShadow(asked, given)
          ? asked
          : asked.map((question, index) => ({ id: given[index] ?? "", ...question })),
    }));
}

/** Whether an id is the header of another question, which is refused. */
function hasShadow(questions: readonly QuestionInput[], ids: readonly string[]): boolean {
  return questions.some(({ header }, index) =>
    ids.some((id, other) => other !== index && header !== undefined && foldName(header) === foldName(id)),
  );
}

export function arbitraryAsk(options: AskArbitraryOptions = {}): fc.Arbitrary<AskRequest> {
  const profile = options.profile ?? profiles.open;
  return arbitraryAskInput(options).map((input) => requireAsk(input, { profile }));
}

export interface AnswerArbitraryOptions {
  /** What people type; `nastyText()` where not given. */
  readonly text?: fc.Arbitrary<string>;
  readonly notes?: boolean;
}

/** A valid answer to one question, skipped at times where the ask allows it. */
function arbitraryAnswer(
  question: Question,
  partial: boolean,
  { text = nastyText(), notes = true }: AnswerArbitraryOptions = {},
): fc.Arbitrary<Answer> {
  const listed = question.options.filter(({ input }) => !input).map(({ id }) => id);
  const least = question.multiSelect ? (question.minPicks ?? 1) : 1;
  const most = question.multiSelect ? (question.maxPicks ?? listed.length + 1) : 1;
  const picks = (from: number, to: number): fc.Arbitrary<string[]> =>
    fc.subarray(listed, { minLength: Math.max(0, from), maxLength: Math.min(to, listed.length) });
  const ways: fc.Arbitrary<Omit<Answer, "question">>[] = [
    ...(listed.length >= least ? [picks(least, most).map((selected) => ({ selected }))] : []),
    ...(question.freeText
      ? [fc.tuple(picks(least - 1, most - 1), text).map(([selected, typed]) => ({ selected, text: typed }))]
      : []),
    ...(partial ? [fc.constant({ selected: [], skipped: true as const })] : []),
  ];
  const note = notes ? fc.option(nastyText(), { nil: undefined }) : fc.constant(undefined);
  return fc.tuple(fc.oneof(...ways), note).map(([answer, said]) => ({
    question: question.id,
    ...answer,
    ...(said !== undefined && { note: said }),
  }));
}

/** One valid answer for each question, in their order. */
export function arbitraryAnswers(
  ask: Pick<AskRequest, "questions" | "allowPartial">,
  options: AnswerArbitraryOptions = {},
): fc.Arbitrary<readonly Answer[]> {
  return fc.tuple(...ask.questions.map((question) => arbitraryAnswer(question, ask.allowPartial, options)));
}

export const BY = { kind: "person", id: "ana", surface: "test" } as const;

export interface Answered {
  readonly ask: AskRequest;
  readonly outcome: Extract<Outcome, { kind: "answered" }>;
}

/** An ask together with an answered outcome of it. */
export function arbitraryAnswered(
  options: AskArbitraryOptions & { readonly answers?: AnswerArbitraryOptions } = {},
): fc.Arbitrary<Answered> {
  return arbitraryAsk(options).chain((ask) => arbitraryAnsweredOf(ask, options.answers));
}

export function arbitraryAnsweredOf(
  ask: AskRequest,
  options: AnswerArbitraryOptions = {},
): fc.Arbitrary<Answered> {
  return arbitraryAnswers(ask, options).map((answers) => ({
    ask,
    outcome: { kind: "answered", answers, by: BY },
  }));
}
