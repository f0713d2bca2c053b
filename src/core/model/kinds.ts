// The kinds of endings and events, apart from the tables: a page that only names them loads no more than this.

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

export type AskEventType =
  | "ask.created"
  | "ask.opened"
  | "ask.extended"
  | "ask.overdue"
  | `ask.${OutcomeKind}`;

export const ASK_EVENT_TYPES: readonly AskEventType[] = [
  "ask.created",
  "ask.opened",
  "ask.extended",
  "ask.overdue",
  ...OUTCOME_KINDS.map((kind) => `ask.${kind}` as const),
];
