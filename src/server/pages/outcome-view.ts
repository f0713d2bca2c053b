import {
  type Action,
  type Answer,
  type Ask,
  type Decision,
  displayLabel,
  type Outcome,
  type Question,
} from "../../core/index.js";
import type { PageWords } from "../../words/index.js";
import { argsText } from "./fields.js";
import { FIELD, fieldId, SKIP, textIn } from "./form-values.js";
import { type Html, html, typed } from "./html.js";
import { argumentsView, markdownOf } from "./rich-text.js";
import { endedTitle, surfaceOf, titleOf } from "./words.js";

/** The outcome of an ask; `late` if the person has just tried to settle it differently. */
export function outcomeView(
  ask: Ask,
  outcome: Outcome,
  person: string,
  words: PageWords,
  late = false,
): Html {
  const by = "by" in outcome && outcome.by.kind === "person" ? outcome.by : undefined;
  const own = by?.id === person;
  return html`<section class="notice${(late || !own) && " flat"}" role="status">
<strong>${own && late ? words.endedByYou(outcome.kind, surfaceOf(by, words)) : endedTitle(outcome, person, words)}</strong>
${!("answers" in outcome && outcome.answers.length === 1) && html`<p class="soft">${titleOf(ask, words)}</p>`}
${whatStands(ask, outcome, words)}
</section>`;
}

function whatStands(ask: Ask, outcome: Outcome, words: PageWords): Html | undefined {
  switch (outcome.kind) {
    case "answered":
      return html`<dl>${outcome.answers.map((answer) => answerView(ask, answer))}</dl>${said(outcome.note)}`;
    case "decided":
      return html`<dl>${outcome.decisions.map((decision) => decisionView(ask, decision, words))}</dl>${said(outcome.note)}`;
    case "replied":
      return said(outcome.text);
    case "declined":
    case "withdrawn":
      return said(outcome.reason);
    case "expired":
    case "unavailable":
      return undefined;
  }
}

function answerView({ questions }: Ask, { question: id, selected, text, note, skipped }: Answer): Html {
  const question = questions.find((candidate) => candidate.id === id);
  const options = question?.options ?? [];
  const labels = selected.map((pick) => {
    const option = options.find((candidate) => candidate.id === pick);
    return option === undefined ? pick : displayLabel(option, options);
  });
  const parts = [...labels, ...(text === undefined ? [] : [`“${text}”`])];
  return html`<dt>${question?.question ?? id}</dt><dd>${skipped ? "—" : parts.join(", ")}${
    note !== undefined &&
    html`
<span class="soft">${note}</span>`
  }</dd>`;
}

const MOST_MARKDOWN = 16_384;

function decisionView(ask: Ask, decision: Decision, words: PageWords): Html {
  const action = ask.approval?.actions.find(({ id }) => id === decision.action);
  return html`<dt>${action?.name ?? decision.action}</dt><dd>${words.decided[decision.kind]}${decision.kind === "reject" && decision.message !== undefined && `: ${decision.message}`}${decision.kind === "edit" && html`<pre>${argsText(decision.args)}</pre>`}${
    decision.kind !== "edit" &&
    action !== undefined &&
    html`<details class="extra"><summary>${words.args}</summary>${argumentsView(action.args, words, markdownOf(ask, MOST_MARKDOWN))}</details>`
  }</dd>`;
}

function said(text: string | undefined): Html | undefined {
  return text === undefined ? undefined : html`<p class="said">“${text}”</p>`;
}

/** What a person sent too late, by question or action, to read and copy. */
export function sentView(
  { questions, approval }: Ask,
  values: URLSearchParams,
  words: PageWords,
): Html | undefined {
  const entries = [
    ...questions.map((question) => entry(question.question, answerParts(question, values, words))),
    ...(approval?.actions ?? []).map((action) => entry(action.name, decisionParts(action, values, words))),
    entry(words.note, [textIn(values, "note")].flatMap(written)),
    entry(words.sentReply, [textIn(values, "text")].flatMap(written)),
    entry(words.sentReason, [textIn(values, "reason")].flatMap(written)),
  ].filter((found) => found !== undefined);
  if (entries.length === 0) return undefined;
  return html`<section class="card"><h2>${words.youSent}</h2><dl>${entries}</dl></section>`;
}

function entry(about: string, parts: readonly Html[]): Html | undefined {
  return parts.length === 0
    ? undefined
    : html`<dt>${about}</dt>${parts.map((part) => html`<dd>${part}</dd>`)}`;
}

function answerParts({ id, options }: Question, values: URLSearchParams, words: PageWords): readonly Html[] {
  const picks = values.getAll(FIELD.pick(id));
  return [
    ...options
      .filter((option) => !option.input && picks.includes(fieldId(option.id)))
      .map((option) => html`${displayLabel(option, options)}`),
    ...(picks.includes(SKIP) ? [html`${words.skip}`] : []),
    ...[FIELD.text(id), FIELD.note(id)].map((name) => textIn(values, name)).flatMap(written),
  ];
}

function decisionParts({ id }: Action, values: URLSearchParams, words: PageWords): readonly Html[] {
  const kind = values.get(FIELD.kind(id));
  const word = Object.entries(words.decided).find(([name]) => name === kind)?.[1];
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
