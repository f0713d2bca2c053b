import type { AsklineError } from "../../core/index.js";
import { meaningOf } from "../../core/model/error.js";
import type { PlainReply } from "../http/reply.js";
import type { ErrorView } from "../routing/dispatch.js";
import { html } from "./html.js";
import { keptForm } from "./kept-form.js";
import { type Page, pageReply } from "./layout.js";
import { sentence, WORDS } from "./words.js";

export function signInPage(): Page {
  return {
    title: WORDS.signIn,
    body: html`<section class="card"><h1>${WORDS.signIn}</h1><p>${WORDS.signInHint}</p></section>`,
  };
}

/**
 * What the printed link opens. Only the click uses the code: mail and chat programs preview links, and would waste
 * it. The button needs no script, and its request carries an origin that can be checked.
 */
export function codePage(code: string, base: string): Page {
  return {
    title: WORDS.openInbox,
    body: html`<section class="card"><h1>${WORDS.openInbox}</h1>
<p class="soft">${WORDS.openInboxHint}</p>
<form method="post" action="${base}/login"><input type="hidden" name="code" value="${code}">
<div class="actions"><button autofocus>${WORDS.openInbox}</button></div></form></section>`,
  };
}

export function errorReply(
  error: AsklineError,
  view: ErrorView,
  headers: Readonly<Record<string, string>>,
): PlainReply {
  return pageReply(meaningOf(error.code).status, errorPage(error, view), view, headers);
}

/** What went wrong, where to continue, and the form that was refused. */
function errorPage({ code, message }: AsklineError, { path, base, form }: ErrorView): Page {
  if (code === "unauthorized" && form === undefined) return signInPage();
  // Only for our own paths: `//elsewhere/answer` would lead to another site.
  const [, question] = /^(\/(?:asks|a)\/[^/]+)\/(?:answer|decide|decline|reply)$/.exec(path) ?? [];
  return {
    title: WORDS.failed,
    body: html`<section class="card"><h1>${WORDS.failed}</h1><p class="said">${code === "method_not_allowed" ? WORDS.formOnly : sentence(message)}</p>
${code === "unauthorized" && html`<p>${WORDS.signInHint}</p>`}
<p class="soft">${code}</p>
${form !== undefined && keptForm(`${base}${path}`, form, code)}
${question !== undefined && html`<p><a href="${base}${question}">${WORDS.openQuestion}</a></p>`}
${!path.startsWith("/a/") && html`<p><a href="${base}/">${WORDS.allQuestions}</a></p>`}</section>`,
  };
}
