import type { Ask } from "../../core/index.js";
import { type AskProps, askForms, askHeading } from "./ask-view.js";
import { EMPTY_FORM } from "./form-values.js";
import { type Html, html } from "./html.js";
import type { Page } from "./layout.js";
import { outcomeView } from "./outcome-view.js";
import { sentView } from "./sent-view.js";
import { titleOf, WORDS, waitingTitle } from "./words.js";

/** Above this, as JSON, an ask gets a page of its own instead of a place in the list. */
const LONGEST_IN_LIST = 65_536;

export interface InboxProps {
  readonly person: string;
  readonly asks: readonly Ask[];
  readonly isAwaited: (id: string) => boolean;
  readonly now: number;
  readonly next?: string;
  /** An ask that the person has just tried to end. */
  readonly done?: Ask;
}

/** All that waits for a person, the oldest open, each with its forms. */
export function inboxPage({ person, asks, isAwaited, now, next, done }: InboxProps): Page {
  const outcome = done?.outcome;
  const list = asks.map((ask, index) =>
    listed(
      { ask, awaited: isAwaited(ask.id), now, action: askPath(ask.id), form: EMPTY_FORM, person },
      index === 0,
    ),
  );
  const title = asks.length === 0 ? WORDS.nothing : waitingTitle(asks.length, next !== undefined);
  return {
    title,
    person,
    body: html`${done !== undefined && outcome !== undefined && outcomeView(done, outcome, person)}
<div class="lead"><h1>${title}</h1><a href="/">${WORDS.refresh}</a></div>
${asks.length === 0 && html`<p class="soft">${WORDS.nothingHint}</p>`}
${list}
${next !== undefined && html`<p><a href="/?after=${next}">${WORDS.more}</a></p>`}`,
  };
}

function listed(props: AskProps, open: boolean): Html {
  const long = JSON.stringify(props.ask).length > LONGEST_IN_LIST;
  return html`<details class="card"${open && html` open`}><summary>${askHeading(props)}</summary>
<div class="inside">${
    long ? html`<p>${WORDS.tooLongForList} <a href="${props.action}">${WORDS.open}</a></p>` : askForms(props)
  }</div></details>`;
}

export interface AskPageProps extends AskProps {
  /** Whether the person is signed in and has a list to go back to. */
  readonly signedIn: boolean;
}

/** One ask alone: behind a link, or because something in its form is missing. */
export function askPage(props: AskPageProps): Page {
  const { ask, person, signedIn, form } = props;
  const { outcome } = ask;
  const late = outcome !== undefined && form !== EMPTY_FORM;
  const wrong = form.issues.size > 0 || form.general.length > 0;
  return {
    title: titleOf(ask),
    ...(signedIn && { person }),
    body: html`${wrong && html`<div class="notice bad" role="alert"><strong>${WORDS.notSent}</strong></div>`}
${late && html`<div class="notice bad" role="alert"><strong>${WORDS.tooLate}</strong></div>`}
${outcome !== undefined && outcomeView(ask, outcome, person, late)}
${late && sentView(ask, form.values)}
<article class="card">${askHeading(props, "h1")}
${outcome === undefined && askForms(props)}</article>
${signedIn && html`<p><a href="/">${WORDS.allQuestions}</a></p>`}`,
  };
}

export function askPath(id: string): string {
  return `/asks/${encodeURIComponent(id)}`;
}
