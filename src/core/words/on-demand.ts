// The words that a page loads when it needs them, by language. English is in its script, but for the words for problems.

import type { CardWords } from "./card.js";
import type { IssueWords } from "./issue-words.js";
import type { FullLanguage, Translation } from "./languages.js";
import type { WebWords } from "./web.js";

type OnDemand<Language extends string, Words> = Readonly<Record<Language, () => Promise<Words>>>;

export const CARD_TRANSLATIONS: OnDemand<Translation, { readonly CARD: CardWords }> = {
  vi: () => import("./vi/card.js"),
};

export const WEB_TRANSLATIONS: OnDemand<Translation, { readonly WEB: WebWords }> = {
  vi: () => import("./vi/web.js"),
};

export const ISSUES_ON_DEMAND: OnDemand<FullLanguage, { readonly ISSUES: IssueWords }> = {
  en: () => import("./en/issues.js"),
  vi: () => import("./vi/issues.js"),
};
