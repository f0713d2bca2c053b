// The kinds of endings, apart from their tables: a page that only names them loads no more than this.

export const OUTCOME_KINDS = [
  "answered",
  "decided",
  "declined",
  "replied",
  "expired",
  "withdrawn",
  "unavailable",
] as const;
export type OutcomeKind = (typeof OUTCOME_KINDS)[number];
