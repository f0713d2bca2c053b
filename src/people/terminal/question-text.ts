import type { Option } from "../../core/model/option.js";
import type { Question } from "../../core/model/question.js";
import { displayHeader, displayLabel, displayLine, displayText } from "../../core/text/display.js";
import { hang } from "../cells/wrap.js";
import { numberedOptions } from "./selection.js";

export interface QuestionPlace {
  /** Counted from 1. */
  readonly position: number;
  readonly count: number;
  readonly skippable: boolean;
  /** Whether to show ids that do not follow from the numbers. */
  readonly ids?: boolean;
}

/** A question with its options, in the canonical layout; safe to show. */
export function questionText(question: Question, place: QuestionPlace, columns: number | undefined): string {
  const options = numberedOptions(question);
  const lines = [
    "",
    `${headLine(place, question.header)}${idMark(place, question.id, `q${place.position}`)}`,
    hang("", displayText(question.question), columns),
    ...options.flatMap((option, index) =>
      optionLines(
        `  ${index + 1}) `,
        option,
        displayLabel(option, question.options),
        idMark(place, option.id, `o${index + 1}`, `${index + 1}`),
        columns,
      ),
    ),
    ...(options.length > 0 && question.freeText ? otherLines(question, columns) : []),
    ...(place.skippable
      ? [options.length > 0 ? "  s) Skip this question" : "  (type /skip to skip this question)"]
      : []),
  ];
  return `${lines.join("\n")}\n`;
}

/** `[1/2] Header`. */
function headLine({ position, count }: QuestionPlace, header: string | undefined): string {
  const place = `[${position}/${count}]`;
  return header === undefined ? place : `${place} ${displayHeader(header)}`;
}

/** The prompt before the cursor. */
export function questionPrompt(question: Question): string {
  if (numberedOptions(question).length === 0) return "> answer: ";
  if (!question.multiSelect) return "> select: ";
  const bounds = pickBounds(question);
  return `> select (comma-separated${bounds === "" ? "" : `, ${bounds}`}): `;
}

/** How many options may be picked, for a text without a prompt; undefined for a single choice. */
export function picksText(question: Question): string | undefined {
  if (!question.multiSelect || numberedOptions(question).length === 0) return undefined;
  return `pick ${pickBounds(question) || "one or more"}`;
}

function pickBounds({ minPicks, maxPicks }: Question): string {
  if (minPicks !== undefined && minPicks === maxPicks) return `exactly ${minPicks}`;
  if (minPicks !== undefined && maxPicks !== undefined) return `${minPicks} to ${maxPicks}`;
  if (minPicks !== undefined && minPicks > 1) return `at least ${minPicks}`;
  return maxPicks === undefined ? "" : `at most ${maxPicks}`;
}

/** ` [id x]`, or nothing if the id is one of those that a reader expects. */
function idMark({ ids }: QuestionPlace, id: string, ...expected: readonly string[]): string {
  return ids && !expected.includes(id) ? ` [id ${displayLine(id)}]` : "";
}

function optionLines(
  prefix: string,
  option: Option,
  label: string,
  id: string,
  columns: number | undefined,
): readonly string[] {
  const mark = option.recommended && !/\(recommended\)\s*$/i.test(label) ? " (Recommended)" : "";
  const description = option.description === undefined ? "" : ` — ${displayText(option.description)}`;
  return [hang(prefix, `${label}${mark}${id}${description}`, columns), ...previewLines(option, columns)];
}

function otherLines(question: Question, columns: number | undefined): readonly string[] {
  const own = question.options.find((option) => option.input);
  const label = own === undefined ? "Other" : displayLine(own.label);
  const description = own?.description === undefined ? "" : ` — ${displayText(own.description)}`;
  const preview = own === undefined ? [] : previewLines(own, columns);
  return [hang("  o) ", `${label} (type free text)${description}`, columns), ...preview];
}

function previewLines({ preview }: Option, columns: number | undefined): readonly string[] {
  if (preview === undefined) return [];
  const bar = "     | ";
  if (preview.omitted !== undefined) {
    return [hang(bar, `(preview of ${preview.omitted.toLocaleString("en")} bytes left out)`, columns)];
  }
  return displayText(preview.content)
    .replace(/\n+$/, "")
    .split("\n")
    .map((line) => hang(bar, line, columns));
}
