// How an ask ended: each question with its answer, each action with its decision, and who ended it, when.

import type { Decision } from "../../../core/model/approval.js";
import type { Outcome } from "../../../core/model/outcome.js";
import { displayText } from "../../../core/text/display.js";
import { SETTLED_LANGUAGES } from "../../../core/words/settled.js";
import { draftOf } from "../../form/draft.js";
import { html, type Part } from "../html.js";
import { answerPart, notePart } from "./answer.js";
import type * as Approval from "./approval.js";
import type { Scene } from "./scene.js";

export { styles } from "./settled.css";

export function settledPart(
  scene: Scene,
  settledAt: number | undefined,
  approval: typeof Approval | undefined,
): Part {
  const { view, words } = scene;
  if (view.ended === undefined) return undefined;
  const { outcome, ours } = view.ended;
  const good = outcome.kind === "answered" || outcome.kind === "decided" || outcome.kind === "replied";
  return html`<h2 id="title" class=${good ? "ended good" : "ended"} part="title" tabindex="-1">${titleOf(scene, outcome, settledAt)}</h2>
    ${contentPart(scene, outcome, approval)}
    ${!ours && lostPart(scene)}
    ${"note" in outcome && notePart(words.overall, outcome.note)}`;
}

export function titleOf(
  { words, language, person, locale }: Scene,
  outcome: Outcome,
  settledAt: number | undefined,
): string {
  const own = SETTLED_LANGUAGES[language.code];
  const by = "by" in outcome ? outcome.by : undefined;
  const name =
    by === undefined
      ? ""
      : by.kind === "policy"
        ? own.rule(displayText(by.name))
        : by.via === undefined && (by.id === person || by.id === "me")
          ? own.you
          : own.onSurface(displayText(by.id), placeOf(words, by));
  return own.settled(
    words.outcomes[outcome.kind],
    name,
    settledAt === undefined ? "" : timeText(settledAt, locale),
  );
}

/** Where a person answered, and which agent said so if it was not the person at a surface of ours. */
function placeOf(
  words: Scene["words"],
  { surface, via }: { readonly surface: string; readonly via?: string },
): string {
  return displayText(via === undefined ? surface : `${surface}, ${words.reportedBy(via)}`);
}

function timeText(time: number, locale: string): string {
  try {
    return new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" }).format(time);
  } catch {
    return new Date(time).toISOString();
  }
}

function contentPart(scene: Scene, outcome: Outcome, approval: typeof Approval | undefined): Part {
  const { state, words } = scene;
  const { questions, approval: asked } = state.ask;
  const said =
    outcome.kind === "replied"
      ? html`<blockquote class="said-text" dir="auto">${displayText(outcome.text)}</blockquote>`
      : "reason" in outcome && outcome.reason !== undefined
        ? html`<blockquote class="said-text" dir="auto">${displayText(outcome.reason)}</blockquote>`
        : undefined;
  if (asked !== undefined) {
    const decisions = outcome.kind === "decided" ? outcome.decisions : [];
    return html`${said}<ol class="actions">${asked.actions.map((action) => {
      const decision = decisions.find((one) => one.action === action.id);
      return html`<li><article class="action" part="action" aria-labelledby="name-${action.id}">${approval?.actionPart(scene, action)}${decidedPart(scene, decision, approval)}</article></li>`;
    })}</ol>`;
  }
  const answers = outcome.kind === "answered" ? outcome.answers : [];
  return html`${said}<ul class="review resolved" part="review">${questions.map((question) => {
    const answer = answers.find((one) => one.question === question.id);
    return html`<li><div class="said"><p class="asked" dir="auto">${displayText(question.question)}</p>
      ${outcome.kind === "answered" ? answerPart({ words }, question, answer) : undefined}</div></li>`;
  })}</ul>`;
}

function decidedPart(
  scene: Scene,
  decision: Decision | undefined,
  approval: typeof Approval | undefined,
): Part {
  if (decision === undefined) return undefined;
  const { words, language } = scene;
  return html`<p class="decided ${decision.kind}">${SETTLED_LANGUAGES[language.code].decisions[decision.kind]}</p>
    ${decision.kind === "reject" && notePart(words.message, decision.message)}
    ${decision.kind === "edit" && approval?.argumentsPart(scene, decision.args)}`;
}

/** Somebody was faster: what was entered here is not gone without a word. */
function lostPart({ state, language }: Scene): Part {
  const own = SETTLED_LANGUAGES[language.code];
  const { answers, decisions, note, reply, reason } = draftOf(state);
  const texts = [
    ...answers.flatMap(({ text, note: own }) => [text, own]),
    ...decisions.flatMap(({ message }) => [message]),
    note?.text,
    reply?.text,
    reason?.text,
  ].filter((text): text is string => text !== undefined && text.trim() !== "");
  const touched =
    answers.some(({ selected }) => selected.length > 0) || decisions.length > 0 || texts.length > 0;
  if (!touched) return undefined;
  return html`<div class="notice"><p>${own.notYours}</p>
    ${texts.length > 0 && html`<p>${own.yourText}</p>${texts.map((text) => html`<blockquote class="said-text" dir="auto">${displayText(text)}</blockquote>`)}`}</div>`;
}
