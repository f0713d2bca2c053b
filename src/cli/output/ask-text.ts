import { hang } from "../../cells/index.js";
import { type Ask, describeOutcome, displayLine, displayText, formatAnswers } from "../../core/index.js";
import { addressees } from "../../core/model/visibility.js";
import { actionText } from "../../terminal/ask-action.js";
import { picksText, questionText } from "../../terminal/question-text.js";
import { askerName, statusLine } from "./ask-summary.js";
import { exactTime, relativeTime } from "./units.js";

/** All of an ask that a person needs to decide, and how it ended. Safe to show. */
export function askText(ask: Ask, now: number, columns: number | undefined): string {
  const facts = factsOf(ask, now);
  const width = Math.max(...facts.map(([name]) => name.length));
  const parts = [
    facts.map(([name, value]) => hang(`${name.padEnd(width)}  `, value, columns)).join("\n"),
    ...(ask.context === undefined ? [] : [hang("", displayText(ask.context).trim(), columns)]),
    contentText(ask, columns),
    ...(ask.outcome === undefined ? [] : [hang("", endingText(ask), columns)]),
  ];
  return parts.join("\n\n");
}

/** Its questions with their options, or its actions with their arguments. */
export function contentText(ask: Ask, columns: number | undefined): string {
  const { questions, approval } = ask;
  const count = questions.length;
  const texts =
    approval === undefined
      ? questions.map((question, index) => {
          const text = questionText(question, { position: index + 1, count, skippable: false }, columns);
          const picks = picksText(question);
          return picks === undefined ? text : `${text}  (${picks})`;
        })
      : approval.actions.map((action, index) =>
          actionText(action, index + 1, approval.actions.length, columns),
        );
  // Alone, it needs no number.
  return texts.map((text) => text.trim().replace(/^\[1\/1\]\s/, "")).join("\n\n");
}

function factsOf(ask: Ask, now: number): readonly (readonly [string, string])[] {
  const persons = addressees(ask);
  const { session, deadline, createdAt, settledAt } = ask;
  const ended = settledAt === undefined ? "" : `, ${relativeTime(settledAt, now)}`;
  return [
    ["Ask", ask.id],
    ["Status", `${statusLine(ask)}${ended}`],
    ["From", askerName(ask)],
    ...(session === "" ? [] : ([["Session", displayLine(session)]] as const)),
    ...(persons === undefined ? [] : ([["For", persons.map(displayLine).join(", ")]] as const)),
    ...(ask.allowPartial ? ([["Skip", "any question may be left blank"]] as const) : []),
    ["Asked", `${exactTime(createdAt)} (${relativeTime(createdAt, now)})`],
    ...(deadline === undefined || settledAt !== undefined
      ? []
      : ([
          [
            "Deadline",
            `${exactTime(deadline)} (${relativeTime(deadline, now)}), then ${THEN[ask.onDeadline]}`,
          ],
        ] as const)),
  ];
}

const THEN = {
  expire: "it expires",
  recommended: "the recommended options are taken",
  wait: "it goes on waiting",
} satisfies Record<Ask["onDeadline"], string>;

function endingText(ask: Ask): string {
  const { outcome } = ask;
  if (outcome === undefined) return "";
  const text = outcome.kind === "answered" ? formatAnswers(ask, outcome) : describeOutcome(ask, outcome);
  return `--- ${statusLine(ask)} ---\n${displayText(text)}`;
}
