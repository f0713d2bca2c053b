// Some systems carry an answer as one string: labels joined with ", ", or whatever was typed. Labels may
// themselves hold ", ", so such a string is only ever read against the labels that were offered.

import type { Answer } from "./outcome.js";
import type { Question } from "./question.js";

const SEPARATOR = ", ";

// Labels such as "a", "a, a", "a, a, a" can make the number of splits explode; past this the text is ambiguous.
const MOST_STEPS = 10_000;

/**
 * Reads one string as the answer to a question: the exact whole label first; then, for multi-select, the
 * one way of splitting that gives only distinct known labels, the last part being free text where it is
 * allowed; otherwise free text, verbatim. A blank string is a skip.
 */
export function decodeTextAnswer(question: Question, text: string): Answer {
  if (text.trim() === "") return { question: question.id, selected: [], skipped: true };
  const offered = question.options.filter((option) => !option.input);
  const whole = offered.find((option) => option.label === text);
  if (whole !== undefined) return { question: question.id, selected: [whole.id] };
  const split = question.multiSelect ? splitLabels(question, text) : undefined;
  if (split === undefined) return { question: question.id, selected: [], text };
  const selected = offered.filter(({ label }) => split.labels.includes(label)).map(({ id }) => id);
  return { question: question.id, selected, ...(split.text !== undefined && { text: split.text }) };
}

/** The inverse: labels in the order of the options, then typed text, joined with `", "`; `""` for a skip. */
export function encodeTextAnswer(question: Question, answer: Answer): string {
  return answerParts(question, answer).join(SEPARATOR);
}

/** The chosen labels in the order of the options, then the typed text. */
export function answerParts(question: Question, answer: Answer): readonly string[] {
  const labels = question.options.filter(({ id }) => answer.selected.includes(id)).map(({ label }) => label);
  return answer.text === undefined ? labels : [...labels, answer.text];
}

interface Split {
  readonly labels: readonly string[];
  readonly text?: string;
}

/**
 * The only split that fits, or undefined where none or several do. A split of known labels alone is
 * preferred to one that ends in free text, and free text never starts with a label.
 */
function splitLabels(question: Question, text: string): Split | undefined {
  const labels = question.options.filter((option) => !option.input).map(({ label }) => label);
  const known: Split[] = [];
  const withText: Split[] = [];
  let steps = 0;

  const walk = (rest: string, taken: readonly string[]): void => {
    let startsWithLabel = false;
    for (const label of labels) {
      steps += 1;
      if (known.length > 1 || steps > MOST_STEPS) return;
      const last = rest === label;
      if (!last && !rest.startsWith(label + SEPARATOR)) continue;
      startsWithLabel = true;
      if (taken.includes(label)) continue;
      if (last) known.push({ labels: [...taken, label] });
      else walk(rest.slice(label.length + SEPARATOR.length), [...taken, label]);
    }
    if (!startsWithLabel && taken.length > 0 && rest.trim() !== "")
      withText.push({ labels: taken, text: rest });
  };
  walk(text, []);
  if (steps > MOST_STEPS || known.length > 1) return undefined;
  return known[0] ?? (question.freeText && withText.length === 1 ? withText[0] : undefined);
}
