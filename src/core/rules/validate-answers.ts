import type { Issue } from "../kit/issue.js";
import { isRecord } from "../kit/json.js";
import type { AskContent } from "../model/ask.js";
import { type Answer, OUTCOME } from "../model/outcome.js";
import type { Question } from "../model/question.js";
import { guarded, type InputReader, type Path, typeName } from "../read/input-reader.js";
import { plansOf } from "../read/read-fields.js";
import { NO_IDS, placeOf, readAnswer, unknownAmong } from "./read-answer.js";
import { createStamp } from "./stamp.js";

export interface ValidateOptions {
  /** Whether questions may be left blank; what the ask itself says where this is not given. */
  readonly partial?: boolean;
}

export type ValidatedAnswers =
  | { readonly ok: true; readonly answers: readonly Answer[] }
  | { readonly ok: false; readonly issues: readonly Issue[] };

export type ValidatedSubmission =
  | { readonly ok: true; readonly answers: readonly Answer[]; readonly note?: string }
  | { readonly ok: false; readonly issues: readonly Issue[] };

type AnswerableAsk = AskContent & { readonly allowPartial?: boolean };

/**
 * Checks answers against the ask they are meant for and finds every problem in one pass; never throws.
 * On success there is exactly one answer for each question, in the order of the questions, frozen;
 * `selected` holds option ids (exact labels are taken too, and an id wins over another option's label).
 *
 * @example
 * const checked = validateAnswers(ask, [{ question: "q1", selected: ["o2"] }]);
 * if (!checked.ok) console.log(formatIssues(checked.issues));
 */
export function validateAnswers(
  ask: AnswerableAsk,
  answers: unknown,
  options: ValidateOptions = {},
): ValidatedAnswers {
  const checked = checkedAnswers(ask, answers, options);
  if (checked !== undefined) return { ok: true, answers: checked };
  return guarded((reader) => ({ ok: true, answers: readAnswers(ask, answers, options, reader) }));
}

/** {@link validateAnswers} for a whole submission, `{ answers, note? }`. */
export function validateSubmission(
  ask: AnswerableAsk,
  submission: unknown,
  options: ValidateOptions = {},
): ValidatedSubmission {
  return guarded((reader) => {
    if (!isRecord(submission)) {
      reader.add("wrong_type", [], `must be an object with answers, not ${typeName(submission)}`);
      return { ok: true, answers: [] };
    }
    const given = submission.answers;
    const answers = checkedAnswers(ask, given, options) ?? readAnswers(ask, given, options, reader);
    return { ok: true, ...read.answered({ answers }, submission, TOP, reader) };
  });
}

/** What a person says instead of answering: not blank, within bounds. */
export function validateReply(text: unknown): Checked<{ readonly text: string }> {
  return guarded((reader) => ({ ok: true, text: read.replied({}, { text }, TOP, reader).text }));
}

/** Why somebody declines or withdraws: optional, within bounds. */
export function validateReason(reason: unknown): Checked<{ readonly reason?: string }> {
  return guarded((reader) => ({ ok: true, ...read.withdrawn({}, { reason }, TOP, reader) }));
}

type Checked<T> = ({ readonly ok: true } & T) | { readonly ok: false; readonly issues: readonly Issue[] };

const read = plansOf(OUTCOME);
const TOP: Path = [];

/** By the place of the question: its answer, null where that is broken, undefined where there is none. */
type Given = (Answer | null | undefined)[];

function readAnswers(
  ask: AnswerableAsk,
  answers: unknown,
  options: ValidateOptions,
  reader: InputReader,
): readonly Answer[] {
  const { questions } = ask;
  const items: readonly unknown[] | undefined = Array.isArray(answers)
    ? answers
    : reader.list(answers, ["answers"]);
  if (items === undefined) return [];
  if (items.length > questions.length) {
    const message = `there are ${questions.length} questions, but ${items.length} answers`;
    reader.add("duplicate_answer", ["answers"], message);
  }
  const given: Given = questions.map(() => undefined);
  const looked = Math.min(items.length, questions.length + 1);
  for (let index = 0; index < looked; index += 1) {
    // A hole in a list is nothing that was sent.
    if (index in items) readItem(questions, items[index], index, given, reader);
  }
  const partial = isPartial(ask, options);
  const finished = questions.map((question, place) => finish(question, given[place], partial, reader));
  if (reader.issues.length === 0 && Object.isFrozen(questions)) checkedFor.put(finished, questions);
  return Object.freeze(finished);
}

function readItem(
  questions: readonly Question[],
  item: unknown,
  index: number,
  given: Given,
  reader: InputReader,
): void {
  if (!isRecord(item)) {
    const message = `must be an object with question and selected, not ${typeName(item)}`;
    reader.add("wrong_type", placeOf(index), message);
    return;
  }
  // Answers mostly come in the order of the questions.
  const place = questions[index]?.id === item.question ? index : findPlace(questions, item.question);
  const question = questions[place];
  if (question === undefined) {
    reader.add(
      "unknown_question",
      placeOf(index, "question"),
      unknownAmong(questions, "this ask has no questions"),
    );
  } else if (given[place] !== undefined) {
    reader.add("duplicate_answer", placeOf(index, "question"), `"${question.id}" is answered twice`);
  } else {
    given[place] = readAnswer(question, item, index, reader) ?? null;
  }
}

function findPlace(questions: readonly Question[], id: unknown): number {
  return questions.findIndex((question) => question.id === id);
}

function isPartial(ask: AnswerableAsk, options: ValidateOptions): boolean {
  return options.partial ?? ask.allowPartial ?? false;
}

/** On what came out of here without a problem: for which questions. */
const checkedFor = createStamp<readonly Question[]>();

/** Answers to just these questions that were found good before; they are frozen, so they still are. */
function checkedAnswers(
  ask: AnswerableAsk,
  answers: unknown,
  options: ValidateOptions,
): readonly Answer[] | undefined {
  if (typeof answers !== "object" || answers === null || checkedFor.of(answers) !== ask.questions) {
    return undefined;
  }
  const known = answers as readonly Answer[];
  return isPartial(ask, options) || hasNoGap(known) ? known : undefined;
}

/** Counts, as the readers of an answer do: the answers are frozen. */
function hasNoGap(answers: readonly Answer[]): boolean {
  for (let place = 0; place < answers.length; place += 1) if (answers[place]?.skipped) return false;
  return true;
}

/** A question left blank is skipped where that is allowed, and a problem where it is not. */
function finish(
  question: Question,
  answer: Answer | null | undefined,
  partial: boolean,
  reader: InputReader,
): Answer {
  if (answer && (answer.selected.length > 0 || answer.text !== undefined)) return Object.freeze(answer);
  const wasBroken = answer === null;
  if (!partial && !wasBroken) {
    reader.add(
      answer === undefined ? "missing_answer" : "empty_answer",
      ["answers"],
      `question "${question.id}" has no answer; choose an option${question.freeText ? " or type one" : ""}`,
    );
  }
  const note = answer?.note;
  return Object.freeze({
    question: question.id,
    selected: NO_IDS,
    ...(note !== undefined && { note }),
    skipped: true as const,
  });
}
