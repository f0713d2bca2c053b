import type { Issue, IssueCode } from "./issue.js";

/** The codes of source 000's seven errors. */
export const CANONICAL_CODES: readonly IssueCode[] = [
  "no_questions",
  "too_many_questions",
  "blank_question",
  "blank_header",
  "option_count",
  "blank_label",
  "duplicate_label",
];

/**
 * Source 000 stops at its first error; `parseAsk` finds them all, in the same order. This is the first of
 * them in 000's wording, or undefined where there is none of its seven.
 */
export function canonicalError(issues: readonly Issue[]): string | undefined {
  const first = issues.find(({ code }) => CANONICAL_CODES.includes(code));
  return first && `askuserquestion: ${first.message}`;
}
