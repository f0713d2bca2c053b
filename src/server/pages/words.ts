// Every word of the pages, in one place.

import {
  type Answerer,
  type Ask,
  type DecisionKind,
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
  nothing: "Nothing is waiting for you.",
  nothingHint: "When an agent asks you something, it is here the next time that you look.",
  keepLooking: "Look again every half minute",
  looking: "This page looks again every half minute, until something is waiting.",
  stopLooking: "Stop that",
  noFurther: "No further questions are waiting.",
  noneHere: "None of the questions here are for you; there may be more.",
  more: "More questions",
  first: "From the first",
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
  noteOnAll: "Note on the whole (optional)",
  send: "Send answer",
  sendDecision: "Send decision",
  instead: "Decline, or say something else",
  reply: "Say something instead of answering",
  sendReply: "Send reply",
  declineReason: "Why you decline (optional)",
  decline: "Decline",
  approve: "Approve",
  edit: "Approve with changes",
  reject: "Reject",
  args: "Arguments",
  changedArgs: "Changed arguments (JSON)",
  rejectReason: "Why it is rejected (optional)",
  tooLongForList: "This one is long.",
  open: "Open it",
  allQuestions: "All questions",
  tooLate: "What you sent was not taken: this had ended before.",
  youSent: "What you sent",
  youTyped: "What you typed",
  note: "Note",
  sentReply: "Reply",
  sentReason: "Reason to decline",
  failed: "That did not work",
  formOnly: "This address only takes what a form sends: there is nothing to see here.",
  sendAgain: "Send it again",
  openQuestion: "Open the question",
  notTaken: "Not taken",
  notSent: "Not sent yet: see below what is missing.",
  openInbox: "Open your inbox",
  openInboxHint: "This link works once, and for ten minutes.",
  signIn: "Sign in",
  signInHint:
    "Open the link that the server printed when it started. It works once; for a new one, run askline inbox on the machine of the server.",
  decideAction: "Decide about this action.",
  changedButApproved:
    "The arguments were changed, but “Approve” is chosen. Choose “Approve with changes”, or undo the changes.",
  reasonButNotRejected: "There is a reason to reject, but “Reject” is not chosen.",
  notJson: "This is not JSON for an object. Correct it, or choose “Approve”.",
  chooseOrType: "Choose an option, or type an answer.",
  choose: "Choose an option.",
  type: "Type an answer.",
  onlyOne: "Choose one: an option, or your own answer.",
  typeYourOwn: "Type your own answer, or choose another option.",
} as const;

/** What was decided about an action. */
export const DECIDED: Readonly<Record<DecisionKind, string>> = {
  approve: "Approved",
  edit: "Approved with changes",
  reject: "Rejected",
};

/** How much is waiting; `further` where there are questions on the pages before. */
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

/** What an ask is called in one line. */
export function titleOf({ questions, approval }: Ask): string {
  const [action] = approval?.actions ?? [];
  if (action !== undefined) {
    const others = (approval?.actions.length ?? 1) - 1;
    return displayLine(`May it run ${action.name}${others > 0 ? ` and ${others} more` : ""}?`);
  }
  const [first] = questions;
  if (questions.length <= 1) return displayLine(first?.question ?? "");
  const headers = questions.flatMap(({ header }) => header ?? []);
  const subject = headers.length === questions.length ? headers.join(", ") : first?.question;
  return displayLine(`${questions.length} questions: ${subject}`);
}

/** How an ask ended, to the person who looks at it. */
export function endedTitle(outcome: Outcome, person: string): string {
  const by = "by" in outcome ? outcome.by : undefined;
  const own = by?.kind === "person" && by.id === person;
  switch (outcome.kind) {
    case "answered":
    case "decided":
    case "declined":
    case "replied":
      if (own)
        return { answered: "Answered", decided: "Decided", declined: "Declined", replied: "Replied" }[
          outcome.kind
        ];
      return `Somebody was faster: ${outcome.kind} by ${describe(by)}`;
    case "expired":
      return "Its time was over before an answer came";
    case "withdrawn":
      return "The agent took this back";
    case "unavailable":
      return "This ended because nobody could be reached";
  }
}

/** To who has ended an ask before, and now tries to end it otherwise. */
export function endedByYou(kind: Outcome["kind"], surface: string): string {
  return `You were faster yourself: ${kind} before (${surface})`;
}

function describe(by: Answerer | undefined): string {
  if (by === undefined) return "somebody";
  return by.kind === "person" ? `${by.id} (${by.surface})` : `the rule “${by.name}”`;
}

/** What an issue means to the person who filled in the form. */
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

/** A message as a sentence of its own. */
export function sentence(text: string): string {
  const line = displayLine(text);
  return `${line.charAt(0).toUpperCase()}${line.slice(1)}${/[.!?]$/.test(line) ? "" : "."}`;
}
