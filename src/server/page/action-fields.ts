import { type Action, type DecisionKind, displayJson, type JsonObject } from "../../core/index.js";
import { FIELD, type FormState } from "./form-values.js";
import { type Html, html, typed } from "./html.js";
import { WORDS } from "./words.js";

/** One action of an approval, with what may be decided about it. */
export function actionFields(
  action: Action,
  index: number,
  { values, issues }: FormState,
  prefix: string,
): Html {
  const own = `${prefix}-${index}`;
  const wrong = issues.get(index) ?? [];
  const { id, name, description, args, allow } = action;
  const chosen = values.get(FIELD.kind(id));
  const option = (kind: DecisionKind, label: string, more?: Html): Html | false =>
    allow.includes(kind) &&
    html`<div class="option">
<input type="radio" id="${own}-${kind}" name="${FIELD.kind(id)}" value="${kind}"${chosen === kind && html` checked`}>
<label for="${own}-${kind}">${label}</label>${more !== undefined && html`<div class="more">${more}</div>`}
</div>`;
  return html`<fieldset id="${own}"${wrong.length > 0 && html` aria-describedby="${own}-issue"`}>
<legend>${name}</legend>
${wrong.length > 0 && html`<p class="issue" id="${own}-issue">${wrong.join(" ")}</p>`}
${description !== undefined && html`<p class="said">${description}</p>`}
<div class="soft">${WORDS.args}</div>
<pre tabindex="0">${argsText(args)}</pre>
${option("approve", WORDS.approve)}
${option("edit", WORDS.edit, changedArgs(action, own, values))}
${option("reject", WORDS.reject, reason(action, own, values))}
</fieldset>`;
}

function changedArgs({ id, args }: Action, own: string, values: URLSearchParams): Html {
  const text = values.get(FIELD.args(id)) ?? argsText(args);
  const rows = Math.min(12, text.split("\n").length + 1);
  return html`<label class="field" for="${own}-args">${WORDS.changedArgs}</label>
<textarea class="code" id="${own}-args" name="${FIELD.args(id)}" rows="${rows}" spellcheck="false">
${typed(text)}</textarea>`;
}

function reason({ id }: Action, own: string, values: URLSearchParams): Html {
  return html`<label class="field" for="${own}-message">${WORDS.rejectReason}</label>
<input type="text" id="${own}-message" name="${FIELD.message(id)}" value="${typed(values.get(FIELD.message(id)) ?? "")}">`;
}

/**
 * The arguments as JSON that a person can read, and that gives the same arguments when sent back: what is shown as a
 * replacement character would be sent back as one.
 */
export function argsText(args: JsonObject): string {
  return displayJson(JSON.stringify(args, null, 2));
}
