import type { OutcomeWord } from "./basics.js";
import { PAGES as ENGLISH } from "./en/pages.js";
import { type FullLanguage, fullLanguageOf } from "./languages.js";
import { PAGES as VIETNAMESE } from "./vi/pages.js";

/** What the pages without script say to a person; what the card says too, they say in its words. */
export interface PageWords {
  /** For the `lang` of the page. */
  readonly language: FullLanguage;
  readonly signedInAs: string;
  readonly signOut: string;
  readonly refresh: string;
  readonly asOf: string;
  readonly nothing: string;
  readonly nothingHint: string;
  readonly keepLooking: string;
  readonly looking: string;
  readonly stopLooking: string;
  readonly noFurther: string;
  readonly noneHere: string;
  readonly more: string;
  readonly first: string;
  readonly awaited: string;
  readonly overdue: string;
  readonly recommended: string;
  readonly preview: (label: string) => string;
  readonly ownAnswer: string;
  readonly ownAnswerField: string;
  readonly typeAnswer: string;
  readonly skip: string;
  readonly mayBeBlank: string;
  readonly chooseOne: string;
  readonly addNote: string;
  readonly noteOnThis: string;
  readonly noteOnAll: string;
  readonly send: string;
  readonly instead: string;
  readonly reply: string;
  readonly sendReply: string;
  readonly declineReason: string;
  readonly decline: string;
  readonly approve: string;
  readonly edit: string;
  readonly reject: string;
  readonly args: string;
  readonly noArguments: string;
  readonly emptyText: string;
  readonly changedArgs: string;
  readonly rejectReason: string;
  readonly tooLongForList: string;
  readonly open: string;
  readonly allQuestions: string;
  readonly tooLate: string;
  readonly youSent: string;
  readonly youTyped: string;
  readonly note: string;
  readonly sentReply: string;
  readonly sentReason: string;
  readonly failed: string;
  readonly formOnly: string;
  readonly sendAgain: string;
  readonly openQuestion: string;
  readonly notTaken: string;
  readonly notSent: string;
  readonly openInbox: string;
  readonly openInboxHint: string;
  readonly signIn: string;
  readonly signInHint: string;
  readonly needsScript: string;
  readonly reasonButNotRejected: string;
  readonly editCountsOnce: string;
  readonly notJson: string;
  readonly onlyOne: string;
  readonly blankReply: string;
  readonly someone: string;
  readonly decided: Readonly<Record<"approve" | "edit" | "reject", string>>;
  /** How many questions are waiting, above none; `further` if earlier pages have questions. */
  readonly waiting: (count: number, more: boolean, further: boolean) => string;
  readonly picks: (min: number | undefined, max: number | undefined) => string;
  readonly runAction: (name: string, others: number) => string;
  readonly questions: (count: number, subject: string) => string;
  readonly fromAgent: (name: string) => string;
  readonly inSession: (name: string) => string;
  readonly policy: (name: string, rule: string | undefined, madeBy: string | undefined) => string;
  /** The agent whose process reported a person's answer. */
  readonly reportedBy: (agent: string) => string;
  readonly ended: Readonly<Record<OutcomeWord, string>>;
  readonly endedBy: (outcome: OutcomeWord, by: string) => string;
  /** For a person who tries to settle an ask again, differently. */
  readonly endedByYou: (outcome: OutcomeWord, surface: string) => string;
  readonly ago: (amount: number, unit: PageTimeUnit) => string;
  /** When an ask ends by itself, or becomes overdue. The clock time follows. */
  readonly deadline: (amount: number, unit: PageTimeUnit, ends: boolean) => string;
  readonly thenRecommended: string;
  /** Error codes in words; `other` for every code without its own. */
  readonly errors: Readonly<Record<string, string>>;
}

export type PageTimeUnit = "minute" | "hour" | "day";

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
