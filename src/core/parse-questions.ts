import { giveIds, QUESTION_IDS } from "./give-ids.js";
import { at, type InputReader, type Path, parseJson, type TextRule, typeName } from "./input-reader.js";
import { isRecord } from "./json.js";
import { LIMITS, type Profile } from "./limits.js";
import { parseOptions } from "./parse-options.js";
import type { Option, Question } from "./question.js";
import type { QuestionShape } from "./question-shape.js";
import type { Unfinished } from "./unfinished.js";

/** How many picks a question may ask for. */
export const PICKS = { min: 1, max: 1_000 } as const;

const QUESTION: TextRule = {
  max: LIMITS.questionLength,
  blank: ["blank_question", "each question must have non-empty question text"],
};
const OPTIONAL_HEADER: TextRule = { max: LIMITS.headerLength };
const REQUIRED_HEADER: TextRule = {
  max: LIMITS.headerLength,
  blank: ["blank_header", "each question must have a non-empty header"],
};
const NO_PICKS = {} as const;
/** Stands for what is none. Where there is one, the ask is refused. */
const NO_QUESTION: Question = { id: "", question: "", options: [], multiSelect: false, freeText: true };

const PATH: Path = ["questions"];

export function parseQuestions(
  value: unknown,
  profile: Profile,
  reader: InputReader,
  shape: QuestionShape,
): readonly Question[] {
  if (value === undefined || value === null) {
    noQuestions(reader);
    return [];
  }
  const items = reader.list(value, PATH);
  if (items === undefined) return [];
  const { min, max } = profile.questions;
  if (items.length === 0) noQuestions(reader);
  else if (items.length < min) reader.add("no_questions", PATH, `at least ${min} questions are needed`);
  if (items.length > max) reader.add("too_many_questions", PATH, `maximum ${max} questions allowed`);
  // What is over the limit is refused as a whole and not looked at: ten thousand questions cost no more than ten.
  const looked = items.slice(0, max);
  const ids = giveIds(looked, QUESTION_IDS, PATH, reader);
  // One after the other takes the place of what it was made of.
  const questions = looked as Question[];
  for (let index = 0; index < looked.length; index += 1) {
    const path = at(PATH, index);
    questions[index] = parseQuestion(looked[index], ids[index] ?? "", path, profile, reader, shape);
  }
  if (profile.uniqueQuestions) refuseRepeatedTexts(questions, reader);
  return Object.freeze(questions);
}

function noQuestions(reader: InputReader): void {
  reader.add("no_questions", PATH, "questions must be a non-empty array");
}

function parseQuestion(
  item: unknown,
  id: string,
  path: Path,
  profile: Profile,
  reader: InputReader,
  shape: QuestionShape,
): Question {
  if (!isRecord(item)) {
    reader.add("wrong_type", path, `must be an object with question and options, not ${typeName(item)}`);
    return NO_QUESTION;
  }
  const fields = shape.question(item);
  const question = reader.text(fields.question, path, QUESTION, "question") ?? "";
  const header = reader.text(
    fields.header,
    path,
    profile.headerRequired ? REQUIRED_HEADER : OPTIONAL_HEADER,
    "header",
  );
  const multiSelect =
    reader.flag(fields.multiSelect ?? fields.multi_select ?? fields.multiple, path, "multiSelect") ?? false;
  const wantsText = reader.flag(fields.freeText, path, "freeText");
  if (fields.secret === true) {
    const message = "secrets cannot be asked for; ask where the secret is kept";
    reader.add("secret_refused", path, message, "secret");
  }
  const options = parseOptions(fields.options, path, profile, wantsText, reader, shape);
  const freeText = wantsText ?? true;
  if (!freeText && options.length === 0 && isEmptyList(fields.options)) {
    reader.add("conflict", path, "a question without options needs free text", "freeText");
  }
  const { minPicks, maxPicks } = parsePicks(fields, path, multiSelect, options, freeText, reader);
  // What a literal names lies in the object itself; what is added later lies beside it, and costs more. So what
  // nearly every question has is written at once, and the rest field by field.
  if (header !== undefined && minPicks === undefined && maxPicks === undefined) {
    return Object.freeze({ id, question, header, options, multiSelect, freeText });
  }
  const parsed: Partial<Unfinished<Question>> = { id, question };
  if (header !== undefined) parsed.header = header;
  parsed.options = options;
  parsed.multiSelect = multiSelect;
  if (minPicks !== undefined) parsed.minPicks = minPicks;
  if (maxPicks !== undefined) parsed.maxPicks = maxPicks;
  parsed.freeText = freeText;
  return Object.freeze(parsed as Question);
}

function isEmptyList(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  const list = typeof value === "string" ? parseJson(value) : value;
  return Array.isArray(list) && list.length === 0;
}

function parsePicks(
  fields: Readonly<Record<string, unknown>>,
  path: Path,
  multiSelect: boolean,
  options: readonly Option[],
  freeText: boolean,
  reader: InputReader,
): { readonly minPicks?: number | undefined; readonly maxPicks?: number | undefined } {
  const minPicks = reader.integer(fields.minPicks, path, PICKS, "minPicks");
  const maxPicks = reader.integer(fields.maxPicks, path, PICKS, "maxPicks");
  if (!multiSelect) {
    if ((minPicks ?? 1) !== 1 || (maxPicks ?? 1) !== 1) {
      reader.add("conflict", path, "minPicks and maxPicks need multiSelect: true", "multiSelect");
    }
    return NO_PICKS;
  }
  if (minPicks === undefined) return { maxPicks };
  if (maxPicks !== undefined && minPicks > maxPicks) {
    reader.add("conflict", path, "minPicks must not be greater than maxPicks", "minPicks");
  }
  // The option that opens the text field and the text itself are one pick, not two.
  const most = options.filter(({ input }) => !input).length + (freeText ? 1 : 0);
  if (minPicks > most) {
    const message = `minPicks must not be greater than the ${most} possible picks`;
    reader.add("conflict", path, message, "minPicks");
  }
  return { minPicks, maxPicks };
}

// Compared one by one: a set would have to hash every text.
function refuseRepeatedTexts(questions: readonly Question[], reader: InputReader): void {
  for (let index = 1; index < questions.length; index += 1) {
    const text = questions[index]?.question;
    if (text === "" || questions.findIndex(({ question }) => question === text) === index) continue;
    const message =
      "question texts must be unique, because answers are matched by them; word this one differently";
    reader.add("duplicate_question", at(PATH, index), message, "question");
  }
}
