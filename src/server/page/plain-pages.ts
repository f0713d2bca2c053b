import type { AsklineError } from "../../core/index.js";
import { html } from "./html.js";
import type { Page } from "./layout.js";
import { WORDS } from "./words.js";

export function signInPage(): Page {
  return {
    title: WORDS.signIn,
    body: html`<section class="card"><h1>${WORDS.signIn}</h1><p>${WORDS.signInHint}</p></section>`,
  };
}

/**
 * What the printed link opens. A click, and not the opening itself, uses the code up: mail and chat programs
 * and browsers open links before their reader does, and a code that they spend is lost. The button needs no
 * script, and what it sends carries an origin that can be checked.
 */
export function codePage(code: string): Page {
  return {
    title: WORDS.openInbox,
    body: html`<section class="card"><h1>${WORDS.openInbox}</h1>
<p class="soft">${WORDS.openInboxHint}</p>
<form method="post" action="/login"><input type="hidden" name="code" value="${code}">
<div class="actions"><button autofocus>${WORDS.openInbox}</button></div></form></section>`,
  };
}

export function errorPage({ code, message }: AsklineError): Page {
  return {
    title: code,
    body: html`<section class="card"><h1>That did not work</h1><p class="said">${message}</p>
<p class="soft">${code}</p><p><a href="/">${WORDS.allQuestions}</a></p></section>`,
  };
}
