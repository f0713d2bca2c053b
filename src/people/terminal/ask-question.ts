import { isBlank } from "../../core/kit/fold.js";
import type { SubmittedAnswer } from "../../core/model/ending.js";
import type { Answer } from "../../core/model/outcome.js";
import type { Question } from "../../core/model/question.js";
import { validateAnswers } from "../../core/rules/validate-answers.js";
import type { Dialogue } from "./dialogue.js";
import { type QuestionPlace, questionPrompt, questionText } from "./question-text.js";
import { numberedOptions, parseSelection } from "./selection.js";

/** The result of one prompt: a value, or why the whole ask ends here. */
export type PromptResult<T> =
  | { readonly kind: "value"; readonly value: T }
  | { readonly kind: "cancelled" | "end" | "aborted" };

/** Asks one question until the answer is valid. A blank line cancels. */
export async function askQuestion(
  dialogue: Dialogue,
  question: Question,
  place: QuestionPlace,
): Promise<PromptResult<Answer>> {
  dialogue.say(questionText(question, place, dialogue.columns));
  for (;;) {
    const reply =
      numberedOptions(question).length === 0
        ? await readText(dialogue, question, place.skippable)
        : await readSelection(dialogue, question, place.skippable);
    if (reply.kind === "again") continue;
    if (reply.kind !== "value") return reply;
    const checked = validateAnswers({ questions: [question] }, [reply.value], { partial: place.skippable });
    const answer = checked.ok ? checked.answers[0] : undefined;
    if (answer !== undefined) return { kind: "value", value: answer };
    if (!checked.ok) dialogue.explain(checked.issues.map(({ message }) => message).join("\n"));
  }
}

type Reply = PromptResult<SubmittedAnswer> | { readonly kind: "again" };

async function readSelection(dialogue: Dialogue, question: Question, skippable: boolean): Promise<Reply> {
  const line = await dialogue.ask(questionPrompt(question));
  if (line.kind !== "line") return line;
  const selection = parseSelection(line.text, question, skippable);
  switch (selection.kind) {
    case "blank":
      return { kind: "cancelled" };
    case "skip":
      return skipped(question);
    case "problem":
      dialogue.explain(selection.message);
      return { kind: "again" };
    case "picked": {
      const selected = selection.picks.map(({ id }) => id);
      if (!selection.wantsText) {
        const { text } = selection;
        return {
          kind: "value",
          value: { question: question.id, selected, ...(text !== undefined && { text }) },
        };
      }
      const typed = await dialogue.askText("  other: ");
      if (typed.kind !== "line") return typed;
      const text = typed.text.trim();
      if (isBlank(text)) return { kind: "cancelled" };
      return { kind: "value", value: { question: question.id, selected, text } };
    }
  }
}

async function readText(dialogue: Dialogue, question: Question, skippable: boolean): Promise<Reply> {
  const line = await dialogue.askText(questionPrompt(question));
  if (line.kind !== "line") return line;
  const text = line.text.trim();
  if (isBlank(text)) return { kind: "cancelled" };
  // A single letter may be a real answer here, so skipping needs a word that is unlikely to be one.
  if (skippable && text.toLowerCase() === "/skip") return skipped(question);
  return { kind: "value", value: { question: question.id, text } };
}

function skipped(question: Question): Reply {
  return { kind: "value", value: { question: question.id, skipped: true } };
}
