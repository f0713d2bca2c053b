// The words of the pages, put together with what they are about. All words are in `src/core/words`.

import { acceptedLanguage } from "../../core/words/languages.js";
import { type PageWords, pageWords } from "../../core/words/pages.js";
import type { RequestHeaders } from "../http/request.js";

export const PRODUCT = "Askline";

/** The words in the language that a browser asks for. */
export function wordsFor(headers: RequestHeaders): PageWords {
  return pageWords(acceptedLanguage(headers.get("accept-language")));
}
