import { type Ask, displayLine } from "../../core/index.js";
import type { PageWords } from "../../words/index.js";
import { type AskProps, askForms, askHeading } from "./ask-view.js";
import { EMPTY_FORM, type FormState } from "./form-values.js";
import { type Html, html } from "./html.js";
import type { Page } from "./layout.js";
import { outcomeView, sentView } from "./outcome-view.js";
import { clockTime } from "./times.js";
import { titleOf, waitingTitle } from "./words.js";

/** A longer ask, as JSON, is shown on its own page only. */
const LONGEST_IN_LIST = 65_536;

export interface InboxProps {
  readonly words: PageWords;
  /** Precedes every path. */
  readonly base: string;
  readonly person: string;
  readonly asks: readonly Ask[];
  readonly isAwaited: (id: string) => boolean;
  readonly now: number;
  readonly next?: string;
  /** Whether there is a page before this one. */
  readonly further: boolean;
  /** Whether the page refreshes itself. */
  readonly looking: boolean;
  /** An ask that the person has just tried to settle. */
  readonly done?: Ask;
}

/** All pending asks of a person with their forms, the oldest expanded. */
export function inboxPage(props: InboxProps): Page {
  const { words, base, person, asks, isAwaited, now, next, further, looking, done } = props;
  const outcome = done?.outcome;
  const list = asks.map((ask, index) =>
    listed(
      {
        words,
        ask,
        awaited: isAwaited(ask.id),
        now,
        action: `${base}${askPath(ask.id)}`,
        form: EMPTY_FORM,
        person,
        remembers: true,
      },
      index === 0,
    ),
  );
  const title = waitingTitle(words, asks.length, next !== undefined, further);
  const nothing = asks.length === 0 && next === undefined && !further;
  return {
    words,
    title,
    person,
    body: html`${done !== undefined && outcome !== undefined && outcomeView(done, outcome, person, words)}
<div class="lead"><h1>${title}</h1><span class="soft">${words.asOf} ${clockTime(now, now)}</span> <a href="${base}/">${further ? words.first : words.refresh}</a></div>
${nothing && nothingView(looking, base, words)}
${list}
${next !== undefined && html`<p><a href="${base}/?after=${next}">${words.more}</a></p>`}`,
  };
}

function nothingView(looking: boolean, base: string, words: PageWords): Html {
  return looking
    ? html`<p class="soft">${words.looking} <a href="${base}/">${words.stopLooking}</a></p>`
    : html`<p class="soft">${words.nothingHint} <a href="${base}/?look=again">${words.keepLooking}</a></p>`;
}

function listed(props: AskProps, open: boolean): Html {
  const { words } = props;
  const long = JSON.stringify(props.ask).length > LONGEST_IN_LIST;
  return html`<details class="card"${open && html` open`}><summary>${askHeading(props)}</summary>
<div class="inside">${
    long
      ? html`<p>${words.tooLongForList} <a href="${props.action}">${words.open}</a></p>`
      : askForms(props, "listed")
  }</div></details>`;
}

export interface AskPageProps extends AskProps {
  readonly base: string;
  /** Whether the person is signed in, and so has a list to go back to. */
  readonly signedIn: boolean;
}

/** One ask alone: by a link, or because its form was refused. */
export function askPage(props: AskPageProps): Page {
  const { words, base, ask, person, signedIn, form } = props;
  const { outcome } = ask;
  const late = outcome !== undefined && form !== EMPTY_FORM;
  const wrong = form.issues.size > 0 || form.general.length > 0;
  return {
    words,
    title: late || wrong ? `${words.notTaken}: ${titleOf(ask, words)}` : titleOf(ask, words),
    ...(signedIn && { person }),
    body: html`${wrong && notTaken(words.notSent, issueLinks(ask, form))}
${late && notTaken(words.tooLate)}
${outcome !== undefined && outcomeView(ask, outcome, person, words, late)}
${late && sentView(ask, form.values, words)}
<article class="card">${askHeading(props, "h1")}
${outcome === undefined && askForms(props, "alone")}</article>
${signedIn && html`<p><a href="${base}/">${words.allQuestions}</a></p>`}`,
  };
}

/** Focused first, so that neither readers nor listeners miss that nothing was saved. */
function notTaken(text: string, more?: Html): Html {
  return html`<div class="notice bad" role="alert" tabindex="-1" autofocus><strong>${text}</strong>${more}</div>`;
}

/** What is wrong, with links: of twenty questions, one may be far down. */
function issueLinks({ id, questions, approval }: Ask, { issues }: FormState): Html | undefined {
  const count = questions.length + (approval?.actions.length ?? 0);
  if (count < 2 || issues.size === 0) return undefined;
  const links = [...issues].map(([index, texts]) => {
    const about = questions[index]?.question ?? approval?.actions[index]?.name ?? "";
    return html`<li><a href="#${id}-${index}">${displayLine(about)}</a> ${texts.join(" ")}</li>`;
  });
  return html`<ul>${links}</ul>`;
}

export function askPath(id: string): string {
  return `/asks/${encodeURIComponent(id)}`;
}
