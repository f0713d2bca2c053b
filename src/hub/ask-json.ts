import type { Ask, Question } from "../core/index.js";

// Questions are most of an ask, and their text is needed twice: for the hash of what is asked, and for the row.
const texts = new WeakMap<readonly Question[], string>();

/** `JSON.stringify` of questions. Of frozen ones it is made once. */
export function questionsJson(questions: readonly Question[]): string {
  const known = texts.get(questions);
  if (known !== undefined) return known;
  const text = JSON.stringify(questions);
  if (Object.isFrozen(questions)) texts.set(questions, text);
  return text;
}

/** The ask as JSON. */
export function askJson(ask: Ask): string {
  const rest = JSON.stringify({ ...ask, questions: undefined });
  return `{"questions":${questionsJson(ask.questions)},${rest.slice(1)}`;
}
