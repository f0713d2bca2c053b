// What the terminal and the card both say. The languages are files of their own, so that a page loads only one.

/** Every way in which an ask ends. */
export type OutcomeWord =
  | "answered"
  | "decided"
  | "declined"
  | "replied"
  | "expired"
  | "withdrawn"
  | "unavailable";

/** What every surface with a form says. */
export interface BasicWords {
  // Rows.
  readonly next: string;
  readonly send: string;
  readonly skip: string;
  readonly reply: string;
  readonly decline: string;
  readonly back: string;
  readonly approve: string;
  readonly edit: string;
  readonly reject: string;
  readonly answer: string;
  readonly note: string;
  readonly overall: string;
  readonly args: string;
  readonly message: string;
  readonly replyField: string;
  readonly reason: string;
  readonly review: string;
  readonly recommended: string;
  readonly skipped: string;
  readonly notAnswered: string;
  readonly unused: string;
  readonly replyTitle: string;
  readonly declineTitle: string;
  readonly picks: (min: number, max: number | undefined, count: number) => string;
  // What has happened.
  readonly sending: string;
  readonly refused: (code: string) => string;
  readonly notSaved: string;
  readonly from: (surface: string) => string;
  readonly timeLeft: (milliseconds: number) => string;
  /** The agent whose process reported a person's answer. */
  readonly reportedBy: (agent: string) => string;
  readonly outcomes: Readonly<Record<OutcomeWord, string>>;
}

/** What a form says where a person types a text instead of answering. */
export function panelWords(words: BasicWords): Readonly<Record<"reply" | "decline", PanelWords>> {
  return {
    reply: { title: words.replyTitle, field: words.replyField, send: words.send },
    decline: { title: words.declineTitle, field: words.reason, send: words.decline },
  };
}

interface PanelWords {
  readonly title: string;
  readonly field: string;
  readonly send: string;
}

/** Codes that say that what was sent is wrong; with any other, it did not arrive or was not allowed. */
const WRONG: ReadonlySet<string> = new Set(["invalid_answer", "wrong_kind", "invalid_request", "too_large"]);

export function isRefusedAsWrong(code: string): boolean {
  return WRONG.has(code);
}

export interface RoundedTime {
  readonly count: number;
  readonly unit: "second" | "minute" | "hour" | "day";
}

/** Coarse, so that it changes seldom: a screen reader reads every change aloud. */
export function roundedTime(milliseconds: number): RoundedTime {
  const seconds = Math.max(0, milliseconds / 1_000);
  if (seconds > 36 * 3_600) return { count: Math.round(seconds / 86_400), unit: "day" };
  if (seconds > 90 * 60) return { count: Math.round(seconds / 3_600), unit: "hour" };
  if (seconds > 60) return { count: Math.ceil(seconds / 60), unit: "minute" };
  return { count: Math.ceil(seconds / 10) * 10, unit: "second" };
}

/** How long ago something was: never more than it was. */
export function roundedAge(milliseconds: number): RoundedTime {
  const seconds = Math.max(0, milliseconds / 1_000);
  if (seconds >= 48 * 3_600) return { count: Math.floor(seconds / 86_400), unit: "day" };
  if (seconds >= 3_600) return { count: Math.floor(seconds / 3_600), unit: "hour" };
  if (seconds >= 60) return { count: Math.floor(seconds / 60), unit: "minute" };
  return { count: Math.floor(seconds / 10) * 10, unit: "second" };
}
