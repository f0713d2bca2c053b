import { at, type InputReader, type Path, type TextRule, typeName } from "./input-reader.js";
import { isRecord } from "./json.js";
import { LIMITS, type Profile } from "./limits.js";
import { type Option, PREVIEW_FORMATS, type Preview, type Question } from "./question.js";

/**
 * Labels that mean "let me type it myself" in the languages that surfaces speak. An option
 * labelled exactly so is the text field, unless the question refuses free text.
 */
export const CATCH_ALL_LABELS: readonly string[] = [
  "Other",
  "Khác",
  "Andere",
  "Autre",
  "Otro",
  "Outro",
  "Altro",
  "Другое",
  "その他",
  "其他",
  "기타",
];

/** How many picks a question may ask for. */
export const PICKS = { min: 1, max: 1_000 } as const;

const RECOMMENDED = /\(recommended\)\s*$/i;

const QUESTION: TextRule = {
  max: LIMITS.questionLength,
  blank: ["blank_question", "each question must have non-empty question text"],
};
const OPTIONAL_HEADER: TextRule = { max: LIMITS.headerLength };
const REQUIRED_HEADER: TextRule = {
  max: LIMITS.headerLength,
  blank: ["blank_header", "each question must have a non-empty header"],
};
const LABEL: TextRule = {
  max: LIMITS.labelLength,
  blank: ["blank_label", "each option must have a non-empty label"],
};
const DESCRIPTION: TextRule = { max: LIMITS.descriptionLength };
const NO_PICKS = {} as const;

type Unfinished<T> = { -readonly [Field in keyof T]: T[Field] };

export function parseQuestions(value: unknown, profile: Profile, reader: InputReader): readonly Question[] {
  if (value === undefined || value === null) {
    noQuestions(reader);
    return [];
  }
  const items = reader.list(value, ["questions"]);
  if (items === undefined) return [];
  const { min, max } = profile.questions;
  if (items.length === 0) noQuestions(reader);
  else if (items.length < min)
    reader.add("no_questions", ["questions"], `at least ${min} questions are needed`);
  if (items.length > max) {
    reader.add("too_many_questions", ["questions"], `maximum ${max} questions allowed`);
  }
  // What is over the limit is refused as a whole and not looked at: ten thousand questions cost no more than ten.
  const looked = items.slice(0, max);
  const ids = giveIds(looked, "q", ["questions"], reader);
  const questions = looked.map((item, index) =>
    parseQuestion(item, ids[index] ?? "", ["questions", index], profile, reader),
  );
  if (profile.uniqueQuestions) refuseRepeatedTexts(questions, reader);
  return Object.freeze(questions.filter((question) => question !== undefined));
}

function noQuestions(reader: InputReader): void {
  reader.add("no_questions", ["questions"], "questions must be a non-empty array");
}

function parseQuestion(
  item: unknown,
  id: string,
  path: Path,
  profile: Profile,
  reader: InputReader,
): Question | undefined {
  if (!isRecord(item)) {
    reader.add("wrong_type", path, `must be an object with question and options, not ${typeName(item)}`);
    return undefined;
  }
  const question = reader.text(item.question, at(path, "question"), QUESTION);
  const header = reader.text(
    item.header,
    at(path, "header"),
    profile.headerRequired ? REQUIRED_HEADER : OPTIONAL_HEADER,
  );
  const multiSelect =
    reader.flag(item.multiSelect ?? item.multi_select ?? item.multiple, at(path, "multiSelect")) ?? false;
  const wantsText = reader.flag(item.freeText, at(path, "freeText"));
  if (item.secret === true) {
    reader.add(
      "secret_refused",
      at(path, "secret"),
      "secrets cannot be asked for; ask where the secret is kept",
    );
  }
  const options = parseOptions(item.options, at(path, "options"), profile, wantsText, reader);
  const freeText = wantsText ?? true;
  if (!freeText && options.length === 0 && isEmptyList(item.options)) {
    reader.add("conflict", at(path, "freeText"), "a question without options needs free text");
  }
  // The option that opens the text field and the text itself are one pick, not two.
  const listed = options.filter(({ input }) => !input).length;
  const { minPicks, maxPicks } = parsePicks(item, path, multiSelect, listed + (freeText ? 1 : 0), reader);
  // Written field by field: every ask goes through here, and copies with conditions in them cost the most of it.
  const parsed: Partial<Unfinished<Question>> = { id, question: question ?? "" };
  if (header !== undefined) parsed.header = header;
  parsed.options = options;
  parsed.multiSelect = multiSelect;
  if (minPicks !== undefined) parsed.minPicks = minPicks;
  if (maxPicks !== undefined) parsed.maxPicks = maxPicks;
  parsed.freeText = freeText;
  return Object.freeze(parsed as Question);
}

function isEmptyList(value: unknown): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}

function parsePicks(
  item: Readonly<Record<string, unknown>>,
  path: Path,
  multiSelect: boolean,
  most: number,
  reader: InputReader,
): { readonly minPicks?: number | undefined; readonly maxPicks?: number | undefined } {
  const minPicks = reader.integer(item.minPicks, at(path, "minPicks"), PICKS);
  const maxPicks = reader.integer(item.maxPicks, at(path, "maxPicks"), PICKS);
  if (!multiSelect) {
    if ((minPicks ?? 1) !== 1 || (maxPicks ?? 1) !== 1) {
      reader.add("conflict", at(path, "multiSelect"), "minPicks and maxPicks need multiSelect: true");
    }
    return NO_PICKS;
  }
  if (minPicks !== undefined && maxPicks !== undefined && minPicks > maxPicks) {
    reader.add("conflict", at(path, "minPicks"), "minPicks must not be greater than maxPicks");
  }
  if (minPicks !== undefined && minPicks > most) {
    reader.add(
      "conflict",
      at(path, "minPicks"),
      `minPicks must not be greater than the ${most} possible picks`,
    );
  }
  return { minPicks, maxPicks };
}

function parseOptions(
  value: unknown,
  path: Path,
  profile: Profile,
  wantsText: boolean | undefined,
  reader: InputReader,
): readonly Option[] {
  const { min, max } = profile.options;
  const items = value === undefined || value === null ? [] : reader.list(value, path);
  if (items === undefined) return [];
  if (items.length < min || items.length > max) {
    reader.add("option_count", path, `each question must have ${min}-${max} options`);
  }
  const looked = items.slice(0, max);
  const ids = giveIds(looked, "o", path, reader);
  const labels = new Set<string>();
  const options = looked.map((item, index) => {
    const option = parseOption(item, ids[index] ?? "", at(path, index), reader);
    if (option.label !== "" && labels.has(option.label)) {
      reader.add(
        "duplicate_label",
        at(at(path, index), "label"),
        "option labels within a question must be unique",
      );
    }
    labels.add(option.label);
    return option;
  });
  const inputs = options.filter((option) => option.input);
  if (inputs.length > 1) {
    reader.add("conflict", path, "only one option may have input: true");
  }
  if (inputs.length === 1 && wantsText === false) {
    reader.add("conflict", path, "an option with input: true needs free text; leave freeText out");
  }
  return Object.freeze(inputs.length === 0 && wantsText !== false ? markCatchAll(options) : options);
}

function parseOption(item: unknown, id: string, path: Path, reader: InputReader): Option {
  const fields = typeof item === "string" ? { label: item } : item;
  if (!isRecord(fields)) {
    reader.add("wrong_type", path, `must be a string or an object with a label, not ${typeName(item)}`);
    return { id, label: "" };
  }
  const label = reader.text(fields.label ?? fields.name, at(path, "label"), LABEL) ?? "";
  const description = reader.text(fields.description, at(path, "description"), DESCRIPTION);
  const preview = parsePreview(fields.preview, at(path, "preview"), reader);
  const recommended = reader.flag(fields.recommended, at(path, "recommended"));
  const input = reader.flag(fields.input, at(path, "input"));
  const option: Unfinished<Option> = { id, label };
  if (description !== undefined) option.description = description;
  if (preview !== undefined) option.preview = preview;
  // The label is what people read: where it recommends, `recommended: false` cannot unsay it.
  if (recommended || RECOMMENDED.test(label)) option.recommended = true;
  if (input) option.input = true;
  return Object.freeze(option);
}

function parsePreview(value: unknown, path: Path, reader: InputReader): Preview | undefined {
  if (value === undefined || value === null) return undefined;
  const fields = typeof value === "string" ? { content: value } : value;
  if (!isRecord(fields)) {
    reader.add("wrong_type", path, `must be a string or { format, content }, not ${typeName(value)}`);
    return undefined;
  }
  const format = reader.choice(fields.format, at(path, "format"), PREVIEW_FORMATS) ?? "text";
  const content = reader.text(fields.content, at(path, "content"), { max: LIMITS.previewLength });
  return content === undefined ? undefined : Object.freeze({ format, content });
}

function markCatchAll(options: readonly Option[]): readonly Option[] {
  const index = options.findIndex((option) => CATCH_ALL_LABELS.includes(option.label));
  return index < 0
    ? options
    : options.map((option, at) =>
        at === index ? Object.freeze({ ...option, input: true as const }) : option,
      );
}

function refuseRepeatedTexts(questions: readonly (Question | undefined)[], reader: InputReader): void {
  const seen = new Set<string>();
  questions.forEach((item, index) => {
    if (item === undefined || item.question === "") return;
    if (seen.has(item.question)) {
      reader.add(
        "duplicate_question",
        ["questions", index, "question"],
        "question texts must be unique, because answers are matched by them; word this one differently",
      );
    }
    seen.add(item.question);
  });
}

/** The ids that items bring, and free ones like `q1` for the rest. */
export function giveIds(
  items: readonly unknown[],
  prefix: string,
  path: Path,
  reader: InputReader,
): readonly string[] {
  const given = items.map((item, index) => {
    const id = isRecord(item) ? item.id : undefined;
    return id === undefined || id === null ? undefined : reader.id(id, at(at(path, index), "id"));
  });
  const taken = new Set<string>();
  given.forEach((id, index) => {
    if (id === undefined) return;
    if (taken.has(id)) reader.add("duplicate_id", at(at(path, index), "id"), `the id "${id}" is used twice`);
    taken.add(id);
  });
  return given.map((id, index) => {
    if (id !== undefined) return id;
    let number = index + 1;
    while (taken.has(`${prefix}${number}`)) number += 1;
    taken.add(`${prefix}${number}`);
    return `${prefix}${number}`;
  });
}
