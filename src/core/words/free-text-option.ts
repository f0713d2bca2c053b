import { FREE_TEXT as ENGLISH } from "./en/free-text.js";
import { FREE_TEXTS } from "./free-texts.js";
import { languageOf } from "./languages.js";

export interface FreeTextWords {
  /** The label of the option that opens the text field. Core recognises it by this label, so the lists must agree. */
  readonly label: string;
  readonly description: string;
}

/** The free-text option's words in the language of a locale. */
export function freeTextOption(locale: string | undefined): FreeTextWords {
  const language = languageOf(locale);
  return language === "en" ? ENGLISH : FREE_TEXTS[language];
}
