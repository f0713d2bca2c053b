import { type Ask, displayAsker, displayHeader } from "../../core/index.js";
import type { PageWords } from "../../words/index.js";
import { actionFields, questionFields } from "./fields.js";
import type { FormState } from "./form-values.js";
import { type Html, html, typed } from "./html.js";
import { markdownOf } from "./rich-text.js";
import { age, deadlineView } from "./times.js";
import { titleOf } from "./words.js";

export interface AskProps {
  readonly words: PageWords;
  readonly ask: Ask;
  /** Whether an agent is waiting for it now. */
  readonly awaited: boolean;
  readonly now: number;
  /** Where its forms are sent: the path without its last segment. */
  readonly action: string;
  readonly form: FormState;
  /** The person whose page this is. */
  readonly person: string;
  /** Whether a decision can be remembered here; a signed link decides once. */
  readonly remembers: boolean;
}

/** The heading of an ask, with its tags and times. */
export function askHeading({ ask, awaited, now, words }: AskProps, level: "h1" | "h2" = "h2"): Html {
  const { session, overdue } = ask;
  const header = ask.questions.length === 1 ? ask.questions[0]?.header : undefined;
  const agent = displayAsker(ask);
  // A single question is the heading, with all its lines.
  const text = (ask.questions.length === 1 && ask.questions[0]?.question) || titleOf(ask, words);
  const title = level === "h1" ? html`<h1>${text}</h1>` : html`<h2>${text}</h2>`;
  return html`${title}
<div class="meta">
${header !== undefined && html`<span class="tag">${displayHeader(header)}</span>`}
${awaited && html`<span class="tag live">${words.awaited}</span>`}
${overdue && html`<span class="tag late">${words.overdue}</span>`}
${agent !== "" && html`<span>${words.fromAgent(agent)}</span>`}
${session !== "" && html`<span>${words.inSession(session)}</span>`}
<span>${age(now - ask.createdAt, words)}</span>
${deadlineView(ask, now, words)}
</div>`;
}

/** Characters of Markdown that are rendered of one ask: on a page of its own, and among others. */
const MOST_MARKDOWN = { alone: 65_536, listed: 4_096 } as const;

/** The forms that settle an ask. */
export function askForms(props: AskProps, place: keyof typeof MOST_MARKDOWN): Html {
  const { ask, action, form, words } = props;
  const { questions, approval, allowPartial } = ask;
  const prefix = ask.id;
  const markdown = markdownOf(ask, MOST_MARKDOWN[place]);
  const titled = questions.length === 1;
  return html`${ask.context !== undefined && html`<div class="context" tabindex="0">${markdown(ask.context)}</div>`}
${form.general.length > 0 && html`<p class="issue" role="alert">${form.general.join(" ")}</p>`}
<form method="post" action="${action}/${approval === undefined ? "answer" : "decide"}">
${questions.map((question, index) => questionFields(question, index, form, { prefix, action, partial: allowPartial, titled, words, markdown }))}
${(approval?.actions ?? []).map((item, index) => actionFields(item, index, form, { prefix, words, markdown, remembers: props.remembers && approval?.actions.length === 1 }))}
${questions.length !== 1 && noteOnAll(prefix, form, words)}
<div class="actions"><button>${words.send}</button></div>
</form>
${instead(props)}`;
}

/** Only for several questions: a single question has its own note. */
function noteOnAll(prefix: string, { values }: FormState, words: PageWords): Html {
  return html`<label class="field" for="${prefix}-note">${words.noteOnAll}</label>
<textarea id="${prefix}-note" name="note" rows="1">
${typed(values.get("note") ?? "")}</textarea>`;
}

/** Two small forms for declining and replying, collapsed by default. */
function instead(props: AskProps): Html {
  const {
    ask: { id },
    action,
    form: { values },
    words,
  } = props;
  const [text, reason] = [values.get("text") ?? "", values.get("reason") ?? ""];
  return html`<details class="extra instead"${(text !== "" || reason !== "") && html` open`}><summary>${words.instead}</summary>
<form method="post" action="${action}/reply">
<label class="field" for="${id}-reply">${words.reply}</label>
<textarea id="${id}-reply" name="text" rows="2">
${typed(text)}</textarea>
<div class="actions"><button class="quiet">${words.sendReply}</button></div>
</form>
<form method="post" action="${action}/decline">
<label class="field" for="${id}-reason">${words.declineReason}</label>
<input type="text" id="${id}-reason" name="reason" value="${typed(reason)}">
<div class="actions"><button class="quiet">${words.decline}</button></div>
</form>
</details>`;
}
