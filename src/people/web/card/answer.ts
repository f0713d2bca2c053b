// What was answered, in the review and when an ask has ended.

import type { Answer } from "../../../core/model/outcome.js";
import type { Question } from "../../../core/model/question.js";
import { displayText } from "../../../core/text/display.js";
import { html, type Part } from "../html.js";
import { line } from "./fields.js";
import type { Scene } from "./scene.js";

/** What an answer says: the labels, the text, the note. */
export function answerPart(
  { words }: Pick<Scene, "words">,
  question: Question,
  answer: Answer | undefined,
): Part {
  if (answer === undefined) return html`<p class="answer none">${words.notAnswered}</p>`;
  if (answer.skipped)
    return html`<p class="answer none">${words.skipped}</p>${notePart(words.note, answer.note)}`;
  const labels = answer.selected.map(
    (id) => question.options.find((option) => option.id === id)?.label ?? id,
  );
  return html`${labels.map((label) => html`<p class="answer">${line(label)}</p>`)}
    ${answer.text !== undefined && html`<p class="answer typed" dir="auto">${displayText(answer.text)}</p>`}${notePart(words.note, answer.note)}`;
}

export function notePart(label: string, note: string | undefined): Part {
  if (note === undefined || note === "") return undefined;
  return html`<p class="noted"><span class="caption">${label}</span> <span dir="auto">${displayText(note)}</span></p>`;
}
