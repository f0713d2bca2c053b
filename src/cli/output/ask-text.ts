import type { Decision } from "../../core/model/approval.js";
import type { Ask } from "../../core/model/ask.js";
import { addressees } from "../../core/model/visibility.js";
import { formatAnswers } from "../../core/text/canonical.js";
import { displayJson, displayLine, displayText } from "../../core/text/display.js";
import { hang } from "../../people/cells/wrap.js";
import { actionText } from "../../people/terminal/ask-action.js";
import { picksText, questionText } from "../../people/terminal/question-text.js";
import { askerName, statusLine } from "./ask-summary.js";
import { exactTime, relativeTime } from "./units.js";

/** Everything a person needs to decide, and how the ask ended. Safe to show. */
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

/** The questions with their options, or the actions with their arguments. */
export function contentText(ask: Ask, columns: number | undefined): string {
  const { questions, approval } = ask;
  const count = questions.length;
  const texts =
    approval === undefined
      ? questions.map((question, index) => {
          const text = questionText(
            question,
            { position: index + 1, count, skippable: false, ids: true },
            columns,
          );
          const picks = picksText(question);
          return picks === undefined ? text : `${text}  (${picks})`;
        })
      : approval.actions.map((action, index) =>
          actionText(action, index + 1, approval.actions.length, columns),
        );
  // A single question needs no number.
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
  wait: "it stays pending",
} satisfies Record<Ask["onDeadline"], string>;

/** The outcome in words for a person; `describeOutcome` is written for a model. */
function endingText(ask: Ask): string {
  const text = outcomeText(ask);
  return `--- ${statusLine(ask)} ---${text === "" ? "" : `\n${displayText(text)}`}`;
}

function outcomeText(ask: Ask): string {
  const { outcome } = ask;
  switch (outcome?.kind) {
    case "answered":
      return formatAnswers(ask, outcome);
    case "decided": {
      const lines = outcome.decisions.map((decision) => {
        const name = ask.approval?.actions.find(({ id }) => id === decision.action)?.name ?? decision.action;
        return `${displayLine(name)}: ${verdictText(decision)}`;
      });
      return [...lines, ...(outcome.note === undefined ? [] : [`Note: ${outcome.note}`])].join("\n");
    }
    case "replied":
      return outcome.text;
    case "declined":
    case "withdrawn":
    case "unavailable":
      return outcome.reason ?? "";
    case "expired":
    case undefined:
      return "";
  }
}

function verdictText(decision: Decision): string {
  switch (decision.kind) {
    case "approve":
      return "approved";
    case "edit":
      return `approved with ${displayJson(JSON.stringify(decision.args))}`;
    case "reject":
      return decision.message === undefined ? "rejected" : `rejected: ${decision.message}`;
  }
}
