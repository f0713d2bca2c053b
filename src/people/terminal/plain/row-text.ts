// The rows of a form as a person reads and names them, line by line.

import type { Option } from "../../../core/model/option.js";
import { displayText } from "../../../core/text/display.js";
import type { FormWords } from "../../../core/words/form.js";
import { freeTextOption } from "../../../core/words/free-text-option.js";
import type { Row } from "../../form/rows.js";
import type { Step } from "../../form/state.js";
import type { FormView } from "../../form/view.js";
import { modelLine, modelLines } from "../rich/text.js";
import { isTextOnly } from "./commands.js";

/** What picks the row, as a person types it. */
export function numberOf(row: Row): string | undefined {
  return "number" in row && row.number !== undefined ? `${row.number}` : undefined;
}

export function isLabel(row: Row, text: string): boolean {
  const option = "option" in row ? row.option : undefined;
  return option !== undefined && option.label.trim().toLowerCase() === text.trim().toLowerCase();
}

/** What a person reads of a row; commands are in the help instead. */
export function rowText(
  row: Row,
  words: FormWords,
  locale: string | undefined,
  step: Step,
): string | undefined {
  switch (row.kind) {
    case "option":
      return optionText(row.option, row.recommended, row.number, words);
    case "text": {
      if (step.kind === "question" && isTextOnly(step.question)) return undefined;
      const own = freeTextOption(locale);
      if (row.option !== undefined) return optionText(row.option, row.recommended, row.number ?? 0, words);
      return `${own.label}: ${own.description}`;
    }
    case "decision":
      return words[row.decision];
    default:
      return undefined;
  }
}

function optionText(option: Option, recommended: boolean, number: number, words: FormWords): string {
  const label = modelLine(option.label);
  const mark = recommended && !/\(recommended\)\s*$/i.test(label) ? ` (${words.recommended})` : "";
  const description =
    option.description === undefined ? "" : `. ${modelLines(option.description).join("\n")}`;
  const preview = option.preview === undefined ? "" : ` (${words.plain.previewHint(number)})`;
  return `${label}${mark}${description}${preview}`;
}

/** What is chosen so far; undefined if nothing is. */
export function chosenText({ rows }: FormView, words: FormWords): string | undefined {
  const chosen = rows.flatMap((row) => {
    if (row.kind === "option" && row.picked) return [modelLine(row.option.label)];
    if (row.kind === "text" && row.picked) return [displayText(row.value)];
    if (row.kind === "decision" && row.picked) return [words[row.decision]];
    return [];
  });
  return chosen.length === 0 ? undefined : chosen.join(", ");
}
