// What the card and the pages say beyond the basics. English is loaded with the card, other languages on demand.

import type { BasicWords } from "./basics.js";
import { CARD as ENGLISH } from "./en/card.js";
import type { IssueWords } from "./issue-words.js";
import { ISSUE_WORDS } from "./issues.js";
import type { FullLanguage } from "./languages.js";
import { CARD as VIETNAMESE } from "./vi/card.js";

export interface CardWords extends BasicWords {
  readonly questionOf: (number: number, count: number) => string;
  readonly reviewTitle: string;
  readonly steps: string;
  readonly chooseOne: string;
  readonly context: string;
  readonly askedBy: (asker: string) => string;
  readonly preview: (label: string) => string;
  readonly addNote: string;
  readonly ownAnswer: string;
  readonly change: (subject: string) => string;
  readonly marks: Readonly<Record<"done" | "skipped" | "blank" | "open" | "problem", string>>;
  readonly replaced: string;
  readonly takeBack: string;
  readonly forget: string;
  readonly overdue: string;
  readonly deadlineRecommended: string;
  // Clicks that are not taken.
  readonly clickAgain: string;
  // Before there is something to show.
  readonly loading: string;
  readonly failed: string;
  readonly tryAgain: string;
}

/** Everything that a card says, in one language. */
export interface CardLanguage {
  readonly words: CardWords;
  readonly issues: Partial<IssueWords>;
}

/** The tables by language. Other languages have only the word for Other so far. */
export const CARD_LANGUAGES: Readonly<Record<FullLanguage, CardLanguage>> = {
  en: { words: ENGLISH, issues: ISSUE_WORDS.en },
  vi: { words: VIETNAMESE, issues: ISSUE_WORDS.vi },
};
