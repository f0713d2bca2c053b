import type { Ask, Question } from "../core/index.js";

// Questions are most of an ask, and their text is needed twice in a row: for the hash of what is asked, and for
// the row. Only frozen ones are remembered.
let last: { readonly questions: readonly Question[]; readonly text: string } | undefined;

/** `JSON.stringify` of questions. */
export function questionsJson(questions: readonly Question[]): string {
  if (last?.questions === questions) return last.text;
  const text = JSON.stringify(questions);
  if (Object.isFrozen(questions)) last = { questions, text };
  return text;
}

/** The ask as JSON. */
export function askJson(ask: Ask): string {
  const rest = JSON.stringify({ ...ask, questions: undefined });
  return `{"questions":${questionsJson(ask.questions)},${rest.slice(1)}`;
}
