// Every word of the pages.

import {
  type Answerer,
  type Ask,
  type DecisionKind,
  displayAnswerer,
  displayLine,
  type Issue,
  type Outcome,
} from "../../core/index.js";

export const WORDS = {
  product: "Askline",
  signedInAs: "Signed in as",
  signOut: "Sign out",
  refresh: "Refresh",
  asOf: "as of",
  nothing: "No questions are waiting for you.",
  nothingHint: "When an agent asks you something, it appears here after a refresh.",
  keepLooking: "Refresh every 30 seconds",
  looking: "This page refreshes every 30 seconds until a question arrives.",
  stopLooking: "Stop refreshing",
  noFurther: "No more questions are waiting.",
  noneHere: "No questions for you on this page; there may be more on the next.",
  more: "More questions",
  first: "Back to the first",
  awaited: "an agent is waiting",
  overdue: "overdue",
  recommended: "recommended",
  preview: "Preview",
  ownAnswer: "Something else",
  ownAnswerField: "Your own answer",
  typeAnswer: "Your answer",
  skip: "Skip this question",
  mayBeBlank: "may be left blank",
  chooseOne: "choose one",
  addNote: "Add a note",
  noteOnThis: "Note on this question",
  noteOnAll: "Note on all questions (optional)",
  send: "Send answer",
  sendDecision: "Send decision",
  instead: "Decline, or reply instead",
  reply: "Reply instead of answering",
  sendReply: "Send reply",
  declineReason: "Reason for declining (optional)",
  decline: "Decline",
  approve: "Approve",
  edit: "Approve with changes",
  reject: "Reject",
  args: "Arguments",
  changedArgs: "Changed arguments (JSON)",
  rejectReason: "Reason for rejecting (optional)",
  tooLongForList: "This question is long.",
  open: "Open it",
  allQuestions: "All questions",
  tooLate: "Your answer was not saved: this question had already ended.",
  youSent: "What you sent",
  youTyped: "What you typed",
  note: "Note",
  sentReply: "Reply",
  sentReason: "Reason for declining",
  failed: "That did not work",
  formOnly: "This address accepts form submissions only; there is no page here.",
  sendAgain: "Send it again",
  openQuestion: "Open the question",
  notTaken: "Not saved",
  notSent: "Not sent yet: something is missing below.",
  openInbox: "Open your inbox",
  openInboxHint: "This link works once, within ten minutes.",
  signIn: "Sign in",
  signInHint:
    "Open the link that the server printed when it started. It works once. To get a new one, run askline inbox on the server's machine. If you are signed in, open your inbox from a bookmark or the history: its address is not the address of this page.",
  decideAction: "Choose a decision for this action.",
  changedButApproved:
    "You changed the arguments but chose “Approve”. Choose “Approve with changes”, or undo the changes.",
  reasonButNotRejected: "You gave a reason for rejecting but did not choose “Reject”.",
  notJson: "The arguments must be a JSON object. Correct them, or choose “Approve”.",
  chooseOrType: "Choose an option, or type an answer.",
  choose: "Choose an option.",
  type: "Type an answer.",
  onlyOne: "Choose either one option or your own answer.",
  typeYourOwn: "Type your own answer, or choose another option.",
} as const;

/** The decision about an action. */
export const DECIDED: Readonly<Record<DecisionKind, string>> = {
  approve: "Approved",
  edit: "Approved with changes",
  reject: "Rejected",
};

/** How many questions are waiting; `further` if earlier pages have questions. */
export function waitingTitle(count: number, more: boolean, further: boolean): string {
  if (count === 0) return more ? WORDS.noneHere : further ? WORDS.noFurther : WORDS.nothing;
  const number = `${count}${more ? " and more" : ""}${further ? " further" : ""}`;
  return count === 1 && !more ? `${number} question is waiting` : `${number} questions are waiting`;
}

export function picksHint(min: number | undefined, max: number | undefined): string {
  if (min !== undefined && max !== undefined) {
    return min === max ? `choose ${min}` : `choose ${min} to ${max}`;
  }
  if (min !== undefined && min > 1) return `choose at least ${min}`;
  return max === undefined ? "choose any" : `choose up to ${max}`;
}

/** The title of an ask, in one line. */
export function titleOf({ questions, approval }: Ask): string {
  const [action] = approval?.actions ?? [];
  if (action !== undefined) {
    const others = (approval?.actions.length ?? 1) - 1;
    return displayLine(`Run ${action.name}${others > 0 ? ` and ${others} more` : ""}?`);
  }
  const [first] = questions;
  if (questions.length <= 1) return displayLine(first?.question ?? "");
  const headers = questions.flatMap(({ header }) => header ?? []);
  const subject = headers.length === questions.length ? headers.join(", ") : first?.question;
  return displayLine(`${questions.length} questions: ${subject}`);
}

/** How an ask ended, for the person who looks at it. */
export function endedTitle(outcome: Outcome, person: string): string {
  const by = "by" in outcome ? outcome.by : undefined;
  const own = by?.kind === "person" && by.id === person;
  switch (outcome.kind) {
    case "answered":
    case "decided":
    case "declined":
    case "replied":
      if (own) {
        const ended = { answered: "Answered", decided: "Decided", declined: "Declined", replied: "Replied" };
        return by.via === undefined
          ? ended[outcome.kind]
          : `${ended[outcome.kind]}, reported by ${displayLine(by.via)}`;
      }
      return `Already ${outcome.kind} by ${describe(by)}`;
    case "expired":
      return "Expired before anyone answered";
    case "withdrawn":
      return "The agent withdrew this";
    case "unavailable":
      return "Ended because nobody could be reached";
  }
}

/** For a person who tries to settle an ask again, differently. */
export function endedByYou(
  kind: Outcome["kind"],
  { surface, via }: { readonly surface: string; readonly via?: string },
): string {
  const where = via === undefined ? surface : `${surface}, reported by ${via}`;
  return `You already ${kind} this (${where})`;
}

function describe(by: Answerer | undefined): string {
  if (by === undefined) return "someone";
  return displayAnswerer(by);
}

/** An issue in words for the person who filled in the form. */
export function issueText(issue: Issue, multiSelect: boolean): string {
  switch (issue.code) {
    case "text_required":
      return WORDS.typeYourOwn;
    case "too_many_picks":
      return multiSelect ? sentence(issue.message) : WORDS.onlyOne;
    default:
      return sentence(issue.message);
  }
}

/** A message as a complete sentence. */
export function sentence(text: string): string {
  const line = displayLine(text);
  return `${line.charAt(0).toUpperCase()}${line.slice(1)}${/[.!?]$/.test(line) ? "" : "."}`;
}
