import type { Answer, Ask, Decision, Outcome } from "../../core/index.js";
import { argsText } from "./action-fields.js";
import { type Html, html } from "./html.js";
import { DECIDED, endedByYou, endedTitle, titleOf } from "./words.js";

/** How an ask ended, and what stands; `late` where the person has just tried to end it otherwise. */
export function outcomeView(ask: Ask, outcome: Outcome, person: string, late = false): Html {
  const by = "by" in outcome && outcome.by.kind === "person" ? outcome.by : undefined;
  const own = by?.id === person;
  return html`<section class="notice${(late || !own) && " flat"}" role="status">
<strong>${own && late ? endedByYou(outcome.kind, by.surface) : endedTitle(outcome, person)}</strong>
${!("answers" in outcome && outcome.answers.length === 1) && html`<p class="soft">${titleOf(ask)}</p>`}
${whatStands(ask, outcome)}
</section>`;
}

function whatStands(ask: Ask, outcome: Outcome): Html | undefined {
  switch (outcome.kind) {
    case "answered":
      return html`<dl>${outcome.answers.map((answer) => answerView(ask, answer))}</dl>${said(outcome.note)}`;
    case "decided":
      return html`<dl>${outcome.decisions.map((decision) => decisionView(ask, decision))}</dl>${said(outcome.note)}`;
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
  const labels = selected.map(
    (pick) => question?.options.find((option) => option.id === pick)?.label ?? pick,
  );
  const parts = [...labels, ...(text === undefined ? [] : [`“${text}”`])];
  return html`<dt>${question?.question ?? id}</dt><dd>${skipped ? "—" : parts.join(", ")}${
    note !== undefined &&
    html`
<span class="soft">${note}</span>`
  }</dd>`;
}

function decisionView({ approval }: Ask, decision: Decision): Html {
  const action = approval?.actions.find(({ id }) => id === decision.action);
  return html`<dt>${action?.name ?? decision.action}</dt><dd>${DECIDED[decision.kind]}${decision.kind === "reject" && decision.message !== undefined && `: ${decision.message}`}${decision.kind === "edit" && html`<pre>${argsText(decision.args)}</pre>`}</dd>`;
}

function said(text: string | undefined): Html | undefined {
  return text === undefined ? undefined : html`<p class="said">“${text}”</p>`;
}
