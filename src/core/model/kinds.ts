// Separate from the tables of outcomes and approvals, so that a page can import the kinds alone.

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

export const DECISION_KINDS = ["approve", "edit", "reject"] as const;
export type DecisionKind = (typeof DECISION_KINDS)[number];
