// The text that a model reads. Typed text and labels are JSON strings on one line, each after a word of ours, so that
// nothing a person types can imitate another question, another answer or a marker.

import type { Action, Decision } from "../model/approval.js";
import type { AskContent } from "../model/ask.js";
import type { Answer, Answerer, Outcome } from "../model/outcome.js";
import type { Question } from "../model/question.js";
import { quote } from "./quote.js";

/**
 * How an ask ended, as text for a model. Each kind of outcome has its own wording, and only `answered` says that
 * someone answered.
 *
 * @example
 * describeOutcome(ask, { kind: "expired" });
 * // "No one responded before the deadline. Do not assume approval or refusal."
 */
export function describeOutcome(ask: AskContent, outcome: Outcome): string {
  switch (outcome.kind) {
    case "answered":
      return [
        `${endedBy(outcome.by, "answered")}:`,
        ...ask.questions.flatMap((question, index) =>
          describeAnswer(
            question,
            index,
            outcome.answers.find((answer) => answer.question === question.id),
          ),
        ),
        ...noteLine(outcome.note),
      ].join("\n");
    case "decided":
      return [
        `${endedBy(outcome.by, "decided")}:`,
        ...(ask.approval?.actions ?? []).map((action, index) =>
          describeDecision(
            action,
            index,
            outcome.decisions.find((decision) => decision.action === action.id),
          ),
        ),
        ...noteLine(outcome.note),
      ].join("\n");
    case "declined":
      return `The person declined to answer${reported(outcome.by)}.${because("Their reason", outcome.reason)} Do not assume an answer.`;
    case "replied":
      return `The person did not choose an answer${reported(outcome.by)}. They wrote this instead: ${quote(outcome.text)}`;
    case "expired":
      return "No one responded before the deadline. Do not assume approval or refusal.";
    case "withdrawn":
      return `The request was withdrawn before anyone responded.${because("Reason", outcome.reason)}`;
    case "unavailable":
      return `No one could be reached.${because("Reason", outcome.reason)} Continue without an answer, or ask again later.`;
  }
}

function endedBy(by: Answerer, verb: "answered" | "decided"): string {
  if (by.kind === "person") return `The person ${verb}${reported(by)}`;
  return `${describePolicy(by)} ${verb}; no person did`;
}

/** The policy that ended an ask, with its rule, for a model. */
export function describePolicy({
  name,
  rule,
  madeBy,
}: Extract<Answerer, { readonly kind: "policy" }>): string {
  const parts = [
    ...(rule === undefined ? [] : [`rule ${quote(rule)}`]),
    ...(madeBy === undefined ? [] : [`made by ${quote(madeBy)}`]),
  ];
  return `The policy ${quote(name)}${parts.length === 0 ? "" : ` (${parts.join(", ")})`}`;
}

function reported(by: Answerer): string {
  return by.kind === "person" && by.via !== undefined ? ` (reported by ${quote(by.via)})` : "";
}

function describeAnswer(question: Question, index: number, answer: Answer | undefined): readonly string[] {
  const labels = question.options.filter(({ id }) => answer?.selected.includes(id)).map(({ label }) => label);
  const lines = [
    ...labels.map((label) => `chose: ${quote(label)}`),
    ...(answer?.text === undefined ? [] : [`typed: ${quote(answer.text)}`]),
  ];
  return [
    `${index + 1}. ${quote(question.question)}`,
    ...(lines.length === 0 ? ["skipped"] : lines).map(indent),
    ...(answer?.note === undefined ? [] : [indent(`note: ${quote(answer.note)}`)]),
  ];
}

function describeDecision(action: Action, index: number, decision: Decision | undefined): string {
  const verdict = decision === undefined ? "not decided" : describeVerdict(decision);
  return `${index + 1}. ${quote(action.name)}: ${verdict}`;
}

function describeVerdict(decision: Decision): string {
  switch (decision.kind) {
    case "approve":
      return "approved as proposed";
    case "edit":
      return `approved with these arguments instead: ${quote(decision.args)}`;
    case "reject":
      return `rejected${decision.message === undefined ? "" : `, saying: ${quote(decision.message)}`}`;
  }
}

function noteLine(note: string | undefined): readonly string[] {
  return note === undefined ? [] : [`overall note: ${quote(note)}`];
}

function because(word: string, reason: string | undefined): string {
  return reason === undefined ? "" : ` ${word}: ${quote(reason)}.`;
}

function indent(line: string): string {
  return `   ${line}`;
}
