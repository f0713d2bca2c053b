import {
  type Action,
  type DecisionKind,
  displayHeader,
  displayJson,
  displayLabel,
  displayLine,
  type JsonObject,
  type Option,
  type Question,
} from "../../core/index.js";
import { APPROVAL_LANGUAGES } from "../../words/approval.js";
import type { PageWords } from "../../words/index.js";
import { FIELD, type FormState, fieldId, OWN_ANSWER, SKIP } from "./form-values.js";
import { type Html, html, typed } from "./html.js";
import { argumentsView, type MarkdownView, previewView } from "./rich-text.js";

/** One question as a group of form fields. `prefix` makes ids unique across the asks of a page. */
export function questionFields(
  question: Question,
  index: number,
  { values, issues }: FormState,
  context: {
    readonly prefix: string;
    /** The path of the ask. */
    readonly action: string;
    readonly partial: boolean;
    /** The heading already shows the question: repeat it for screen readers only. */
    readonly titled: boolean;
    readonly words: PageWords;
    readonly markdown: MarkdownView;
  },
): Html {
  const { id, options, multiSelect, freeText } = question;
  const { words } = context;
  const prefix = `${context.prefix}-${index}`;
  const wrong = issues.get(index) ?? [];
  const hints = [
    options.length > 0 && (multiSelect ? words.picks(question.minPicks, question.maxPicks) : words.chooseOne),
    context.partial && words.mayBeBlank,
  ].filter((hint) => hint !== false);
  const chosen = new Set(values.getAll(FIELD.pick(id)));
  const choices = options.filter((option) => !option.input);
  return html`<fieldset id="${prefix}"${wrong.length > 0 && html` aria-describedby="${prefix}-issue"`}>
<legend>${
    context.titled
      ? html`<span class="unseen">${question.question} </span>`
      : html`${question.header !== undefined && html`<span class="tag">${displayHeader(question.header)}</span> `}${question.question} `
  }${hints.length > 0 && html`<span class="soft">(${hints.join(", ")})</span>`}</legend>
${wrong.length > 0 && html`<p class="issue" id="${prefix}-issue">${wrong.join(" ")}</p>`}
${choices.map((option, number) =>
  choice({
    question,
    option,
    words,
    markdown: context.markdown,
    id: `${prefix}-o${number}`,
    checked: chosen.has(fieldId(option.id)),
    preview: `${context.action}/previews/${index}/${options.indexOf(option)}`,
  }),
)}
${freeText && ownAnswer(question, prefix, values, chosen, words)}
${context.partial && !multiSelect && options.length > 0 && skip(question, prefix, chosen, words)}
${note(question, prefix, values, words)}
</fieldset>`;
}

/** Models often write it into the label; do not repeat it. */
const SAYS_RECOMMENDED = /\(recommended\)/i;

function choice(props: {
  readonly question: Question;
  readonly option: Option;
  readonly id: string;
  readonly checked: boolean;
  /** The address of its preview, if that is HTML. */
  readonly preview: string;
  readonly words: PageWords;
  readonly markdown: MarkdownView;
}): Html {
  const { question, option, id, checked, words } = props;
  const { description, preview, recommended } = option;
  const label = displayLabel(option, question.options);
  return html`<div class="option">
${pick(question, fieldId(option.id), id, checked)}
<label for="${id}">${label}${recommended && !SAYS_RECOMMENDED.test(label) && html` <span class="tag live">${words.recommended}</span>`}
${description !== undefined && html`<small>${description}</small>`}</label>
${preview !== undefined && html`<details class="extra more" open><summary>${words.preview(label)}</summary><div class="preview">${previewView(preview, words.preview(label), props.preview, props.markdown)}</div></details>`}
</div>`;
}

/** The text field, labelled with the model's own catch-all option if it gave one. */
function ownAnswer(
  question: Question,
  prefix: string,
  values: URLSearchParams,
  chosen: ReadonlySet<string>,
  words: PageWords,
): Html {
  const { id, options, multiSelect } = question;
  const given = options.find((option) => option.input);
  const name = FIELD.text(id);
  const field = html`<textarea id="${prefix}-text" name="${name}" rows="${options.length === 0 ? 3 : 1}">
${typed(values.get(name) ?? "")}</textarea>`;
  if (options.length === 0) {
    return html`<label class="field" for="${prefix}-text">${words.typeAnswer}</label>${field}`;
  }
  const label = given?.label ?? words.ownAnswer;
  // With checkboxes, text alone is enough. With radio buttons, one must deselect the others.
  const needsPick = given !== undefined || !multiSelect;
  const value = given === undefined ? OWN_ANSWER : fieldId(given.id);
  if (!needsPick) {
    return html`<label class="field" for="${prefix}-text">${label}</label>${field}`;
  }
  return html`<div class="option">
${pick(question, value, `${prefix}-own`, chosen.has(value))}
<label for="${prefix}-own">${label}${given?.description !== undefined && html`<small>${given.description}</small>`}</label>
<div class="more"><label class="field" for="${prefix}-text">${words.ownAnswerField}</label>${field}</div>
</div>`;
}

function skip(question: Question, prefix: string, chosen: ReadonlySet<string>, words: PageWords): Html {
  return html`<div class="option">${pick(question, SKIP, `${prefix}-skip`, chosen.has(SKIP))}
<label for="${prefix}-skip">${words.skip}</label></div>`;
}

function pick({ id, multiSelect }: Question, value: string, elementId: string, checked: boolean): Html {
  const type = multiSelect ? "checkbox" : "radio";
  return html`<input type="${type}" id="${elementId}" name="${FIELD.pick(id)}" value="${value}"${checked && html` checked`}>`;
}

function note({ id }: Question, prefix: string, values: URLSearchParams, words: PageWords): Html {
  const text = values.get(FIELD.note(id)) ?? "";
  return html`<details class="extra"${text !== "" && html` open`}><summary>${words.addNote}</summary>
<label class="field" for="${prefix}-note">${words.noteOnThis}</label>
<textarea id="${prefix}-note" name="${FIELD.note(id)}" rows="2">
${typed(text)}</textarea></details>`;
}

/** One action of an approval, with the allowed decisions. */
export function actionFields(
  action: Action,
  index: number,
  { values, issues }: FormState,
  {
    prefix,
    words,
    markdown,
    remembers,
  }: {
    readonly prefix: string;
    readonly words: PageWords;
    readonly markdown: MarkdownView;
    /** Whether the person may have the decision remembered. */
    readonly remembers: boolean;
  },
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
<div class="soft">${words.args}</div>
${argumentsView(args, words, markdown)}
${option("approve", words.approve)}
${option("edit", words.edit, changedArgs(action, own, values, words))}
${option("reject", words.reject, reason(action, own, values, words))}
${remembers && action.once !== true && rememberField(action, own, values, words)}
</fieldset>`;
}

function changedArgs({ id, args }: Action, own: string, values: URLSearchParams, words: PageWords): Html {
  const text = values.get(FIELD.args(id)) ?? argsText(args);
  const rows = Math.min(12, text.split("\n").length + 1);
  return html`<label class="field" for="${own}-args">${words.changedArgs}</label>
<textarea class="code" id="${own}-args" name="${FIELD.args(id)}" rows="${rows}" spellcheck="false">
${typed(text)}</textarea>`;
}

function reason({ id }: Action, own: string, values: URLSearchParams, words: PageWords): Html {
  return html`<label class="field" for="${own}-message">${words.rejectReason}</label>
<input type="text" id="${own}-message" name="${FIELD.message(id)}" value="${typed(values.get(FIELD.message(id)) ?? "")}">`;
}

function rememberField(
  { id, rules = [] }: Action,
  own: string,
  values: URLSearchParams,
  page: PageWords,
): Html {
  const words = APPROVAL_LANGUAGES[page.language];
  const chosen = values.get(FIELD.remember(id)) ?? "";
  const option = (value: string, text: string): Html =>
    html`<option value="${value}"${value === chosen && html` selected`}>${text}</option>`;
  return html`<label class="field" for="${own}-remember">${words.remember}</label>
<select id="${own}-remember" name="${FIELD.remember(id)}">${option("", words.remembers.once)}${option("session", words.remembers.session)}${option("always", words.remembers.always)}${
    rules.length > 0 &&
    html`<optgroup label="${words.agentRules}">${rules.map((rule) => option(rule, displayLine(rule)))}</optgroup>`
  }</select>`;
}

/** The arguments as readable JSON that parses back to the same arguments. */
export function argsText(args: JsonObject): string {
  return displayJson(JSON.stringify(args, null, 2));
}
