// Shared parts of dialects: reading only the fields of a shape, the question as Claude's tool writes it, and answers
// as a map from question text to one string.

import type { Issue, IssueCode } from "../../core/kit/issue.js";
import { isRecord, setOwn } from "../../core/kit/json.js";
import type { Profile } from "../../core/kit/profiles.js";
import type { AskContent } from "../../core/model/ask.js";
import type { Answer, Answerer } from "../../core/model/outcome.js";
import type { Question } from "../../core/model/question.js";
import type { AnswersMap } from "../../core/model/stream-event.js";
import { parseJson } from "../../core/read/input-reader.js";
import { type ParsedAsk, parseAsk } from "../../core/rules/parse-ask.js";
import { validateAnswers } from "../../core/rules/validate-answers.js";
import { validateDecisions } from "../../core/rules/validate-decisions.js";
import { encodeTextAnswer } from "../../core/text/text-answer.js";
import type { AnswerableAsk, DecodedOutcome, Dialect, EncodedAsk, Refused } from "./dialect.js";

export type Fields = Readonly<Record<string, unknown>>;

export interface PlainOption {
  readonly label: string;
  readonly description: string;
}

/** A question as Claude's tool and its descendants write it. */
export interface PlainQuestion {
  readonly question: string;
  readonly header: string;
  readonly options: readonly PlainOption[];
  readonly multiSelect: boolean;
}

/** The endings of a shape without a word for any; a dialect overrides those that it has. */
export const ALL_LOST: Dialect["endings"] = {
  answered: "lost",
  decided: "lost",
  declined: "lost",
  replied: "lost",
  expired: "lost",
  withdrawn: "lost",
  unavailable: "lost",
};

/** What every shape loses whose questions have a text and labels, and no more. */
export const PLAIN_LOSSES = [
  "address",
  "ids",
  "minPicks, maxPicks",
  "freeText: false",
  "recommended",
] as const;

export function refused(code: IssueCode, path: Issue["path"], message: string): Refused {
  return { ok: false, issues: [{ code, path, message }] };
}

/** Only an object with a hostile getter or proxy can make a read throw: JSON cannot. */
export function neverThrowing<Result>(read: () => Result): Result | Refused {
  try {
    return read();
  } catch {
    return refused("wrong_type", [], "could not be read");
  }
}

/** Parses only the fields that `pick` returns: nothing else that a model wrote can reach the ask. */
export function parsePicked(input: unknown, profile: Profile, pick: (fields: Fields) => Fields): ParsedAsk {
  return neverThrowing((): ParsedAsk => {
    const fields = typeof input === "string" ? parseJson(input) : input;
    return parseAsk(isRecord(fields) ? pick(fields) : input, { profile });
  });
}

/** The fields of a {@link PlainQuestion}, also under the names that models give them by mistake. */
export function pickQuestions(
  value: unknown,
  pickOption: (option: Fields) => Fields = labelAndDescription,
): unknown {
  return mapRecords(value, (item) => ({
    question: item.question,
    header: item.header,
    options: mapRecords(item.options, pickOption),
    multiSelect: item.multiSelect ?? item.multi_select ?? item.multiple,
  }));
}

export function labelAndDescription(option: Fields): Fields {
  return { label: option.label ?? option.name, description: option.description };
}

/**
 * Changes the objects of a list; any other item stays for the parser to refuse. Models sometimes send a list as
 * JSON text.
 */
export function mapRecords(value: unknown, change: (fields: Fields, index: number) => Fields): unknown {
  const list = typeof value === "string" ? parseJson(value) : value;
  if (!Array.isArray(list)) return value;
  const changed: unknown[] = [];
  // `map` skips holes, and `Array.from` takes ten times as long.
  for (let index = 0; index < list.length; index += 1) {
    const item: unknown = list[index];
    changed.push(isRecord(item) ? change(item, index) : item);
  }
  return changed;
}

export function plainQuestions({ questions }: AskContent): readonly PlainQuestion[] {
  return questions.map(({ question, header, options, multiSelect }) => ({
    question,
    header: header ?? "",
    options: options.map(({ label, description }) => ({ label, description: description ?? "" })),
    multiSelect,
  }));
}

/** Refuses an ask beyond the limits of the shape, with the reasons: what was encoded must decode again. */
export function checkEncoded<Input>(
  ask: AskContent,
  input: Input,
  decode: (input: unknown) => ParsedAsk,
): EncodedAsk<Input> {
  if (ask.approval !== undefined) {
    const message = "this shape holds questions only; ask for the approval in another way";
    return refused("invalid_value", ["approval"], message);
  }
  const decoded = decode(input);
  return decoded.ok ? { ok: true, input } : decoded;
}

/** One issue for each question that repeats an earlier text: one key cannot hold both answers. */
export function repeatedTexts({ questions }: AskContent): readonly Issue[] {
  const issues: Issue[] = [];
  // Compares all pairs: questions are few, and a set of their texts for every answer costs more.
  for (let index = 1; index < questions.length; index += 1) {
    const text = questions[index]?.question;
    let before = 0;
    while (before < index && questions[before]?.question !== text) before += 1;
    if (before === index) continue;
    const message = "two questions have this text, so an answer under it belongs to neither";
    issues.push({ code: "duplicate_question", path: ["questions", index, "question"], message });
  }
  return issues;
}

export interface AnswerWords {
  /** One answer as text; labels joined with `", "` by default. */
  readonly write?: (question: Question, answer: Answer) => string;
  /** What stands for a skipped question; it is omitted by default. */
  readonly skip?: (question: Question) => string;
}

/** One string for each question, under its text. */
export function answersByText(
  { questions }: AskContent,
  answers: readonly Answer[],
  { write = encodeTextAnswer, skip }: AnswerWords = {},
): AnswersMap {
  const map: Record<string, string> = {};
  for (let place = 0; place < questions.length; place += 1) {
    const question = questions[place];
    if (question === undefined) continue;
    const likely = answers[place];
    // Answers are in the order of the questions, except in an outcome that was made elsewhere.
    const answer =
      likely?.question === question.id ? likely : answers.find((other) => other.question === question.id);
    const text = answer === undefined || isGap(answer) ? skip?.(question) : write(question, answer);
    if (text !== undefined) setOwn(map, question.question, text);
  }
  return map;
}

export function isGap({ selected, text }: Answer): boolean {
  return selected.length === 0 && text === undefined;
}

/** The keys of a map that are not among the `known` ones. */
export function unknownKeys(map: Fields, known: readonly string[]): readonly string[] {
  const expected = new Set(known);
  return Object.keys(map).filter((key) => !expected.has(key));
}

/** The decided outcome, if the decisions are valid for the ask. */
export function decidedOutcome(ask: AnswerableAsk, submission: unknown, by: Answerer): DecodedOutcome {
  const checked = validateDecisions(ask, submission);
  if (!checked.ok) return checked;
  const { ok: _, ...content } = checked;
  return { ok: true, outcome: { kind: "decided", ...content, by } };
}

/** The answered outcome, if the answers are valid for the ask. */
export function answered(
  ask: AnswerableAsk,
  answers: unknown,
  by: Answerer,
  options?: { readonly partial?: boolean },
): DecodedOutcome {
  const validated = validateAnswers(ask, answers, options);
  return validated.ok
    ? { ok: true, outcome: { kind: "answered", answers: validated.answers, by } }
    : validated;
}
