import { nothing } from "lit/html.js";
import { displayLine } from "../../../core/text/display.js";
import { wordsOfIssue } from "../../../core/words/issue-words.js";
import type { Row } from "../../form/rows.js";
import type { FormIssue } from "../../form/state.js";
import { html, type Part } from "../html.js";
import type { Scene } from "./scene.js";

export type FieldRow = Extract<Row, { kind: "text" | "field" }>;

export interface FieldLook {
  readonly label: string;
  /** The question or action, where several are shown at once. */
  readonly id?: string;
  readonly hideLabel?: boolean;
  readonly code?: boolean;
  /** Ids of further elements that describe the field. */
  readonly describedBy?: string;
}

/** A text field that grows with its text, with its problems below it. */
export function fieldPart(scene: Scene, row: FieldRow, look: FieldLook): Part {
  const { words } = scene;
  const name = `${look.id ?? ""}-${row.key}`;
  const problems = row.issues.length > 0;
  const described = [problems && `issue${name}`, row.unused && `unused${name}`, look.describedBy]
    .filter(Boolean)
    .join(" ");
  return html`<div class="field" part="field">
    <label for="field${name}" class=${look.hideLabel ? "unseen" : "caption"}>${look.label}</label>
    <textarea id="field${name}" part="input" data-row=${row.key} data-id=${look.id ?? nothing} dir=${look.code ? "ltr" : "auto"} rows="1"
      class=${look.code ? "code" : nothing} spellcheck=${look.code ? "false" : nothing}
      autocapitalize=${look.code ? "off" : nothing}
      .value=${row.value} ?disabled=${scene.view.phase !== "open" || row.disabled}
      aria-invalid=${problems ? "true" : nothing} aria-describedby=${described || nothing}
      @input=${(event: Event) => {
        const area = event.currentTarget as HTMLTextAreaElement;
        scene.send({
          type: "type",
          field: row.field,
          text: area.value,
          id: look.id,
        });
      }}></textarea>
    ${row.unused && html`<p class="hint" id="unused${name}">${words.unused}</p>`}
    ${issuesPart(scene, row.issues, `issue${name}`)}
  </div>`;
}

/** Problems, marked by a sign and announced when they appear. */
export function issuesPart({ language }: Scene, issues: readonly FormIssue[], id: string): Part {
  if (issues.length === 0) return undefined;
  return html`<div class="issues" part="issues" id=${id}>${issues.map(
    (issue) => html`<p>${wordsOfIssue(language.issues, issue)}</p>`,
  )}</div>`;
}

/** Text of a model or a person on one line, isolated from the direction of what stands around it. */
export function line(text: string): Part {
  return html`<bdi>${displayLine(text)}</bdi>`;
}
