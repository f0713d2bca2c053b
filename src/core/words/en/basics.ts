import { type BasicWords, isRefusedAsWrong, roundedTime } from "../basics.js";

export const BASICS: BasicWords = {
  next: "Next",
  send: "Send",
  skip: "Skip this question",
  reply: "Say something else instead",
  decline: "Decline to answer",
  back: "Back",
  approve: "Approve",
  edit: "Approve with changes",
  reject: "Reject",
  answer: "Answer",
  note: "Note",
  overall: "Note about everything",
  args: "Arguments",
  message: "Reason",
  replyField: "Message",
  reason: "Reason (optional)",
  review: "Review",
  recommended: "recommended",
  skipped: "skipped",
  notAnswered: "not answered yet",
  unused: "not sent",
  replyTitle: "Say something else instead of answering",
  declineTitle: "Decline to answer",
  picks: (min, max, count) => {
    const wanted =
      max === undefined
        ? min > 1
          ? `Choose at least ${min}`
          : "Choose one or more"
        : min === max
          ? `Choose exactly ${max}`
          : `Choose ${min} to ${max}`;
    return `${wanted} (${count} chosen)`;
  },
  sending: "Sending…",
  refused: (code) =>
    isRefusedAsWrong(code)
      ? `This was not accepted (${code}). Nothing is lost: change it, and send it again.`
      : `This could not be sent (${code}). Nothing is lost: send it again.`,
  notSaved: "The server cannot be reached. Your text is kept here and saved later.",
  from: (surface) => `Last changed on: ${surface}`,
  timeLeft: (milliseconds) => {
    const { count, unit } = roundedTime(milliseconds);
    return `About ${count} ${unit}${count === 1 ? "" : "s"} left`;
  },
  reportedBy: (agent) => `reported by ${agent}`,
  outcomes: {
    answered: "Answered",
    decided: "Decided",
    declined: "Declined",
    replied: "Replied to",
    expired: "Expired before anyone answered",
    withdrawn: "Withdrawn by the agent",
    unavailable: "Nobody could be reached",
  },
};
