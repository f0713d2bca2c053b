import { isBlank } from "../../core/kit/fold.js";
import type { Option } from "../../core/model/option.js";
import type { Question } from "../../core/model/question.js";
import { displayLine } from "../../core/text/display.js";

/** The meaning of one line for a question with options. */
export type Selection =
  | {
      readonly kind: "picked";
      readonly picks: readonly Option[];
      readonly text?: string | undefined;
      /** `other` without text: the text must still be asked for. */
      readonly wantsText: boolean;
    }
  | { readonly kind: "blank" }
  | { readonly kind: "skip" }
  | { readonly kind: "problem"; readonly message: string };

const SKIP = /^(?:s|skip)$/i;
const OTHER = /^(?:o|other)$/i;
const OTHER_WITH_TEXT = /^(?:o|other)\s+(\S.*)$/i;
const NUMBER = /^(\d{1,9})[).]?$/;

/** The options with a number. The one that opens the text field is the `o)` line instead. */
export function numberedOptions(question: Question): readonly Option[] {
  return question.options.filter((option) => !option.input);
}

/**
 * Parses numbers separated by commas. `o` or `other` among them asks for text; with words after it, the rest of the
 * line is the text, including commas: `1,3,other text, with a comma`.
 */
export function parseSelection(line: string, question: Question, skippable: boolean): Selection {
  let rest = line.trim();
  if (isBlank(rest)) return { kind: "blank" };
  if (skippable && SKIP.test(rest)) return { kind: "skip" };
  const options = numberedOptions(question);
  const picks = new Set<Option>();
  let wantsText = false;
  let text: string | undefined;
  while (rest !== "" && text === undefined) {
    text = question.freeText ? OTHER_WITH_TEXT.exec(rest)?.[1] : undefined;
    if (text !== undefined) break;
    const comma = rest.indexOf(",");
    const part = (comma < 0 ? rest : rest.slice(0, comma)).trim();
    rest = comma < 0 ? "" : rest.slice(comma + 1).trim();
    if (part === "") continue;
    if (question.freeText && OTHER.test(part)) {
      wantsText = true;
      continue;
    }
    const number = NUMBER.exec(part)?.[1];
    if (number === undefined) return problem(`invalid selection ${shown(part)}`, question);
    const option = options[Number(number) - 1];
    if (option === undefined) return problem(`selection ${number} out of range`, question);
    picks.add(option);
  }
  wantsText &&= text === undefined;
  const count = picks.size + (wantsText || text !== undefined ? 1 : 0);
  if (count === 0) return problem(`invalid selection ${shown(line.trim())}`, question);
  if (!question.multiSelect && count > 1) {
    return problem(`question is single-select, got ${count} picks`, question);
  }
  return { kind: "picked", picks: [...picks], wantsText, text };
}

function problem(what: string, question: Question): Selection {
  const last = numberedOptions(question).length;
  const range = last === 1 ? "1" : `a number from 1 to ${last}`;
  const numbers = question.multiSelect && last > 1 ? `numbers from 1 to ${last}, separated by commas` : range;
  const other = question.freeText ? ", or other followed by your text" : "";
  return { kind: "problem", message: `${what}; type ${numbers}${other}` };
}

const MOST_SHOWN = 40;

function shown(typed: string): string {
  const text = displayLine(typed);
  return `"${text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text}"`;
}
