// What callers get beyond what is stored: the labels of the chosen options beside their ids.

import type { Ask, AskContent, DeliveredAsk } from "./ask.js";
import type { Answer, Choice, DeliveredOutcome, Outcome } from "./outcome.js";
import type { Question } from "./question.js";

/**
 * The outcome with `choices`: its answers in words.
 *
 * @example
 * deliverOutcome(ask, outcome); // { kind: "answered", …, choices: [{ question: "q1", labels: ["OAuth"] }] }
 */
export function deliverOutcome(
  { questions }: Pick<AskContent, "questions">,
  outcome: Outcome,
): DeliveredOutcome {
  if (outcome.kind !== "answered") return outcome;
  const { kind, answers, note, by } = outcome;
  const choices = answers.map((answer) => choiceOf(questions, answer));
  return { kind, answers, choices, ...(note !== undefined && { note }), by };
}

/** The ask with its outcome as {@link deliverOutcome} returns it. */
export function deliverAsk<T extends Ask>(ask: T): T & DeliveredAsk {
  if (ask.outcome?.kind !== "answered") return ask as T & DeliveredAsk;
  return { ...ask, outcome: deliverOutcome(ask, ask.outcome) };
}

function choiceOf(questions: readonly Question[], { question: id, selected, text, note }: Answer): Choice {
  const options = questions.find((question) => question.id === id)?.options ?? [];
  return {
    question: id,
    labels: options.filter((option) => selected.includes(option.id)).map(({ label }) => label),
    ...(text !== undefined && { text }),
    ...(note !== undefined && { note }),
  };
}
