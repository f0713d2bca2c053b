import { PAGES as ENGLISH } from "./en/pages.js";
import { type FullLanguage, fullLanguageOf } from "./languages.js";
import type { InboxWords } from "./terminal-inbox.js";
import { PAGES as VIETNAMESE } from "./vi/pages.js";

/** What the server's pages say to a person; what the script puts in their place has words of its own. */
export interface PageWords {
  /** For the `lang` of the page. */
  readonly language: FullLanguage;
  readonly signedInAs: string;
  readonly signOut: string;
  readonly allQuestions: string;
  readonly failed: string;
  readonly openQuestion: string;
  readonly openInbox: string;
  readonly openInboxHint: string;
  readonly signIn: string;
  readonly signInHint: string;
  /** On the page of an ask, which needs script, and where the forms without script were. */
  readonly howToAnswer: string;
  /** On every other page that needs script. */
  readonly needsScript: string;
  readonly ended: string;
  readonly approve: InboxWords["approve"];
  readonly severalQuestions: InboxWords["severalQuestions"];
  readonly fromAgent: (name: string) => string;
  /** Error codes in words; `other` for every code without its own. */
  readonly errors: Readonly<Record<string, string>>;
}

export const PAGE_WORDS: Readonly<Record<FullLanguage, PageWords>> = {
  en: ENGLISH,
  vi: VIETNAMESE,
};

/** The words of the pages in the language of a locale; English where there is no translation. */
export function pageWords(locale: string | undefined): PageWords {
  return PAGE_WORDS[fullLanguageOf(locale)];
}

/** What went wrong, for the person who looks at the page. */
export function errorText(code: string, words: PageWords): string {
  return (Object.hasOwn(words.errors, code) ? words.errors[code] : words.errors.other) ?? words.failed;
}
