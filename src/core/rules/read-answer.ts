// Reads one answer to a question. This is a hot path: paths are built only for problems, and loops over options use an
// index, because `find` and `filter` are seven times slower on a frozen list.

import type { Option } from "../model/option.js";
import { ANSWER, type Answer } from "../model/outcome.js";
import type { Question } from "../model/question.js";
import { at, type InputReader, type Path } from "../read/input-reader.js";
import { planOf } from "../read/read-fields.js";

const ANSWERS: Path = ["answers"];
const NO_OPTIONS: readonly Option[] = Object.freeze([]);
/** The `selected` of an answer without picks. */
export const NO_IDS: readonly string[] = Object.freeze([]);

/** The path of an answer in the submission, or of one of its fields. */
export function placeOf(index: number, field?: string): Path {
  const answer = at(ANSWERS, index);
  return field === undefined ? answer : at(answer, field);
}

/** The answer, or undefined if it has issues. */
export function readAnswer(
  question: Question,
  item: Readonly<Record<string, unknown>>,
  index: number,
  reader: InputReader,
): Answer | undefined {
  const before = reader.issues.length;
  const picked = readPicks(question, item.selected, index, reader);
  const inputOption = picked.length === 0 ? undefined : picked.find(isInput);
  // The option of the text field adds nothing to the text.
  const selected = idsOf(inputOption === undefined ? picked : picked.filter((option) => !option.input));
  const answer = read({ question: question.id, selected }, item, placeOf(index), reader);
  const { text, skipped } = answer;
  if (text !== undefined && !question.freeText) {
    reader.add(
      "text_not_allowed",
      placeOf(index, "text"),
      "this question does not take typed text; choose an option",
    );
  }
  if (inputOption !== undefined && text === undefined) {
    reader.add(
      "text_required",
      placeOf(index, "text"),
      `"${inputOption.label}" needs a typed answer; send text`,
    );
  }
  const picks = selected.length + (text === undefined ? 0 : 1);
  if (skipped && picks > 0) {
    reader.add("conflict", placeOf(index, "skipped"), "a skipped question cannot also have an answer");
  }
  if (picks > 0) checkPicks(question, picks, index, reader);
  return reader.issues.length > before ? undefined : answer;
}

const read = planOf(ANSWER);

/** The chosen options, in the order of the question's options. */
function readPicks(
  { options }: Question,
  value: unknown,
  index: number,
  reader: InputReader,
): readonly Option[] {
  if (value === undefined || value === null) return NO_OPTIONS;
  const items: readonly unknown[] | undefined = Array.isArray(value)
    ? value
    : reader.list(value, placeOf(index, "selected"));
  if (items === undefined) return NO_OPTIONS;
  let picked: Option[] | undefined;
  const looked = Math.min(items.length, options.length + 1);
  for (let pick = 0; pick < looked; pick += 1) {
    // Skip holes in a sparse array.
    if (!(pick in items)) continue;
    const option = findOption(options, items[pick]);
    if (option === undefined || option === AMBIGUOUS) {
      const path = at(placeOf(index, "selected"), pick);
      if (option === AMBIGUOUS) reader.add("conflict", path, bothMeanings(options, items[pick]));
      else
        reader.add("unknown_option", path, unknownAmong(options, "this question has no options; send text"));
    } else if (picked === undefined) {
      picked = [option];
    } else if (picked.includes(option)) {
      reader.add("duplicate_pick", at(placeOf(index, "selected"), pick), `"${option.id}" is chosen twice`);
    } else {
      picked.push(option);
    }
  }
  return picked === undefined ? NO_OPTIONS : inOrder(picked, options);
}

/** Sorts only if needed; most answers are in order. */
function inOrder(picked: Option[], options: readonly Option[]): readonly Option[] {
  let last = -1;
  for (const option of picked) {
    const place = options.indexOf(option);
    if (place < last) return picked.sort((a, b) => options.indexOf(a) - options.indexOf(b));
    last = place;
  }
  return picked;
}

const AMBIGUOUS = Symbol("more than one option");

/** The option with this id or label. */
function findOption(options: readonly Option[], item: unknown): Option | typeof AMBIGUOUS | undefined {
  let found: Option | undefined;
  for (let place = 0; place < options.length; place += 1) {
    const option = options[place];
    if (option === undefined || (option.id !== item && option.label !== item)) continue;
    if (found !== undefined) return AMBIGUOUS;
    found = option;
  }
  return found;
}

function bothMeanings(options: readonly Option[], item: unknown): string {
  const named = options.find(({ id }) => id === item);
  const [one, other] = options.filter((option) => option !== named && option.label === item);
  if (named !== undefined) {
    return `"${item}" is the id of "${named.label}" and the label of option "${one?.id}"; send the label "${named.label}" or the id "${one?.id}"`;
  }
  return `"${item}" is the label of the options "${one?.id}" and "${other?.id}"; send an id`;
}

function isInput(option: Option): boolean {
  return option.input === true;
}

function idsOf(options: readonly Option[]): readonly string[] {
  const first = options[0];
  if (first === undefined) return NO_IDS;
  return Object.freeze(options.length === 1 ? [first.id] : options.map(({ id }) => id));
}

function checkPicks(question: Question, picks: number, index: number, reader: InputReader): void {
  const most = question.multiSelect ? question.maxPicks : 1;
  const least = question.multiSelect ? question.minPicks : 1;
  if (most !== undefined && picks > most) {
    const message = `at most ${most} may be chosen, typed text included, not ${picks}`;
    reader.add("too_many_picks", placeOf(index, "selected"), message);
  }
  if (least !== undefined && picks < least) {
    const message = `at least ${least} must be chosen, typed text included, not ${picks}`;
    reader.add("too_few_picks", placeOf(index, "selected"), message);
  }
}

/** The message for an unknown id. */
export function unknownAmong(items: readonly { readonly id: string }[], whenEmpty: string): string {
  return items.length === 0 ? whenEmpty : `must be one of ${items.map(({ id }) => `"${id}"`).join(", ")}`;
}
