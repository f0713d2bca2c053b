// What a notification says about an ask. A person chooses how much; answers as buttons appear only where the whole
// question is in the notification, so that nobody answers what they could not read.

import { type Ask, displayLine, displayText, type Outcome } from "../../core/index.js";
import type { Privacy } from "../../hub/records/push-subscriptions.js";
import { type NotificationWords, notificationWords } from "../../words/index.js";

export interface Message {
  readonly title: string;
  readonly body: string;
  readonly choices: readonly Choice[];
}

/** A button, and the body of the route that it stands for. */
export interface Choice {
  readonly label: string;
  readonly ending: "answer" | "decide";
  readonly submission: object;
}

/** A question or an action that is longer is only opened, never answered from a notification. */
const WHOLE = 120;
const LONGEST_BODY = 1_000;
const LONGEST_TITLE = 120;

export function messageOf(ask: Ask, privacy: Privacy, locale: string, mostChoices: number): Message {
  const words = notificationWords(locale);
  if (privacy === "minimal") return { title: words.questionWaits, body: "", choices: [] };
  const title = titleOf(ask, words);
  if (privacy === "title") return { title, body: "", choices: [] };
  const choices = isWhole(ask) ? choicesOf(ask, words) : [];
  return { title, body: bodyOf(ask, words), choices: choices.length <= mostChoices ? choices : [] };
}

/** What replaces the notification when the ask has ended. */
export function settledMessage(outcome: Outcome, locale: string): Message {
  return { title: endOf(outcome, notificationWords(locale)), body: "", choices: [] };
}

function titleOf({ questions, approval, agentId }: Ask, words: NotificationWords): string {
  const agent = agentId === undefined ? words.anAgent : displayLine(agentId);
  if (approval !== undefined) return cut(upper(words.approvalFrom(agent)), LONGEST_TITLE);
  const header = questions[0]?.header;
  return cut(header === undefined ? upper(words.questionFrom(agent)) : displayLine(header), LONGEST_TITLE);
}

function bodyOf({ questions, approval }: Ask, words: NotificationWords): string {
  if (approval !== undefined) return cut(approval.actions.map(actionText).join("\n"), LONGEST_BODY);
  const first = displayText(questions[0]?.question ?? "");
  const more = questions.length - 1;
  return cut(more === 0 ? first : `${first}\n${words.moreQuestions(more)}`, LONGEST_BODY);
}

function actionText({ name, args, description }: NonNullable<Ask["approval"]>["actions"][number]): string {
  const details = Object.keys(args).length === 0 ? "" : ` ${JSON.stringify(args)}`;
  return displayText(`${name}${details}${description === undefined ? "" : `\n${description}`}`);
}

function isWhole({ questions, approval, context }: Ask): boolean {
  if (context !== undefined) return false;
  if (approval !== undefined) {
    const [action, ...more] = approval.actions;
    return action !== undefined && more.length === 0 && actionText(action).length <= WHOLE;
  }
  const [question, ...more] = questions;
  if (question === undefined || more.length > 0 || question.multiSelect) return false;
  const { options } = question;
  if (options.some((option) => option.description ?? option.preview ?? option.input)) return false;
  const length = options.reduce((sum, { label }) => sum + label.length, question.question.length);
  return length <= WHOLE;
}

function choicesOf({ questions, approval }: Ask, words: NotificationWords): readonly Choice[] {
  const [action] = approval?.actions ?? [];
  if (action !== undefined) {
    const kinds = (["approve", "reject"] as const).filter((kind) => action.allow.includes(kind));
    return kinds.map((kind) => ({
      label: words[kind],
      ending: "decide",
      submission: { decisions: [{ action: action.id, kind }] },
    }));
  }
  const [question] = questions;
  return (question?.options ?? []).map(({ id, label }) => ({
    label: displayLine(label),
    ending: "answer",
    submission: { answers: [{ question: question?.id, selected: [id] }] },
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
