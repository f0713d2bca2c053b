import { ISSUES as ENGLISH } from "./en/issues.js";
import { type IssueValues, type IssueWord, type IssueWords, wordsOfIssue } from "./issue-words.js";
import { type FullLanguage, fullLanguageOf } from "./languages.js";
import { ISSUES as VIETNAMESE } from "./vi/issues.js";

/** The tables by language. Other languages have only the word for Other so far. */
export const ISSUE_WORDS: Readonly<Record<FullLanguage, IssueWords>> = { en: ENGLISH, vi: VIETNAMESE };

/**
 * An issue in words for the person who can fix it, in the language of a locale (English if there is no translation).
 * Core's own messages are for models and logs.
 */
export function issueText(
  issue: { readonly code: IssueWord; readonly values?: IssueValues },
  locale: string | undefined,
): string {
  return wordsOfIssue(ISSUE_WORDS[fullLanguageOf(locale)], issue);
}
