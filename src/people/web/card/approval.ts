// Actions to approve: all of them at once, with everything that they would be run with.

import { nothing } from "lit/html.js";
import { isBlank } from "../../../core/kit/fold.js";
import type { Action } from "../../../core/model/approval.js";
import { projectOf } from "../../../core/model/folder.js";
import { isRuleDuration, wordingOf } from "../../../core/rules/remembering.js";
import { displayLine, displayText } from "../../../core/text/display.js";
import { APPROVAL_LANGUAGES } from "../../../core/words/approval.js";
import type { FormEvent } from "../../form/event.js";
import type { Row } from "../../form/rows.js";
import { remembersOf, stepsOf } from "../../form/state.js";
import { type StepView, viewStep } from "../../form/view.js";
import { html, type Part } from "../html.js";
import { argumentsPart, marked } from "./arguments.js";
import { fieldPart, issuesPart } from "./fields.js";
import { notesPart } from "./question.js";
import type { Scene } from "./scene.js";
import { commandsPart } from "./steps.js";

export { styles } from "./approval.css";
export { argumentsPart } from "./arguments.js";
export { createReading } from "./reading.js";

export function approvalPart(scene: Scene): Part {
  const { state, view } = scene;
  const own = APPROVAL_LANGUAGES[scene.language.code];
  const actions = state.ask.approval?.actions ?? [];
  const [sole] = actions.length === 1 ? actions : [];
  const title = html`<h2 id="title" part="title" tabindex="-1">${own.approvalTitle(actions.length)}</h2>`;
  if (sole !== undefined) {
    return html`${title}
      <article class="action sole" part="action" aria-labelledby="name-${sole.id}">${actionPart(scene, sole)}${soleDecision(scene, sole)}</article>
      ${notesPart(scene)}${commandsPart(scene, false)}${unreadPart(scene, actions)}`;
  }
  // The review has the overall note and the commands; the actions are the review.
  const last = viewStep(state, stepsOf(state.ask).length - 1);
  const whole: Scene = { ...scene, view: { ...view, ...last, chips: [] } };
  return html`${title}
    <ol class="actions">${actions.map(
      (action, index) => html`<li><article class="action" part="action" aria-labelledby="name-${action.id}">
        <p class="caption">${own.actionOf(index + 1, actions.length)}</p>
        ${actionPart(scene, action)}${decisionPart(scene, action, viewStep(state, index))}</article></li>`,
    )}</ol>
    ${notesPart(whole)}${commandsPart(whole)}${unreadPart(scene, actions)}`;
}

/** What has to be on the screen before it can be approved, and a way there. Below the buttons, which it must not move. */
function unreadPart({ view, reading, language }: Scene, actions: readonly Action[]): Part {
  const left = actions.filter(({ id }) => reading?.unread.includes(id));
  if (left.length === 0 || view.phase !== "open") return undefined;
  const words = APPROVAL_LANGUAGES[language.code];
  return html`<p class="unread" part="unread"><span id="unread">${words.unread} <bdi>${left.map(({ name }) => displayLine(name)).join(", ")}</bdi></span>
    <button type="button" class="link" @click=${() => reading?.show(left)}>${words.showRest}</button></p>`;
}

/** The name, the description and the arguments of an action. */
export function actionPart(scene: Scene, { id, name, description, args }: Action): Part {
  return html`<div data-read="0/${id}"><h3 class="name" id="name-${id}" part="action-name"><bdi dir="ltr">${marked(name)}</bdi></h3>
    ${description !== undefined && html`<p class="about" dir="auto">${displayText(description)}</p>`}
    ${argumentsPart(scene, args)}</div>`;
}

type Field = Extract<Row, { kind: "field" }>;

/** One action: approving and rejecting are one tap each. */
function soleDecision(scene: Scene, action: Action): Part {
  const { view, words, state } = scene;
  const own = APPROVAL_LANGUAGES[scene.language.code];
  const open = view.phase === "open";
  const { id, allow } = action;
  const decided = view.rows.find((row) => row.kind === "decision" && row.picked);
  const picked = decided?.kind === "decision" ? decided.decision : undefined;
  const field = (key: string): Field | undefined =>
    view.rows.find((row): row is Field => row.kind === "field" && row.key === key);
  const [args, message] = [field("args"), field("message")];
  const has = (kind: Action["allow"][number]): boolean => allow.includes(kind);
  // A typed reason that approving would leave unsent is pointed out first.
  const leavesReason = message !== undefined && !isBlank(message.value) && picked !== "approve";
  // While arguments are changed, for how long the decision counts is not on screen: then it counts once.
  const once: readonly FormEvent[] = picked === "edit" ? [{ type: "remember", remember: "" }] : [];
  const approve = (): readonly FormEvent[] =>
    leavesReason ? [{ type: "approve", id }] : [...once, { type: "approve", id }, { type: "submit" }];
  const button = (
    key: string,
    text: string,
    look: string,
    events: () => readonly FormEvent[],
    sends = true,
  ): Part =>
    html`<button type="button" class=${look} part="button ${key}" data-row=${key} data-id=${id} aria-describedby=${key === "reject" || !scene.reading?.unread.includes(id) ? nothing : "unread"} ?disabled=${!open}
      ?data-picked=${picked === key} @click=${scene.click(events, sends)}>${text}</button>`;
  const sending = view.phase === "sending";
  return html`${issuesPart(
    scene,
    view.issues.filter((issue) => issue.field === "choice"),
    "issue-choice",
  )}
    ${[args, message].map((row) => row && ownFieldPart(scene, row, id))}
    <div class="decisions" part="decisions" role="group" aria-labelledby="name-${id}">
      ${has("approve") && button("approve", sending && picked === "approve" ? words.sending : words.approve, picked === "edit" ? "plain" : "primary", approve)}
      ${has("edit") && args !== undefined && button("edit", sending && picked === "edit" ? words.sending : words.edit, "primary", () => [...(state.typing || picked !== "edit" ? [{ type: "edit", id } as const] : []), { type: "submit" }])}
      ${has("reject") && button("reject", sending && picked === "reject" ? words.sending : words.reject, "plain danger", () => [{ type: "reject", id }, { type: "submit" }])}
      ${rememberPart(scene, id, picked === "edit")}
      <span class="room"></span>
      ${has("edit") && args === undefined && button("edit", own.editArguments, "link", () => [{ type: "edit", id }], false)}
      ${args !== undefined && button("undo", own.undoChanges, "link", () => [{ type: "clear", field: "args", id }], false)}
      ${has("reject") && message === undefined && button("message", own.rejectWithReason, "link", () => [{ type: "reject", id }], false)}
    </div>`;
}

/** A field of one action. Above the one of changed arguments is all that came from elsewhere: a field scrolls. */
function ownFieldPart(scene: Scene, row: Field, id: string): Part {
  const code = row.key === "args";
  const { text, name } = (code && scene.reading?.arrived.get(id)) || {};
  return html`${text && html`<div class="field"><p class="caption">${scene.words.edit}</p><pre class="command" dir="ltr" data-read=${name}>${marked(text)}</pre></div>`}
    ${fieldPart(scene, row, { label: code ? scene.words.args : scene.words.message, id, code })}`;
}

/** For how long the decision counts. An edit is for only this time, which is said if something else was chosen. */
function rememberPart({ state, view, language, send }: Scene, id: string, isEdit: boolean): Part {
  const choices = remembersOf(state);
  if (choices.length === 0) return undefined;
  const words = APPROVAL_LANGUAGES[language.code];
  const part = state.parts.find((one) => one.kind === "decision" && one.id === id);
  const chosen = part?.kind === "decision" ? part.remember : "";
  if (isEdit)
    return choices.includes(chosen) && html`<p class="hint">${words.remember}: ${words.notWithChanges}</p>`;
  const option = (value: string, text: string): Part =>
    html`<option value=${value} .selected=${value === chosen}>${text}</option>`;
  const [action] = state.ask.approval?.actions ?? [];
  const rules = action?.rules ?? [];
  const ours = choices.filter(isRuleDuration);
  const folder = projectOf(state.ask);
  const uncompared = (action && wordingOf(state.ask, action)) ?? [];
  return html`<select class="remember" part="remember" data-row="remember" data-id=${id} aria-label=${words.remember} ?disabled=${view.phase !== "open"}
    @change=${(event: Event) => {
      send({ type: "remember", remember: (event.currentTarget as HTMLSelectElement).value });
    }}>
      ${option("", words.remembers.once)}${ours.map((choice) => option(choice, words.remembers[choice]))}
      ${rules.length > 0 && html`<optgroup label=${words.agentRules}>${rules.map((rule) => option(rule, displayLine(rule)))}</optgroup>`}
    </select>${ours.some((choice) => choice === chosen) && html`<p class="hint">${[words.exactly(folder && displayLine(folder)), ...(uncompared.length === 0 ? [] : [words.notCompared(uncompared.join(", "))])].join("; ")}</p>`}`;
}

/** One of several actions: decided here, sent together. */
function decisionPart(scene: Scene, { id, name }: Action, { rows, issues }: StepView): Part {
  const { words, view } = scene;
  const open = view.phase === "open";
  const choice = issues.filter((issue) => issue.field === "choice");
  return html`<div class="segments" role="radiogroup" aria-label=${APPROVAL_LANGUAGES[scene.language.code].decisionFor(displayText(name))} aria-describedby="issue-${id}">${rows.map(
    (row) =>
      row.kind === "decision"
        ? html`<span class="segment ${row.decision}" ?data-picked=${row.picked}><input type="radio" name="decision-${id}-${scene.visit}" id="${row.key}-${id}" data-row=${row.key} data-id=${id}
        .checked=${row.picked} ?disabled=${!open} @click=${scene.click(() => [{ type: row.decision, id }])}><label for="${row.key}-${id}">${words[row.decision]}</label></span>`
        : undefined,
  )}</div>
  ${rows.map((row) => {
    if (row.kind !== "field" || row.key === "overall") return undefined;
    return ownFieldPart(scene, row, id);
  })}
  ${issuesPart(scene, choice, `issue-${id}`)}`;
}
