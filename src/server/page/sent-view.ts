// What a person sent and nobody took. It is theirs: to read, to copy and, where that may help, to send again.

import type { Action, Ask, Question } from "../../core/index.js";
import { FIELD, fieldId, SKIP, textIn } from "./form-values.js";
import { type Html, html, typed } from "./html.js";
import { DECIDED, WORDS } from "./words.js";

/** What was sent, by the questions or actions of its ask. */
export function sentView({ questions, approval }: Ask, values: URLSearchParams): Html | undefined {
  const entries = [
    ...questions.map((question) => entry(question.question, answerParts(question, values))),
    ...(approval?.actions ?? []).map((action) => entry(action.name, decisionParts(action, values))),
    entry(WORDS.note, [textIn(values, "note")].flatMap(written)),
    entry(WORDS.sentReply, [textIn(values, "text")].flatMap(written)),
    entry(WORDS.sentReason, [textIn(values, "reason")].flatMap(written)),
  ].filter((found) => found !== undefined);
  if (entries.length === 0) return undefined;
  return html`<section class="card"><h2>${WORDS.youSent}</h2><dl>${entries}</dl></section>`;
}

function entry(about: string, parts: readonly Html[]): Html | undefined {
  return parts.length === 0
    ? undefined
    : html`<dt>${about}</dt>${parts.map((part) => html`<dd>${part}</dd>`)}`;
}

function answerParts({ id, options }: Question, values: URLSearchParams): readonly Html[] {
  const picks = values.getAll(FIELD.pick(id));
  return [
    ...options
      .filter((option) => !option.input && picks.includes(fieldId(option.id)))
      .map(({ label }) => html`${label}`),
    ...(picks.includes(SKIP) ? [html`${WORDS.skip}`] : []),
    ...[FIELD.text(id), FIELD.note(id)].map((name) => textIn(values, name)).flatMap(written),
  ];
}

function decisionParts({ id }: Action, values: URLSearchParams): readonly Html[] {
  const kind = values.get(FIELD.kind(id));
  const word = Object.entries(DECIDED).find(([name]) => name === kind)?.[1];
  return [
    ...(word === undefined ? [] : [html`${word}`]),
    ...[
      kind === "edit" ? textIn(values, FIELD.args(id)) : undefined,
      textIn(values, FIELD.message(id)),
    ].flatMap(written),
  ];
}

function written(text: string | undefined): readonly Html[] {
  return text === undefined ? [] : [html`“${typed(text)}”`];
}
