import { type AsklineError, displayLine } from "../../core/index.js";
import { meaningOf } from "../../core/model/error.js";
import { acceptedLanguage, errorText, type PageWords, pageWords } from "../../words/index.js";
import type { PlainReply } from "../http/reply.js";
import type { ErrorView } from "../routing/dispatch.js";
import { html } from "./html.js";
import { keptForm } from "./kept-form.js";
import { type Page, pageReply } from "./layout.js";
import { PRODUCT } from "./words.js";

export function signInPage(words: PageWords): Page {
  return {
    words,
    title: words.signIn,
    body: html`<section class="card"><h1>${words.signIn}</h1><p>${words.signInHint}</p></section>`,
    live: { page: "home" },
  };
}

/** What a link opens that was used: in a browser that is signed in, the script opens the inbox instead. */
export function usedCodePage(words: PageWords): Page {
  return {
    words,
    title: words.signIn,
    body: html`<section class="card"><h1>${words.signIn}</h1><p><strong>${words.errors.invalid_code ?? ""}</strong></p><p>${words.signInHint}</p></section>`,
    live: { page: "home" },
  };
}

/** A page that shows nothing without its script. */
export function scriptPage(live: NonNullable<Page["live"]>, base: string, words: PageWords): Page {
  return {
    words,
    title: PRODUCT,
    ...(live.person !== undefined && { person: live.person }),
    body: html`<section class="card"><h1>${words.needsScript}</h1><p><a href="${base}/">${words.allQuestions}</a></p></section>`,
    live,
  };
}

/**
 * What the printed link opens. Only the click uses the code: mail and chat programs preview links, and would waste
 * it. The button needs no script, and its request carries an origin that can be checked. A command that opens the link
 * in a browser itself adds `#open`, and the script clicks.
 */
export function codePage(code: string, base: string, words: PageWords): Page {
  return {
    words,
    title: words.openInbox,
    body: html`<section class="card"><h1>${words.openInbox}</h1>
<p class="soft">${words.openInboxHint}</p>
<form method="post" action="${base}/login"><input type="hidden" name="code" value="${code}">
<div class="actions"><button autofocus>${words.openInbox}</button></div></form></section>`,
    live: { page: "code" },
  };
}

export function errorReply(
  error: AsklineError,
  view: ErrorView,
  headers: Readonly<Record<string, string>>,
): PlainReply {
  return pageReply(meaningOf(error.code).status, errorPage(error, view), view, headers);
}

/** What went wrong, in words and as the log has it, where to continue, and the form that was refused. */
function errorPage({ code, message }: AsklineError, { path, base, form, acceptLanguage }: ErrorView): Page {
  const words = pageWords(acceptedLanguage(acceptLanguage));
  if (code === "unauthorized" && form === undefined) return signInPage(words);
  // Only for our own paths: `//elsewhere/answer` would lead to another site.
  const [, question] = /^(\/(?:asks|a)\/[^/]+)\/(?:answer|decide|decline|reply)$/.exec(path) ?? [];
  return {
    words,
    title: words.failed,
    body: html`<section class="card"><h1>${words.failed}</h1><p class="said">${code === "method_not_allowed" ? words.formOnly : errorText(code, words)}</p>
${code === "unauthorized" && html`<p>${words.signInHint}</p>`}
<p class="soft" lang="en">${code}: ${displayLine(message)}</p>
${form !== undefined && keptForm(`${base}${path}`, form, code, words)}
${question !== undefined && html`<p><a href="${base}${question}">${words.openQuestion}</a></p>`}
${!path.startsWith("/a/") && html`<p><a href="${base}/">${words.allQuestions}</a></p>`}</section>`,
  };
}
