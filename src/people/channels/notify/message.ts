// What a notification says about an ask. A person chooses how much; answers as buttons appear only where the whole
// question is in the notification, so that nobody answers what they could not read.

import type { Ask } from "../../../core/model/ask.js";
import type { Ending } from "../../../core/model/ending.js";
import type { Privacy } from "../../../core/model/notifications.js";
import type { Outcome } from "../../../core/model/outcome.js";
import { displayJson, displayLabel, displayLine } from "../../../core/text/display.js";
import { hasRightToLeft } from "../../../core/text/exact-text.js";
import { type NotificationWords, notificationWords } from "../../../core/words/notifications.js";
import type { Rest } from "./message-limit.js";

export interface Message {
  readonly title: string;
  readonly body: string;
  readonly choices: readonly Choice[];
}

/** A button, and the ending that it stands for. */
export interface Choice {
  readonly label: string;
  readonly ending: Ending;
}

/** What is longer is only opened, never answered from a notification. */
const WHOLE = { characters: 120, lines: 3 };
const LONGEST_BODY = 1_000;
const LONGEST_TITLE = 120;

export function messageOf(ask: Ask, privacy: Privacy, locale: string, mostChoices: number): Message {
  const words = notificationWords(locale);
  if (privacy === "minimal") return { title: words.questionWaits, body: "", choices: [] };
  const title = titleOf(ask, words);
  if (privacy === "title") return { title, body: "", choices: [] };
  const body = bodyOf(ask, words);
  const choices = choicesOf(ask, words);
  const isOffered = choices.length <= mostChoices && isWhole(ask, body, choices);
  return { title, body: cut(body, LONGEST_BODY), choices: isOffered ? choices : [] };
}

/** Says how many more questions of an agent wait than a person is notified of. */
export function moreMessage({ ask, count }: Rest, privacy: Privacy, locale: string): Message {
  const words = notificationWords(locale);
  const title = privacy === "minimal" ? words.questionWaits : words.moreFrom(count, agentOf(ask, words));
  return { title: cut(title, LONGEST_TITLE), body: "", choices: [] };
}

/** What replaces the notification when the ask has ended. */
export function settledMessage(outcome: Outcome, locale: string): Message {
  return { title: endOf(outcome, notificationWords(locale)), body: "", choices: [] };
}

/** The name that the server has verified comes first. Only a hub without a server has none: there, a host names its agents. */
function agentOf({ asker, agentId }: Ask, words: NotificationWords): string {
  return oneLine(asker ?? agentId ?? words.anAgent);
}

function titleOf(ask: Ask, words: NotificationWords): string {
  const { questions, approval } = ask;
  const agent = agentOf(ask, words);
  if (approval !== undefined) return cut(upper(words.approvalFrom(agent)), LONGEST_TITLE);
  const header = questions[0]?.header;
  const about = header === undefined ? "" : `: ${oneLine(header)}`;
  return cut(upper(words.questionFrom(agent)) + about, LONGEST_TITLE);
}

function bodyOf({ questions, approval }: Ask, words: NotificationWords): string {
  if (approval !== undefined) return approval.actions.map(actionText).join("\n");
  const first = oneLine(questions[0]?.question ?? "");
  const more = questions.length - 1;
  return more === 0 ? first : `${first}\n${words.moreQuestions(more)}`;
}

function actionText({ name, args, description }: NonNullable<Ask["approval"]>["actions"][number]): string {
  const details = Object.keys(args).length === 0 ? "" : ` ${displayJson(JSON.stringify(args))}`;
  return `${oneLine(displayJson(name))}${details}${description === undefined ? "" : `\n${oneLine(description)}`}`;
}

/** Without line breaks and gaps that could push a part of the text out of sight. */
function oneLine(text: string): string {
  return displayLine(text)
    .replace(/[\p{Z}\u2800]+/gu, " ")
    .trim();
}

function isWhole({ questions, approval, context }: Ask, body: string, choices: readonly Choice[]): boolean {
  const [question] = questions;
  if (context !== undefined || questions.length + (approval?.actions.length ?? 0) !== 1) return false;
  // A notification cannot keep these letters from reordering what stands around them.
  if (approval !== undefined && hasRightToLeft(body)) return false;
  if (question?.multiSelect) return false;
  if (question?.options.some((option) => option.description ?? option.preview ?? option.input)) return false;
  const labels = approval === undefined ? choices.map(({ label }) => label) : [];
  const text = [...(question?.header === undefined ? [] : [question.header]), body, ...labels].join("");
  return text.length <= WHOLE.characters && body.split("\n").length <= WHOLE.lines;
}

function choicesOf({ questions, approval }: Ask, words: NotificationWords): readonly Choice[] {
  const [action] = approval?.actions ?? [];
  if (action !== undefined) {
    const kinds = (["approve", "reject"] as const).filter((kind) => action.allow.includes(kind));
    return kinds.map((kind) => ({
      label: words[kind],
      ending: { type: "decide", decisions: [{ action: action.id, kind }] },
    }));
  }
  const [question] = questions;
  if (question === undefined) return [];
  const { options } = question;
  return options.map((option) => ({
    label: oneLine(displayLabel(option, options)),
    ending: { type: "answer", answers: [{ question: question.id, selected: [option.id] }] },
  }));
}

function endOf(outcome: Outcome, words: NotificationWords): string {
  switch (outcome.kind) {
    case "answered":
    case "decided":
    case "replied":
      return outcome.by.kind === "person"
        ? words.answeredBy(displayLine(outcome.by.id))
        : words.answeredByRule;
    case "declined":
      return outcome.by.kind === "person"
        ? words.declinedBy(displayLine(outcome.by.id))
        : words.answeredByRule;
    case "expired":
      return words.expired;
    case "withdrawn":
    case "unavailable":
      return words.withdrawn;
  }
}

function cut(text: string, most: number): string {
  return text.length <= most
    ? text
    : `${Array.from(text)
        .slice(0, most - 1)
        .join("")
        .trimEnd()}…`;
}

function upper(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
