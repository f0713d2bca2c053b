// What a person sees after the questions or instead of them: the review, the two panels, and what was replaced.

import { displayText } from "../../../core/text/display.js";
import { panelWords } from "../../../core/words/basics.js";
import { stepsOf } from "../../form/state.js";
import { html, type Part } from "../html.js";
import { answerPart } from "./answer.js";
import { fieldPart, issuesPart } from "./fields.js";
import { notesPart } from "./question.js";
import type { Scene } from "./scene.js";
import { chipsPart, commandsPart } from "./steps.js";

export { styles } from "./settled.css";

/** The review, or an open panel. */
export function panelPart(scene: Scene): Part {
  const { view, words } = scene;
  if (view.panel === "steps") {
    return html`${chipsPart(scene)}<h2 id="title" part="title" tabindex="-1">${words.reviewTitle}</h2>
      ${reviewPart(scene)}${notesPart(scene)}${commandsPart(scene)}`;
  }
  const { title, field: label } = panelWords(words)[view.panel];
  const row = view.rows.find((one) => one.kind === "field");
  return html`<h2 id="title" part="title" tabindex="-1">${title}</h2>
    ${row?.kind === "field" ? fieldPart(scene, row, { label }) : undefined}
    ${commandsPart(scene)}`;
}

function reviewPart(scene: Scene): Part {
  const { view, words, state } = scene;
  return html`${issuesPart(
    scene,
    view.issues.filter(({ field }) => field === "choice"),
    "issue-choice",
  )}
  <ul class="review" part="review">${view.rows.map((row) => {
    if (row.kind !== "step") return undefined;
    const step = stepsOf(state.ask)[row.step];
    if (step?.kind !== "question") return undefined;
    const { question } = step;
    return html`<li data-mark=${row.mark}><div class="said">
        <p class="asked" dir="auto">${displayText(question.question)}</p>${answerPart(scene, question, row.answer)}
      </div>
      <button type="button" class="link" data-row=${row.key} ?disabled=${view.phase !== "open"}
        @click=${scene.click(() => [{ type: "go", step: row.step }])}><span aria-hidden="true">${words.change("").replace(/[:\s]+$/, "")}</span><span class="unseen">${words.change(displayText(question.header ?? question.question))}</span></button></li>`;
  })}</ul>`;
}

/** What was typed here and replaced from another device. */
export function keptPart(scene: Scene): Part {
  const { view, words } = scene;
  return view.kept.map(({ index, part }) => {
    const text = [
      "text" in part ? part.text : "",
      "note" in part ? part.note : "",
      "args" in part ? part.args : "",
      "message" in part ? part.message : "",
    ].filter((one) => one !== "");
    return html`<div class="notice"><p>${words.replaced}</p>${text.map((one) => html`<p class="typed" dir="auto">${displayText(one)}</p>`)}
      <button type="button" class="plain" @click=${scene.click(() => [{ type: "recall", kept: index }])}>${words.takeBack}</button>
      <button type="button" class="link" @click=${scene.click(() => [{ type: "forget", kept: index }])}>${words.forget}</button></div>`;
  });
}
