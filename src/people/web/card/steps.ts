// What surrounds a question: chips, heading, the review, the two panels, and the commands below.

import { nothing } from "lit/html.js";
import { displayAsker, displayHeader, displayText } from "../../../core/text/display.js";
import { wordsOfIssue } from "../../../core/words/issue-words.js";
import type { FormEvent } from "../../form/event.js";
import type { Command } from "../../form/rows.js";
import { html, type Part } from "../html.js";
import { questionPart } from "./question.js";
import type { Scene } from "./scene.js";

const SIGNS = { done: "✓", skipped: "–", blank: "", open: "", problem: "!" };

/** A question, with the chips of all. */
export function stepsPart(scene: Scene): Part {
  const { view, words } = scene;
  const { step } = view;
  const count = view.progress.total;
  return html`${chipsPart(scene)}
    ${
      step.kind === "question"
        ? html`${count === 1 && step.question.header !== undefined ? html`<p class="chip alone" part="chip" title=${displayText(step.question.header)}><bdi>${displayHeader(step.question.header)}</bdi></p>` : undefined}
          <h2 id="title" part="title" tabindex="-1" dir="auto">${count > 1 && html`<span class="unseen">${words.questionOf(view.chips.findIndex(({ current }) => current) + 1, count)}: </span>`}${displayText(step.question.question)}</h2>
          ${questionPart(scene, step.question)}`
        : undefined
    }
    ${commandsPart(scene)}`;
}

/** What is new, for a screen reader: problems, what has happened, or where the person is now. */
export function newsOf(scene: Scene): string {
  const { view, words, notice, language, saveFailed } = scene;
  if (view.phase === "sending") return words.sending;
  const issues = view.issues.map((issue) => wordsOfIssue(language.issues, issue));
  const news = [
    ...issues,
    view.refused === undefined ? "" : words.refused(view.refused),
    notice,
    saveFailed ? words.notSaved : "",
  ].filter((text) => text !== "");
  if (news.length > 0) return news.join(" ");
  const place = view.chips.findIndex(({ current }) => current);
  if (view.panel !== "steps" || view.step.kind !== "question" || view.progress.total === 1) return "";
  return words.questionOf(place + 1, view.progress.total);
}

/** Who asks, and until when. */
export function headPart(scene: Scene): Part {
  const { ask, words, now, view } = scene;
  const asker = displayAsker(ask);
  const time = view.phase === "settled" ? undefined : timePart(scene, now);
  if (asker === "" && time === undefined) return undefined;
  return html`<header class="head" part="head">${asker !== "" && html`<p class="asker"><bdi>${words.askedBy(asker)}</bdi></p>`}${time}</header>`;
}

function timePart({ ask, words }: Scene, now: number): Part {
  const { deadline } = ask;
  if (deadline === undefined) return undefined;
  if (ask.overdue || deadline <= now) return html`<p class="time late" part="time">${words.overdue}</p>`;
  // Coarse words, so that a screen reader that reads each change is not read to all the time.
  return html`<p class="time" part="time" title=${ask.onDeadline === "recommended" ? words.deadlineRecommended : nothing}>
    <time datetime=${new Date(deadline).toISOString()}>${words.timeLeft(deadline - now)}</time></p>`;
}

export function chipsPart(scene: Scene): Part {
  const { view, words } = scene;
  if (view.chips.length === 1) return undefined;
  return html`<nav class="chips" part="chips" aria-label=${words.steps}><ol>${view.chips.map((chip) => {
    const label =
      chip.kind === "review"
        ? words.review
        : chip.label === undefined
          ? undefined
          : displayHeader(chip.label);
    return html`<li><button type="button" class="chip" part=${chip.current ? "chip current" : "chip"} data-mark=${chip.mark}
      title=${chip.label === undefined ? nothing : displayText(chip.label)} ?disabled=${view.phase !== "open"}
      aria-current=${chip.current ? "step" : nothing} @click=${scene.click(() => [{ type: "go", step: chip.step }])}>
      ${chip.kind === "review" ? undefined : html`<span class="sign" aria-hidden="true">${SIGNS[chip.mark] || chip.step + 1}</span>`}
      <span class=${label === undefined ? "unseen" : "name"}><bdi>${label ?? words.questionOf(chip.step + 1, view.chips.length - 1)}</bdi></span>
      ${chip.kind !== "review" && html`<span class="unseen">, ${words.marks[chip.mark]}</span>`}
    </button></li>`;
  })}</ol></nav>`;
}

/** Next or Send, Back, and the ways out. `submit` is left out where decisions send by themselves. */
export function commandsPart(scene: Scene, submits = true): Part {
  const { view, words, notice, saveFailed } = scene;
  const open = view.phase === "open";
  const has = (command: Command): boolean =>
    view.rows.some((row) => row.kind === "command" && row.command === command);
  const button = (command: Command, text: string, look: string, event: FormEvent = { type: command }): Part =>
    html`<button type="button" class=${look} part=${look === "primary" ? "button primary" : "button"} data-row=${command} ?disabled=${!open}
      @click=${scene.click(() => [event], command === "submit")}>${text}</button>`;
  const inPanel = view.panel !== "steps";
  const send =
    view.phase === "sending" ? words.sending : view.panel === "decline" ? words.decline : words.send;
  const canGoBack = inPanel || view.can.back;
  return html`<div class="messages">
      ${view.refused !== undefined && html`<p class="notice bad">${words.refused(view.refused)}</p>`}
      ${notice !== "" && html`<p class="notice">${notice}</p>`}
      ${saveFailed && html`<p class="notice">${words.notSaved}</p>`}
      ${view.from !== undefined && open && html`<p class="hint">${words.from(displayText(view.from))}</p>`}
    </div>
    ${scene.kept()}
    <div class="commands" part="commands">
      ${submits && has("next") && button("next", words.next, "primary")}
      ${submits && has("submit") && button("submit", send, view.panel === "decline" ? "primary danger" : "primary")}
      ${canGoBack && view.chips.length + Number(inPanel) > 1 && button("back", words.back, "plain")}
      <span class="room"></span>
      ${has("reply") && button("reply", words.reply, "link")}${has("decline") && button("decline", words.decline, "link")}
    </div>`;
}
