import { giveIds, OPTION_IDS } from "./give-ids.js";
import { at, type InputReader, type Path, type TextRule, typeName } from "./input-reader.js";
import { isRecord } from "./json.js";
import { LIMITS, type Profile } from "./limits.js";
import { type Option, PREVIEW_FORMATS, type Preview } from "./question.js";
import type { QuestionShape } from "./question-shape.js";
import type { Unfinished } from "./unfinished.js";

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

const LONGEST_CATCH_ALL = Math.max(...CATCH_ALL_LABELS.map(({ length }) => length));

const RECOMMENDED = /\(recommended\)\s*$/i;

const LABEL: TextRule = {
  max: LIMITS.labelLength,
  blank: ["blank_label", "each option must have a non-empty label"],
};
const DESCRIPTION: TextRule = { max: LIMITS.descriptionLength };
const PREVIEW: TextRule = { max: LIMITS.previewLength };

/** The options of a question, which is at that path. */
export function parseOptions(
  value: unknown,
  question: Path,
  profile: Profile,
  wantsText: boolean | undefined,
  reader: InputReader,
  shape: QuestionShape,
): readonly Option[] {
  const { min, max } = profile.options;
  const items = value === undefined || value === null ? [] : reader.list(value, question, "options");
  if (items === undefined) return [];
  const path = at(question, "options");
  if (items.length < min || items.length > max) {
    reader.add("option_count", path, `each question must have ${min}-${max} options`);
  }
  const looked = items.slice(0, max);
  const ids = giveIds(looked, OPTION_IDS, path, reader);
  let inputs = 0;
  // One after the other takes the place of what it was made of: a second list would cost as much as the options.
  const options = looked as Option[];
  for (let index = 0; index < looked.length; index += 1) {
    const option = parseOption(looked[index], ids[index] ?? "", at(path, index), reader, shape);
    if (option.label !== "" && hasLabel(options, option.label, index)) {
      const message = "option labels within a question must be unique";
      reader.add("duplicate_label", at(path, index), message, "label");
    }
    if (option.input) inputs += 1;
    options[index] = option;
  }
  if (inputs > 1) {
    reader.add("conflict", path, "only one option may have input: true");
  }
  if (inputs === 1 && wantsText === false) {
    reader.add("conflict", path, "an option with input: true needs free text; leave freeText out");
  }
  if (inputs === 0 && wantsText !== false) markCatchAll(options);
  return Object.freeze(options);
}

/** Among the first so many. Compared one by one: a set would have to hash every label. */
function hasLabel(options: readonly Option[], label: string, count: number): boolean {
  for (let index = 0; index < count; index += 1) if (options[index]?.label === label) return true;
  return false;
}

function parseOption(
  item: unknown,
  id: string,
  path: Path,
  reader: InputReader,
  shape: QuestionShape,
): Option {
  if (typeof item !== "string" && !isRecord(item)) {
    reader.add("wrong_type", path, `must be a string or an object with a label, not ${typeName(item)}`);
    return { id, label: "" };
  }
  const fields = typeof item === "string" ? { label: item } : shape.option(item);
  const label = reader.text(fields.label ?? fields.name, path, LABEL, "label") ?? "";
  const description = reader.text(fields.description, path, DESCRIPTION, "description");
  const preview = parsePreview(fields.preview, path, reader);
  const recommended = reader.flag(fields.recommended, path, "recommended");
  const input = reader.flag(fields.input, path, "input");
  // What a literal names lies in the object itself; what is added later lies beside it, and costs more.
  const option: Unfinished<Option> = description === undefined ? { id, label } : { id, label, description };
  if (preview !== undefined) option.preview = preview;
  // The label is what people read: where it recommends, `recommended: false` cannot unsay it.
  if (recommended || isRecommended(label)) option.recommended = true;
  if (input) option.input = true;
  return Object.freeze(option);
}

/** Most labels end in a letter, and need no search. */
function isRecommended(label: string): boolean {
  const last = label.charCodeAt(label.length - 1) | 0x20;
  return !(last >= 0x61 && last <= 0x7a) && RECOMMENDED.test(label);
}

/** The preview of an option, which is at that path. */
function parsePreview(value: unknown, option: Path, reader: InputReader): Preview | undefined {
  if (value === undefined || value === null) return undefined;
  const path = at(option, "preview");
  const fields = typeof value === "string" ? { content: value } : value;
  if (!isRecord(fields)) {
    reader.add("wrong_type", path, `must be a string or { format, content }, not ${typeName(value)}`);
    return undefined;
  }
  const format = reader.choice(fields.format, path, PREVIEW_FORMATS, "format") ?? "text";
  const content = reader.text(fields.content, path, PREVIEW, "content");
  return content === undefined ? undefined : Object.freeze({ format, content });
}

function markCatchAll(options: Option[]): void {
  const index = options.findIndex(
    ({ label }) => label.length <= LONGEST_CATCH_ALL && CATCH_ALL_LABELS.includes(label),
  );
  const option = options[index];
  if (option !== undefined) options[index] = Object.freeze({ ...option, input: true as const });
}
