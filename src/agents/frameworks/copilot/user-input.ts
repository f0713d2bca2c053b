// The tool `ask_user` of Copilot: one question, with choices or without, and one text as its answer.

import { LIMITS } from "../../../core/kit/limits.js";
import type { AskInput } from "../../../core/model/ask.js";
import type { Outcome } from "../../../core/model/outcome.js";
import { parseAsk } from "../../../core/rules/parse-ask.js";
import { describeOutcome } from "../../../core/text/describe-outcome.js";
import { writtenWords } from "../../../core/text/written-words.js";

export interface UserInputRequest {
  readonly question: string;
  readonly choices?: readonly string[] | undefined;
  readonly allowFreeform?: boolean | undefined;
}

export interface UserInputResponse {
  answer: string;
  wasFreeform: boolean;
}

type QuestionContent = Pick<AskInput, "questions" | "context">;

export function inputContent({ question, choices = [], allowFreeform }: UserInputRequest): QuestionContent {
  const fits = question.length <= LIMITS.questionLength && question.trim() !== "";
  const text = fits ? question : "The agent asks you something.";
  const whole = fits ? [] : [question];
  const offered = {
    questions: [
      {
        question: text,
        options: choices.map((label, index) => ({ id: optionId(index), label })),
        freeText: allowFreeform !== false || choices.length === 0,
      },
    ],
    context: contextOf(whole),
  };
  if (parseAsk(offered).ok) return offered;
  // Choices that cannot be offered, such as a hundred, or two that look alike: the person types one of them.
  return {
    questions: [{ question: text, options: [] }],
    context: contextOf([...whole, choices.map((choice) => `- ${choice}`).join("\n")]),
  };
}

function contextOf(parts: readonly string[]): string | undefined {
  return parts.filter((part) => part.trim() !== "").join("\n\n") || undefined;
}

function optionId(index: number): string {
  return `o${index + 1}`;
}

/** An ending without an answer is described: the SDK has no other way to say it. */
export function inputAnswer(
  { choices = [] }: UserInputRequest,
  content: QuestionContent,
  outcome: Outcome,
): UserInputResponse {
  if (outcome.kind !== "answered") {
    const parsed = parseAsk(content);
    const answer = parsed.ok ? describeOutcome(parsed.ask, outcome) : outcome.kind;
    return { answer, wasFreeform: true };
  }
  const [given] = outcome.answers;
  const chosen = choices.find((_choice, index) => given?.selected.includes(optionId(index)));
  const words = writtenWords(outcome);
  const answer = [chosen, given?.text, words].filter((text) => text !== undefined).join("\n");
  return { answer, wasFreeform: !choices.includes(answer) };
}
