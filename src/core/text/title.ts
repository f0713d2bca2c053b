import type { AskContent } from "../model/ask.js";
import { displayLine } from "./display.js";

/** What a title says in the language of the person who reads it. */
export interface TitleWords {
  readonly approve: (names: string) => string;
  readonly severalQuestions: (count: number, first: string) => string;
}

/** What is asked, on one line: the same on every surface. */
export function titleOf({ questions, approval }: AskContent, words: TitleWords): string {
  if (approval !== undefined) return words.approve(approval.actions.map(({ name }) => line(name)).join(", "));
  const first = line(questions[0]?.question ?? "");
  return questions.length <= 1 ? first : words.severalQuestions(questions.length, first);
}

/** A model may write a line break as a literal `\n`. */
function line(text: string): string {
  return displayLine(text.includes("\n") ? text : text.replace(/(?:\\r)?\\n/g, " ")).trim();
}
