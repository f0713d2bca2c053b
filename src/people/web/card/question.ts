// One question: its options with real radio buttons or checkboxes, its text field, its note, and the preview pane.

import { nothing } from "lit/html.js";
import type { Option } from "../../../core/model/option.js";
import type { Question } from "../../../core/model/question.js";
import { displayLabel, displayText } from "../../../core/text/display.js";
import type { Row } from "../../form/rows.js";
import { html, type Part } from "../html.js";
import { fieldPart, issuesPart } from "./fields.js";
import type { Scene } from "./scene.js";

type OptionRow = Extract<Row, { kind: "option" | "text" }>;

export function questionPart(scene: Scene, question: Question): Part {
  const { view, words } = scene;
  const rows = view.rows.filter((row): row is OptionRow => row.kind === "option" || row.kind === "text");
  const [first] = rows;
  const alone = rows.length === 1 && first?.kind === "text" && first.number === undefined;
  const choice = view.issues.filter(({ field }) => field === "choice" && !alone);
  const hint =
    view.picks === undefined
      ? words.chooseOne
      : words.picks(view.picks.min, view.picks.max, view.picks.count);
  const previewed = previewedOption(scene, rows);
  const options = html`<div class="options" part="options" role=${view.picks === undefined ? "radiogroup" : "group"}
    aria-labelledby="title" aria-describedby=${choice.length > 0 ? "hint issue-choice" : "hint"}
    aria-invalid=${choice.length > 0 && view.picks === undefined ? "true" : nothing}
    @pointerleave=${() => scene.hover(undefined)}>
    <p class="hint" id="hint">${hint}</p>
    ${issuesPart(scene, choice, "issue-choice")}
    ${rows.map((row) => optionPart(scene, question, row))}
  </div>`;
  return html`${
    alone && first?.kind === "text"
      ? fieldPart(scene, first, { label: words.answer, hideLabel: true, describedBy: "title" })
      : html`<div class=${previewed === undefined ? "choice" : "choice previewed"}>
          ${options}${previewed !== undefined && previewPart(scene, previewed)}
        </div>`
  }${notesPart(scene)}${skipPart(scene)}`;
}

function optionPart(scene: Scene, question: Question, row: OptionRow): Part {
  const { words, view } = scene;
  const multi = view.picks !== undefined;
  const { option, key } = row;
  const label = option === undefined ? scene.language.freeText.label : labelOf(option, question.options);
  const details =
    option === undefined
      ? row.kind === "text" && !row.picked
        ? scene.language.freeText.description
        : undefined
      : option.description;
  const id = `row-${key}`;
  const locked = view.phase !== "open" || row.disabled;
  const number = row.number !== undefined && row.number < 10 ? row.number : undefined;
  const events = () => [{ type: multi ? ("toggle" as const) : ("pick" as const), row: key }];
  return html`<div class="option" part=${row.picked ? "option picked" : "option"}
    ?data-picked=${row.picked} ?data-disabled=${row.disabled} @pointerenter=${() => scene.hover(key)} @click=${clickAnywhere}>
    <input type=${multi ? "checkbox" : "radio"} name="choice${scene.visit}" id=${id} data-row=${key} .checked=${row.picked} ?disabled=${locked}
      aria-describedby=${details === undefined ? nothing : `about-${key}`} aria-keyshortcuts=${number ?? nothing}
      @click=${scene.click(events, scene.state.answerOnPick && !multi && row.kind === "option")}>
    <div class="said">
      <label for=${id}><bdi>${label}</bdi>${row.recommended && html` <span class="badge" part="badge">${words.recommended}</span>`}</label>
      ${details !== undefined && html`<p class="about" id="about-${key}" dir="auto">${displayText(details)}</p>`}
      ${
        row.kind === "text" && (row.picked || row.typing || row.value !== "")
          ? fieldPart(scene, row, { label: words.ownAnswer, hideLabel: true })
          : undefined
      }
    </div>
    ${number !== undefined && html`<kbd aria-hidden="true">${number}</kbd>`}
  </div>`;
}

/** The whole of an option is its target; its label, its text field and links in it are their own. */
function clickAnywhere(event: Event): void {
  const option = event.currentTarget as HTMLElement;
  if (event.target instanceof Element && event.target.closest("label, input, .field") !== null) return;
  option.querySelector("input")?.click();
}

/** The badge says it already. */
function labelOf(option: Option, options: readonly Option[]): string {
  const label = displayLabel(option, options);
  const short = option.recommended ? label.replace(/\s*\(recommended\)\s*$/i, "") : label;
  return short === "" ? label : short;
}

/** Under the pointer, else under the cursor, else picked, else the first that has one. */
function previewedOption({ hovered, state }: Scene, rows: readonly OptionRow[]): Option | undefined {
  const withPreview = rows.filter(({ option }) => option?.preview !== undefined);
  const row =
    withPreview.find(({ key }) => key === hovered) ??
    withPreview.find(({ key }) => key === state.cursor) ??
    withPreview.find(({ picked }) => picked) ??
    withPreview[0];
  return row?.option;
}

function previewPart(scene: Scene, option: Option): Part {
  const { preview } = option;
  if (preview === undefined) return undefined;
  const title = scene.words.preview(labelOf(option, [option]));
  return html`<section class="preview" part="preview" role="region" aria-label=${title} tabindex="0">
    <p class="caption" aria-hidden="true"><bdi>${title}</bdi></p>
    ${scene.preview(preview.content, preview.format, title)}
  </section>`;
}

/** The note of a question and the overall one: a field once it is wanted. */
export function notesPart(scene: Scene): Part {
  const { view, words } = scene;
  return view.rows.map((row) => {
    if (row.kind !== "field" || (row.field !== "note" && row.field !== "overall")) return undefined;
    const label = row.field === "note" ? words.note : words.overall;
    if (row.value !== "" || row.typing) return fieldPart(scene, row, { label });
    // Not a row by itself: the focus that comes here opens nothing yet.
    return html`<button type="button" class="link" ?disabled=${view.phase !== "open"}
      @click=${scene.click(() => [{ type: "focus", row: row.key }])}>${words.addNote}</button>`;
  });
}

function skipPart(scene: Scene): Part {
  const row = scene.view.rows.find((one) => one.kind === "command" && one.command === "skip");
  if (row?.kind !== "command") return undefined;
  return html`<button type="button" class="link" data-row="skip" aria-pressed=${row.picked ? "true" : "false"}
    ?disabled=${scene.view.phase !== "open"} @click=${scene.click(() => [{ type: "pick", row: "skip" }])}>${scene.words.skip}</button>`;
}
