import type { Issue } from "../kit/issue.js";
import { isRecord } from "../kit/json.js";
import type { AskContent } from "../model/ask.js";
import type { Answer } from "../model/outcome.js";
import type { Question } from "../model/question.js";
import { guarded, type InputReader, typeName } from "../read/input-reader.js";
import { NO_IDS, placeOf, readAnswer, unknownAmong } from "./read-answer.js";
import { createStamp } from "./stamp.js";

export interface ValidateOptions {
  /** Whether questions may be left blank; `allowPartial` of the ask by default. */
  readonly partial?: boolean | undefined;
}

export type ValidatedAnswers =
  | { readonly ok: true; readonly answers: readonly Answer[] }
  | { readonly ok: false; readonly issues: readonly Issue[] };

type AnswerableAsk = AskContent & { readonly allowPartial?: boolean };

/**
 * Checks answers against their ask and reports every problem at once; never throws. On success there is exactly one
 * answer for each question, in the order of the questions, frozen;
 * `selected` holds option ids. Input may also use exact labels; a value that could mean two options is refused.
 *
 * Where questions may be left blank, a question that is left out counts as skipped only if something was said: a
 * question answered or skipped by `skipped: true`, or a note. Otherwise the answers are refused with `empty_answer`.
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
  return guarded((reader) => ({ ok: true, answers: readAnswers(ask, answers, options, reader) }));
}

/** By index of the question: its answer, null if that is invalid, undefined if there is none. */
type Given = (Answer | null | undefined)[];

/** `note`: the overall note, which says something too. */
export function readAnswers(
  ask: AnswerableAsk,
  answers: unknown,
  options: ValidateOptions,
  reader: InputReader,
  note?: string,
): readonly Answer[] {
  const checked = checkedAnswers(ask, answers, options);
  if (checked !== undefined) return checked;
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
    // Skip holes in a sparse array.
    if (index in items) readItem(questions, items[index], index, given, reader);
  }
  const partial = isPartial(ask, options);
  if (partial && note === undefined && !given.some(isSaid)) {
    reader.add("empty_answer", ["answers"], NOTHING_SAID);
  }
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
  // Answers usually come in the order of the questions.
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

const NOTHING_SAID = "nothing was answered; answer or skip a question, or decline";

/** An invalid answer counts: it has an issue of its own. */
function isSaid(answer: Answer | null | undefined): boolean {
  if (!answer) return answer === null;
  const { selected, text, note, skipped } = answer;
  return selected.length > 0 || (text ?? note ?? skipped) !== undefined;
}

function findPlace(questions: readonly Question[], id: unknown): number {
  return questions.findIndex((question) => question.id === id);
}

function isPartial(ask: AnswerableAsk, options: ValidateOptions): boolean {
  return options.partial ?? ask.allowPartial ?? false;
}

/** Marks valid answers with the questions that they were checked against. */
const checkedFor = createStamp<readonly Question[]>();

/** Answers that were already checked against these questions. They are frozen, so they are still valid. */
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

/** Uses an index because the list is frozen, as in `read-answer.ts`. */
function hasNoGap(answers: readonly Answer[]): boolean {
  for (let place = 0; place < answers.length; place += 1) if (answers[place]?.skipped) return false;
  return true;
}

/** A blank question is skipped if the ask allows that, and an issue if not. */
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
      `question "${question.id}" has no answer; choose an option${question.freeText ? " or send text" : ""}`,
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
