import { freeTextOption } from "../free-text-option.js";
import type { PageWords } from "../pages.js";
import { APPROVAL } from "./approval.js";
import { CARD } from "./card.js";
import { SETTLED } from "./settled.js";

export const PAGES: PageWords = {
  language: "en",
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
  recommended: CARD.recommended,
  preview: CARD.preview,
  ownAnswer: freeTextOption("en").label,
  ownAnswerField: CARD.ownAnswer,
  typeAnswer: CARD.answer,
  skip: CARD.skip,
  mayBeBlank: "may be left blank",
  chooseOne: "choose one",
  addNote: CARD.addNote,
  noteOnThis: "Note on this question",
  noteOnAll: CARD.overall,
  send: CARD.send,
  instead: "Decline, or reply instead",
  reply: CARD.replyTitle,
  sendReply: "Send reply",
  declineReason: "Reason for declining (optional)",
  decline: CARD.decline,
  approve: CARD.approve,
  edit: CARD.edit,
  reject: CARD.reject,
  args: CARD.args,
  noArguments: APPROVAL.noArguments,
  emptyText: APPROVAL.emptyText,
  changedArgs: "Changed arguments (JSON)",
  rejectReason: "Reason for rejecting (optional)",
  tooLongForList: "This question is long.",
  open: "Open it",
  allQuestions: "All questions",
  tooLate: "Your answer was not saved: this question had already ended.",
  youSent: "What you sent",
  youTyped: "What you typed",
  note: CARD.note,
  sentReply: CARD.replyField,
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
    "Open the link that the server printed when it started. It works once. To get a new one, run askline link on the server's machine. If you are signed in, open your inbox from a bookmark or the history: its address is not the address of this page.",
  needsScript: "This page needs JavaScript. The list of questions works without it.",
  reasonButNotRejected: "You gave a reason for rejecting but did not choose “Reject”.",
  editCountsOnce: "Changed arguments count only this time: choose that, or approve without changes.",
  notJson: "The arguments must be a JSON object. Correct them, or choose “Approve”.",
  onlyOne: "Choose either one option or your own answer.",
  blankReply: "A reply must not be blank.",
  someone: "someone",
  decided: SETTLED.decisions,
  waiting: (count, more, further) => {
    const number = `${count}${more ? " and more" : ""}${further ? " further" : ""}`;
    return count === 1 && !more ? `${number} question is waiting` : `${number} questions are waiting`;
  },
  picks: (min, max) => {
    if (min !== undefined && max !== undefined) {
      return min === max ? `choose ${min}` : `choose ${min} to ${max}`;
    }
    if (min !== undefined && min > 1) return `choose at least ${min}`;
    return max === undefined ? "choose any" : `choose up to ${max}`;
  },
  runAction: (name, others) => `Run ${name}${others > 0 ? ` and ${others} more` : ""}?`,
  questions: (count, subject) => `${count} questions: ${subject}`,
  fromAgent: (name) => `from ${name}`,
  inSession: (name) => `in ${name}`,
  policy: (name, rule, madeBy) => {
    const about = [
      rule === undefined ? "rule" : `rule ${rule}`,
      ...(madeBy === undefined ? [] : [`made by ${madeBy}`]),
    ];
    return `the policy ${name}${rule === undefined && madeBy === undefined ? "" : ` (${about.join(", ")})`}`;
  },
  reportedBy: CARD.reportedBy,
  ended: {
    answered: "Answered",
    decided: "Decided",
    declined: "Declined",
    replied: "Replied",
    expired: "Expired before anyone answered",
    withdrawn: "The agent withdrew this",
    unavailable: "Ended because nobody could be reached",
  },
  endedBy: (outcome, by) => `Already ${outcome} by ${by}`,
  endedByYou: (outcome, surface) => `You already ${outcome} this (${surface})`,
  ago: (amount, unit) => (amount === 0 ? "just now" : `${amount} ${unit}${amount === 1 ? "" : "s"} ago`),
  deadline: (amount, unit, ends) =>
    `${ends ? "ends" : "due"} ${amount === 0 ? "within a minute" : `in ${amount} ${unit}${amount === 1 ? "" : "s"}`}`,
  thenRecommended: "then the recommended options are chosen",
  errors: {
    unauthorized:
      "This was not sent: you are signed out. Sign in in another tab, then send it again from here.",
    invalid_code: "This code is unknown, expired or already used. Get a new link.",
    invalid_link: "This link is not valid. Ask for a new one.",
    link_expired: "This link has expired. Ask for a new one.",
    not_found: "There is nothing here, or it is not meant for you.",
    forbidden: "You may not do this.",
    host_not_allowed: "This server is not reachable by this name. Use the address that it printed.",
    origin_not_allowed:
      "This form was sent from another site, so it was not accepted. Open the question here.",
    invalid_request: "The server did not understand this. Open the question again.",
    unsupported_media_type: "The server did not understand this. Open the question again.",
    wrong_kind: "This question cannot be ended in this way. Open it again.",
    already_settled: "This question has already ended.",
    too_large: "This is too large. Shorten your text, and send it again.",
    rate_limited: "Too many requests. Wait a moment, then try again.",
    request_timeout: "This took too long to arrive. Try again.",
    closed: "The server is shutting down. Try again in a moment.",
    overloaded: "The server is busy. Try again in a moment.",
    other: "The server has a problem. Nothing was saved; try again later.",
  },
};
