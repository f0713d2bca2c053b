// Source 003 (Spring AI AskUserQuestionTool): questions as a list, answers as a map from question text to one
// string; labels joined with ", ", typed text as it is, "" for a skip. Other shapes are built of the same
// parts, so what they share is exported here.
//
// Lost from an ask in encode and decode: everything but its questions; ids (they become q1…, o1…), previews,
// minPicks, maxPicks; `freeText: false` and `allowPartial: false` (typed text and "" always answer here);
// `recommended` and `input` where the label does not say so.
// Lost from an outcome: every kind but `answered`; notes; who answered (the decoder is told); and a string
// that can be read in two ways is read by its labels: text typed exactly like a label, or like labels joined
// with ", ", comes back as those picks, and picks whose joined labels make another label come back as that.

import { checkAnswersByText } from "../core/answers-by-text.js";
import {
  type Answerer,
  type AskContent,
  type AskRequest,
  describeOutcome,
  encodeTextAnswer,
  type Issue,
  isRecord,
  type Outcome,
  type ParsedAsk,
  type Profile,
  parseAsk,
  profiles,
  type Question,
  validateAnswers,
} from "../core/index.js";
import { parseJson } from "../core/input-reader.js";

export interface AnswersMapOption {
  readonly label: string;
  readonly description: string;
}

export interface AnswersMapQuestion {
  readonly question: string;
  readonly header: string;
  readonly options: readonly AnswersMapOption[];
  readonly multiSelect: boolean;
}

export interface AnswersMapInput {
  readonly questions: readonly AnswersMapQuestion[];
}

/** Question text to answer. */
export type AnswersMap = Readonly<Record<string, string>>;

export type EncodedAsk<Input> =
  | { readonly ok: true; readonly input: Input }
  | { readonly ok: false; readonly issues: readonly Issue[] };

/** For shapes that only know answers: any other ending is a message, the same that a model would read. */
export type EncodedOutcome<Output> =
  | { readonly ok: true; readonly output: Output }
  | { readonly ok: false; readonly message: string };

export type DecodedOutcome =
  | { readonly ok: true; readonly outcome: Outcome }
  | { readonly ok: false; readonly issues: readonly Issue[] };

export interface DecodeOutcomeOptions {
  /** Who answered: foreign shapes do not say. */
  readonly by: Answerer;
}

/** An ask as far as its answers depend on it. */
export type AnswerableAsk = AskContent & Partial<Pick<AskRequest, "allowPartial">>;

/**
 * @example
 * const decoded = answersMap.decodeAsk({ questions });
 * const encoded = answersMap.encodeOutcome(ask, outcome); // { ok: true, output: { "Which auth?": "OAuth" } }
 */
export const answersMap: {
  readonly decodeAsk: (input: unknown) => ParsedAsk;
  readonly encodeAsk: (ask: AskContent) => EncodedAsk<AnswersMapInput>;
  readonly encodeOutcome: (ask: AskContent, outcome: Outcome) => EncodedOutcome<AnswersMap>;
  readonly decodeOutcome: (ask: AnswerableAsk, map: unknown, options: DecodeOutcomeOptions) => DecodedOutcome;
} = { decodeAsk, encodeAsk, encodeOutcome, decodeOutcome };

function decodeAsk(input: unknown): ParsedAsk {
  // A list of questions alone is what source 003 hands to its handler.
  const whole = Array.isArray(input) ? { questions: input } : input;
  return parsePicked(whole, profiles.spring, (fields) => ({
    questions: pickQuestions(fields.questions),
    allowPartial: true,
  }));
}

function encodeAsk(ask: AskContent): EncodedAsk<AnswersMapInput> {
  const questions = ask.questions.map(({ question, header, options, multiSelect }) => ({
    question,
    header: header ?? "",
    options: options.map(({ label, description }) => ({ label, description: description ?? "" })),
    multiSelect,
  }));
  return checkEncoded(ask, { questions }, decodeAsk);
}

function encodeOutcome(ask: AskContent, outcome: Outcome): EncodedOutcome<AnswersMap> {
  if (outcome.kind !== "answered" || repeatedTexts(ask).length > 0) {
    return { ok: false, message: describeOutcome(ask, outcome) };
  }
  const entries = ask.questions.map((question) => {
    const answer = outcome.answers.find((candidate) => candidate.question === question.id);
    return [question.question, answer === undefined ? "" : encodeTextAnswer(question, answer)] as const;
  });
  // Object.fromEntries defines own properties, so that a question called `__proto__` stays in the map.
  return { ok: true, output: Object.fromEntries(entries) };
}

function decodeOutcome(ask: AnswerableAsk, map: unknown, { by }: DecodeOutcomeOptions): DecodedOutcome {
  return neverThrowing(() => {
    const repeated = repeatedTexts(ask);
    if (repeated.length > 0) return { ok: false, issues: repeated };
    const checked = checkAnswersByText(ask.questions, map);
    if (!checked.ok) return { ok: false, issues: checked.issues };
    const validated = validateAnswers(ask, checked.answers);
    if (!validated.ok) return validated;
    return { ok: true, outcome: { kind: "answered", answers: validated.answers, by } };
  });
}

/** One issue for each question text that an earlier question has too: such answers cannot be told apart. */
export function repeatedTexts({ questions }: AskContent): readonly Issue[] {
  const issues: Issue[] = [];
  for (let place = 1; place < questions.length; place += 1) {
    if (!isTextBefore(questions, place)) continue;
    const message = "two questions have this text, so an answer under it belongs to neither";
    issues.push({ code: "duplicate_question", path: ["questions", place, "question"], message });
  }
  return issues;
}

/** Compares each with each: questions are few, and a set of their texts for every answer costs more. */
function isTextBefore(questions: readonly Question[], place: number): boolean {
  const text = questions[place]?.question;
  for (let before = 0; before < place; before += 1) if (questions[before]?.question === text) return true;
  return false;
}

type Fields = Readonly<Record<string, unknown>>;

/** Parses only the fields that `pick` takes: nothing else that a model wrote can reach the ask. */
export function parsePicked(input: unknown, profile: Profile, pick: (fields: Fields) => Fields): ParsedAsk {
  return neverThrowing((): ParsedAsk => {
    const fields = typeof input === "string" ? parseJson(input) : input;
    return parseAsk(isRecord(fields) ? pick(fields) : input, { profile });
  });
}

/** The fields of a question that Claude's tool and its descendants have. */
export function pickQuestions(
  value: unknown,
  pickOption: (option: Fields) => Fields = labelAndDescription,
): unknown {
  return mapList(value, (item) =>
    isRecord(item)
      ? {
          question: item.question,
          header: item.header,
          options: mapList(item.options, (option) => (isRecord(option) ? pickOption(option) : option)),
          multiSelect: item.multiSelect ?? item.multi_select ?? item.multiple,
        }
      : item,
  );
}

export function labelAndDescription(option: Fields): Fields {
  return { label: option.label ?? option.name, description: option.description };
}

/** Models send lists as JSON text at times; what is no list is left for the parser to complain of. */
export function mapList(value: unknown, change: (item: unknown) => unknown): unknown {
  const list = typeof value === "string" ? parseJson(value) : value;
  if (!Array.isArray(list)) return value;
  const changed: unknown[] = [];
  // Not `map`, which passes over holes, nor `Array.from`, which takes ten times as long.
  for (let index = 0; index < list.length; index += 1) changed.push(change(list[index]));
  return changed;
}

/** What does not decode again is no encoding: an ask beyond the shape's limits is refused with the reasons. */
export function checkEncoded<Input>(
  ask: AskContent,
  input: Input,
  decode: (input: unknown) => ParsedAsk,
): EncodedAsk<Input> {
  if (ask.approval !== undefined) {
    const message = "this shape holds questions only; ask for the approval in another way";
    return { ok: false, issues: [{ code: "invalid_value", path: ["approval"], message }] };
  }
  const decoded = decode(input);
  return decoded.ok ? { ok: true, input } : decoded;
}

/** Only an object with a hostile getter or proxy can make a read throw: JSON cannot. */
export function neverThrowing<Result>(
  read: () => Result,
): Result | { readonly ok: false; readonly issues: readonly Issue[] } {
  try {
    return read();
  } catch {
    return { ok: false, issues: [{ code: "wrong_type", path: [], message: "could not be read" }] };
  }
}
