import { type RoundedTime, roundedAge, roundedTime } from "../basics.js";
import type { InboxWords } from "../terminal-inbox.js";

function time({ count, unit }: RoundedTime): string {
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}

function questions(count: number): string {
  return `${count} ${count === 1 ? "question" : "questions"}`;
}

export const INBOX: InboxWords = {
  title: "Inbox",
  waiting: (count) =>
    count === 0 ? "nothing is waiting" : `${count} ${count === 1 ? "question is" : "questions are"} waiting`,
  matching: (count, total) => `${count} of ${total} shown`,
  nothing: "No questions are waiting for you. New ones appear here by themselves.",
  noMatch: "No question matches.",
  loading: "Loading…",
  search: "Search",
  filters: { all: "all", awaited: "an agent is waiting", due: "with a deadline" },
  approve: (names) => `Approve ${names}?`,
  severalQuestions: (count, first) => `${count} questions: ${first}`,
  age: (milliseconds) => (milliseconds < 10_000 ? "just now" : `${time(roundedAge(milliseconds))} ago`),
  from: (agent) => `from ${agent}`,
  session: (name) => `session ${name}`,
  project: (name) => `project ${name}`,
  awaited: "agent waiting",
  notAwaited: "agent not waiting",
  unknown: (people) => `not known here: ${people}`,
  due: (milliseconds) => (milliseconds <= 0 ? "ends now" : `ends in ${time(roundedTime(milliseconds))}`),
  overdue: "overdue",
  draft: "draft",
  moreOf: (count, agent) => `${count} more of ${agent}`,
  mutedOf: (count, agent) => `${questions(count)} of ${agent}, muted`,
  declineAll: (count, agent) => `Decline ${questions(count)} of ${agent}?`,
  outage: (url, since) => `No connection to ${url} since ${since}. Trying again; nothing is lost.`,
  endedTitle: (ended, title) => `${ended} ${title}`,
  arrived: (title) => `New: ${title}`,
  muted: (agent) => `${agent} is muted: it sends you no messages, and its questions are one row.`,
  unmuted: (agent) => `${agent} is no longer muted.`,
  declinedAll: (declined, count, agent) =>
    declined === count
      ? `Declined ${questions(count)} of ${agent}.`
      : `Declined ${declined} of ${questions(count)} of ${agent}; the rest had ended or was not reached.`,
  failed: (reason) => `That did not work: ${reason}`,
  cannotOpen: (reason) => `It cannot be opened now: ${reason}`,
  unsaved:
    "Your text could not be saved, because the server is away. Open the question again to go on with it.",
  keys: {
    open: "open",
    move: "move",
    page: "a page up or down",
    search: "search",
    filter: "filter",
    decline: "decline",
    reply: "say something else",
    mute: "mute or unmute the agent",
    declineAll: "decline all of the agent",
    keep: "keep them",
    leave: "leave",
    help: "all keys",
    keepSearch: "keep the search",
    endSearch: "end the search",
    suspend: "suspend",
  },
  plain: {
    prompt: "A number to open a question (? for help): ",
    confirm: "Type yes to decline them: ",
    kept: "Nothing was declined.",
    notUnderstood: (typed) => `"${typed}" is not a command here. Type ? for help.`,
    wholeNumber: (last) => (last === 0 ? "No question is listed." : `Type a number from 1 to ${last}.`),
    help: {
      number: "open the question with this number",
      list: "list the questions again",
      search: "list only questions with these words; search alone lists all",
      filter: "list all, those that an agent is waiting for, or those with a deadline",
      mute: "mute the agent of this question, or unmute it",
      declineAll: "decline all questions of its agent; asks first",
      quit: "leave the inbox; questions and drafts stay",
    },
  },
};
