import type { AskContent } from "./ask.js";
import { at, type InputReader, inputReader, type Path, typeName } from "./input-reader.js";
import type { Issue } from "./issue.js";
import { isRecord } from "./json.js";
import { LIMITS } from "./limits.js";
import type { Answer } from "./outcome.js";
import type { Question } from "./question.js";
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
  return guarded((reader) => ({ answers: readAnswers(ask, answers, options, reader) }));
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
      return { answers: [] };
    }
    const note = reader.text(submission.note, ["note"], { max: LIMITS.noteLength });
    return {
      answers: readAnswers(ask, submission.answers, options, reader),
      ...(note !== undefined && { note }),
    };
  });
}

/** Runs a read that notes its problems; only an object with a hostile getter can make one throw. */
export function guarded<T extends object>(
  read: (reader: InputReader) => T,
): (T & { readonly ok: true }) | { readonly ok: false; readonly issues: readonly Issue[] } {
  const reader = inputReader();
  try {
    const value = read(reader);
    if (reader.issues.length === 0) return { ok: true, ...value };
  } catch {
    reader.add("wrong_type", [], "could not be read: reading one of its fields throws");
  }
  return { ok: false, issues: reader.issues };
}

function readAnswers(
  ask: AnswerableAsk,
  answers: unknown,
  options: ValidateOptions,
  reader: InputReader,
): readonly Answer[] {
  const partial = options.partial ?? ask.allowPartial ?? false;
  const checked = checkedAnswers(ask, answers, partial);
  if (checked !== undefined) return checked;
  const items = reader.list(answers, ["answers"]);
  if (items === undefined) return [];
  if (items.length > ask.questions.length) {
    reader.add(
      "duplicate_answer",
      ["answers"],
      `there are ${ask.questions.length} questions, but ${items.length} answers`,
    );
  }
  const given = new Map<string, Answer | undefined>();
  items.slice(0, ask.questions.length + 1).forEach((item, index) => {
    const path = ["answers", index];
    if (!isRecord(item)) {
      reader.add("wrong_type", path, `must be an object with question and selected, not ${typeName(item)}`);
      return;
    }
    const question = ask.questions.find(({ id }) => id === item.question);
    if (question === undefined) {
      reader.add("unknown_question", at(path, "question"), `is none of ${quoteAll(ask.questions)}`);
    } else if (given.has(question.id)) {
      reader.add("duplicate_answer", at(path, "question"), `"${question.id}" is answered twice`);
    } else {
      given.set(question.id, readAnswer(question, item, path, reader));
    }
  });
  const finished = ask.questions.map((question) =>
    finish(question, given.get(question.id), given.has(question.id), partial, reader),
  );
  if (reader.issues.length === 0 && Object.isFrozen(ask.questions)) checkedFor.put(finished, ask.questions);
  return Object.freeze(finished);
}

/** On what came out of here without a problem: for which questions. */
const checkedFor = createStamp<readonly Question[]>();

/** Answers to just these questions that were found good before; they are frozen, so they still are. */
function checkedAnswers(
  { questions }: AnswerableAsk,
  answers: unknown,
  partial: boolean,
): readonly Answer[] | undefined {
  if (typeof answers !== "object" || answers === null || checkedFor.of(answers) !== questions) {
    return undefined;
  }
  const known = answers as readonly Answer[];
  return partial || known.every(({ skipped }) => !skipped) ? known : undefined;
}

/** A question left blank is skipped where that is allowed, and a problem where it is not. */
function finish(
  question: Question,
  answer: Answer | undefined,
  given: boolean,
  partial: boolean,
  reader: InputReader,
): Answer {
  const blank = answer === undefined || (answer.selected.length === 0 && answer.text === undefined);
  if (!blank) return Object.freeze(answer);
  const wasBroken = given && answer === undefined;
  if (!partial && !wasBroken) {
    reader.add(
      given ? "empty_answer" : "missing_answer",
      ["answers"],
      `question "${question.id}" has no answer; choose an option${question.freeText ? " or type one" : ""}`,
    );
  }
  const note = answer?.note;
  return Object.freeze({
    question: question.id,
    selected: Object.freeze([]),
    ...(note !== undefined && { note }),
    skipped: true as const,
  });
}

/** The answer as given, or undefined where it is so broken that nothing more can be said of it. */
function readAnswer(
  question: Question,
  item: Readonly<Record<string, unknown>>,
  path: Path,
  reader: InputReader,
): Answer | undefined {
  const before = reader.issues.length;
  const text = reader.text(item.text, at(path, "text"), { max: LIMITS.textLength });
  const note = reader.text(item.note, at(path, "note"), { max: LIMITS.noteLength });
  const skipped = reader.flag(item.skipped, at(path, "skipped")) ?? false;
  const picked = readPicks(question, item.selected, at(path, "selected"), reader);
  if (text !== undefined && !question.freeText) {
    reader.add("text_not_allowed", at(path, "text"), "this question takes no typed answer; choose an option");
  }
  const inputOption = question.options.find((option) => option.input && picked.has(option.id));
  if (inputOption !== undefined && text === undefined) {
    reader.add("text_required", at(path, "text"), `choosing "${inputOption.label}" needs a typed answer`);
  }
  // The text field's own option says nothing that the text does not say.
  const selected = question.options
    .filter((option) => picked.has(option.id) && !option.input)
    .map(({ id }) => id);
  const picks = selected.length + (text === undefined ? 0 : 1);
  if (skipped && picks > 0) {
    reader.add("conflict", at(path, "skipped"), "a skipped question cannot have an answer as well");
  }
  if (picks > 0) checkPicks(question, picks, at(path, "selected"), reader);
  if (reader.issues.length > before) return undefined;
  const answer: { -readonly [Field in keyof Answer]: Answer[Field] } = {
    question: question.id,
    selected: Object.freeze(selected),
  };
  if (text !== undefined) answer.text = text;
  if (note !== undefined) answer.note = note;
  return answer;
}

function readPicks(question: Question, value: unknown, path: Path, reader: InputReader): ReadonlySet<string> {
  const picked = new Set<string>();
  const items = value === undefined || value === null ? [] : reader.list(value, path);
  items?.slice(0, question.options.length + 1).forEach((item, index) => {
    const option =
      question.options.find(({ id }) => id === item) ?? question.options.find(({ label }) => label === item);
    if (option === undefined) {
      reader.add("unknown_option", at(path, index), `is none of ${quoteAll(question.options)}`);
    } else if (picked.has(option.id)) {
      reader.add("duplicate_pick", at(path, index), `"${option.id}" is chosen twice`);
    } else {
      picked.add(option.id);
    }
  });
  return picked;
}

function checkPicks(question: Question, picks: number, path: Path, reader: InputReader): void {
  const most = question.multiSelect ? question.maxPicks : 1;
  const least = question.multiSelect ? question.minPicks : 1;
  if (most !== undefined && picks > most) {
    reader.add("too_many_picks", path, `at most ${most} may be chosen, typed text included, not ${picks}`);
  }
  if (least !== undefined && picks < least) {
    reader.add("too_few_picks", path, `at least ${least} must be chosen, typed text included, not ${picks}`);
  }
}

function quoteAll(items: readonly { readonly id: string }[]): string {
  return items.length === 0 ? "the none there are" : items.map(({ id }) => `"${id}"`).join(", ");
}
