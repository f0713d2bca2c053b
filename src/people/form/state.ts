// The state of a form: plain data, changed only by `updateForm`.
//
//   open ----submit, and nothing is missing----> sending ----settled----> settled
//        <---refused (the text stays)-----------
//        ----settled (elsewhere)-------------------------------------> settled
//
// While it is open, a person is at one of its steps (a question or an action each, then the review), or in a
// panel beside them (reply, decline). The cursor stands on a row of that place. It says nothing about the
// answer: what is chosen and typed is in the parts.

import { ISSUE_CODES } from "../../core/kit/issue.js";
import type { Action } from "../../core/model/approval.js";
import type { AskContent, AskRequest } from "../../core/model/ask.js";
import type { ValidEnding } from "../../core/model/ending.js";
import type { ErrorCode } from "../../core/model/error.js";
import type { DecisionKind } from "../../core/model/kinds.js";
import type { Outcome } from "../../core/model/outcome.js";
import type { Question } from "../../core/model/question.js";
import { durationsOf } from "../../core/rules/remembering.js";
import type { IssueWord } from "../../core/words/issue-words.js";

/** The part of an ask that a form needs. Every `Ask` and every parsed `AskRequest` is one. */
export type FormAsk = AskContent &
  // Without a session and a folder, a decision counts only this time.
  Partial<Pick<AskRequest, "allowPartial" | "session" | "agentId" | "metadata">> & {
    readonly outcome?: Outcome;
  };

export type Step =
  | { readonly kind: "question"; readonly id: string; readonly question: Question }
  | { readonly kind: "action"; readonly id: string; readonly action: Action }
  | { readonly kind: "review" };

/** When and at which surface something was last changed. `at` is 0 for what nobody has touched. */
export interface Stamp {
  readonly at: number;
  readonly surface: string;
}

/** What a person has done about one question. */
export interface AnswerPart extends Stamp {
  readonly kind: "answer";
  readonly id: string;
  /** Chosen options in the order of the question's, without the one that stands for the text field. */
  readonly selected: readonly string[];
  /** Whether the text is chosen as (a part of) the answer. If not, it stays here unused. */
  readonly own: boolean;
  readonly text: string;
  readonly note: string;
  readonly skipped: boolean;
}

/** What a person has done about one action. */
export interface DecisionPart extends Stamp {
  readonly kind: "decision";
  readonly id: string;
  readonly decision: DecisionKind | null;
  /** The arguments as the JSON text that is being edited, valid or not. */
  readonly args: string;
  readonly message: string;
  /** One of `remembersOf`; anything else is for only this time. */
  readonly remember: string;
}

/** The overall note, the reply, the reason for declining. */
export interface TextPart extends Stamp {
  readonly kind: "note" | "reply" | "reason";
  readonly text: string;
}

/** What drafts are saved, compared and merged by. */
export type Part = AnswerPart | DecisionPart | TextPart;

/** The text fields of a form. `text`, `note`, `args` and `message` belong to one question or action. */
export type TextField = "text" | "note" | "args" | "message" | "overall" | "reply" | "reason";

/**
 * Codes of core, and those of a form's own: changed arguments or a rule that the chosen decision would not send, and
 * an approval of what has not been on the screen.
 */
export type FormIssueCode = IssueWord;

// Marked, because a bundler keeps what it cannot prove to be without effects, and the card does not use it.
export const FORM_ISSUE_CODES: readonly FormIssueCode[] = /* @__PURE__ */ (
  ISSUE_CODES as readonly FormIssueCode[]
).concat("edit_unused", "rule_unused", "not_shown");

/** One problem, at the field that it is about. Words for it are in `src/core/words`. */
export interface FormIssue {
  readonly code: FormIssueCode;
  /** The question or the action; absent for the overall note, a reply and a reason. */
  readonly id?: string | undefined;
  readonly field: TextField | "choice";
  readonly values: Readonly<Record<string, number | boolean>>;
}

export type Phase =
  | { readonly kind: "open" }
  | { readonly kind: "sending"; readonly ending: ValidEnding }
  /** `ours`: the outcome is what this form has sent. Otherwise `outcome.by` says who was faster, and where. */
  | { readonly kind: "settled"; readonly outcome: Outcome; readonly ours: boolean };

export type Panel = "steps" | "reply" | "decline";

export interface FormState {
  readonly ask: FormAsk;
  /** The name of this surface, for stamps. */
  readonly surface: string;
  /** Picking the answer to a single-select question, or approving, also goes on. */
  readonly answerOnPick: boolean;
  /** Whether this surface shows for how long a decision counts. If not, it counts only this time. */
  readonly remembers: boolean;
  /** Whether this surface reports what has been on the screen. If so, nothing else can be approved. */
  readonly reportsShown: boolean;
  readonly phase: Phase;
  readonly panel: Panel;
  /** An index into `stepsOf(ask)`. */
  readonly step: number;
  /** The key of the row that the cursor stands on. */
  readonly cursor: string;
  /** Whether the row under the cursor is a text field that keys go into. */
  readonly typing: boolean;
  /** The step was opened from the review, and `next` returns there. */
  readonly detour: boolean;
  /** One for each question or action in their order, then the overall note, the reply and the reason. */
  readonly parts: readonly Part[];
  /** By the place of the part: it was changed here since it last came from elsewhere. */
  readonly touched: readonly boolean[];
  /** The parts as the server has them, as far as known. */
  readonly saved: readonly Part[];
  /** What was typed here and then replaced by a later save from elsewhere; newest first. */
  readonly kept: readonly Part[];
  /** Steps (or -1 for a panel) that a person tried to leave unfinished: what is missing there is shown. */
  readonly tried: readonly number[];
  /** Actions that have been on the screen, with the text of their arguments: the agent's, and the last changed one. */
  readonly shown: readonly { readonly id: string; readonly args: string }[];
  /** Why the last event changed nothing. */
  readonly notice: FormIssue | null;
  /** Why the server did not take what was sent. */
  readonly refusal: { readonly code: ErrorCode; readonly issues: readonly FormIssue[] } | null;
}

/** One step for each question or action, and a review where there are two or more. */
export function stepsOf({ questions, approval }: FormAsk): readonly Step[] {
  const steps: readonly Step[] =
    approval === undefined
      ? questions.map((question) => ({ kind: "question", id: question.id, question }))
      : approval.actions.map((action) => ({ kind: "action", id: action.id, action }));
  return steps.length === 1 ? steps : [...steps, { kind: "review" }];
}

/** Whether a person may type an answer to it. */
export function takesText({ freeText, options }: Question): boolean {
  return freeText || options.some(({ input }) => input);
}

/** The options that can be picked: all but the one that stands for the text field. */
export function choicesOf({ options }: Question): readonly Question["options"][number][] {
  return options.filter(({ input }) => !input);
}

/** Whether it can be answered by a pick. */
export function hasChoices({ options }: Question): boolean {
  return options.some(({ input }) => !input);
}

/** How many picks a question takes at most; typed text counts as one. */
export function mostPicks({ multiSelect, maxPicks }: Question): number {
  return multiSelect ? (maxPicks ?? Number.POSITIVE_INFINITY) : 1;
}

/**
 * For how long a decision can count besides only this time: `session` and `always`, as far as the ask has a session and a
 * folder, then the rules in the agent's own words.
 */
export function remembersOf({ ask, remembers }: FormState): readonly string[] {
  const [action, other] = ask.approval?.actions ?? [];
  if (!remembers || action === undefined || other !== undefined || action.once) return [];
  return [...durationsOf(ask, action), ...(action.rules ?? [])];
}
