// Some systems send an answer as one string: labels joined with ", ", or typed text. A label may contain ", ", so the
// string is read against the labels of the question.
//
// Loops over options use an index, because `find` is seven times slower on a frozen list.

import { isBlank } from "../kit/fold.js";
import type { Answer } from "../model/outcome.js";
import type { Question } from "../model/question.js";

const SEPARATOR = ", ";

// Labels such as "a", "a, a", "a, a, a" can be split in very many ways; after this many steps the text is ambiguous.
const MOST_STEPS = 10_000;

/**
 * Reads one string as the answer to a question: first as an exact label; then, for multi-select, as distinct labels if
 * there is exactly one way to split it, where the last part may be free text if the question allows that; otherwise as
 * free text, verbatim. A blank string skips the question.
 */
export function decodeTextAnswer(question: Question, text: string): Answer {
  if (isBlank(text)) return { question: question.id, selected: [], skipped: true };
  const { options } = question;
  for (let place = 0; place < options.length; place += 1) {
    const option = options[place];
    if (option?.label === text && !option.input) return { question: question.id, selected: [option.id] };
  }
  const split = question.multiSelect ? splitLabels(question, text) : undefined;
  if (split === undefined) return { question: question.id, selected: [], text };
  const selected: string[] = [];
  for (let place = 0; place < options.length; place += 1) {
    const option = options[place];
    if (option && !option.input && split.labels.includes(option.label)) selected.push(option.id);
  }
  return split.text === undefined
    ? { question: question.id, selected }
    : { question: question.id, selected, text: split.text };
}

/** The inverse: labels in the order of the options, then typed text, joined with `", "`; `""` for a skip. */
export function encodeTextAnswer(question: Question, answer: Answer): string {
  const { selected, text } = answer;
  // Most answers are one label or one text.
  if (selected.length === 0) return text ?? "";
  if (selected.length > 1 || text !== undefined) return answerParts(question, answer).join(SEPARATOR);
  const { options } = question;
  for (let place = 0; place < options.length; place += 1) {
    const option = options[place];
    if (option?.id === selected[0]) return option?.label ?? "";
  }
  return "";
}

/** The chosen labels in the order of the options, then the typed text. */
export function answerParts(question: Question, answer: Answer): readonly string[] {
  const { options } = question;
  const parts: string[] = [];
  for (let place = 0; place < options.length; place += 1) {
    const option = options[place];
    if (option && answer.selected.includes(option.id)) parts.push(option.label);
  }
  if (answer.text !== undefined) parts.push(answer.text);
  return parts;
}

interface Split {
  readonly labels: readonly string[];
  readonly text?: string;
}

/** The state of a search for splits. */
interface Search {
  readonly question: Question;
  readonly text: string;
  readonly taken: string[];
  readonly known: Split[];
  readonly withText: Split[];
  steps: number;
}

/**
 * The only possible split, or undefined if there is none or more than one. A split into labels only is preferred to one
 * that ends with free text, and free text never starts with a label.
 */
function splitLabels(question: Question, text: string): Split | undefined {
  const search: Search = { question, text, taken: [], known: [], withText: [], steps: 0 };
  walk(search, 0);
  const { known, withText, steps } = search;
  if (steps > MOST_STEPS || known.length > 1) return undefined;
  return known[0] ?? (question.freeText && withText.length === 1 ? withText[0] : undefined);
}

/** Continues after the labels taken so far. */
function walk(search: Search, start: number): void {
  const { text, taken, known } = search;
  const { options } = search.question;
  let startsWithLabel = false;
  for (let place = 0; place < options.length; place += 1) {
    const option = options[place];
    if (option === undefined || option.input) continue;
    search.steps += 1;
    if (known.length > 1 || search.steps > MOST_STEPS) return;
    const { label } = option;
    if (!text.startsWith(label, start)) continue;
    const end = start + label.length;
    const last = end === text.length;
    if (!last && !text.startsWith(SEPARATOR, end)) continue;
    startsWithLabel = true;
    if (taken.includes(label)) continue;
    taken.push(label);
    if (last) known.push({ labels: [...taken] });
    else walk(search, end + SEPARATOR.length);
    taken.pop();
  }
  if (startsWithLabel || taken.length === 0) return;
  const rest = text.slice(start);
  if (!isBlank(rest)) search.withText.push({ labels: [...taken], text: rest });
}
