// The words of the pages, put together with what they are about. All words are in `src/words`.

import { type Ask, displayLine } from "../../core/index.js";
import { acceptedLanguage, type PageWords, pageWords } from "../../words/index.js";
import type { RequestHeaders } from "../http/request.js";

export const PRODUCT = "Askline";

/** The words in the language that a browser asks for. */
export function wordsFor(headers: RequestHeaders): PageWords {
  return pageWords(acceptedLanguage(headers.get("accept-language")));
}

/** The title of an ask, in one line. */
export function titleOf({ questions, approval }: Ask, words: PageWords): string {
  const [action] = approval?.actions ?? [];
  if (action !== undefined) {
    return displayLine(words.runAction(action.name, (approval?.actions.length ?? 1) - 1));
  }
  const [first] = questions;
  if (questions.length <= 1) return displayLine(first?.question ?? "");
  const headers = questions.flatMap(({ header }) => header ?? []);
  const subject = headers.length === questions.length ? headers.join(", ") : (first?.question ?? "");
  return displayLine(words.questions(questions.length, subject));
}
