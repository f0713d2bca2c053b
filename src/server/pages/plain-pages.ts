import { defined } from "../../core/kit/tools.js";
import type { Ask } from "../../core/model/ask.js";
import { type AsklineError, meaningOf } from "../../core/model/error.js";
import { displayAsker, displayLine } from "../../core/text/display.js";
import { titleOf } from "../../core/text/title.js";
import { acceptedLanguage } from "../../core/words/languages.js";
import { errorText, type PageWords, pageWords } from "../../core/words/pages.js";
import type { PlainReply } from "../http/reply.js";
import type { ErrorView } from "../routing/dispatch.js";
import { html } from "./html.js";
import { type LiveFacts, type Page, pageReply } from "./layout.js";
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
export function scriptPage(live: LiveFacts, words: PageWords): Page {
  return {
    words,
    title: PRODUCT,
    ...defined({ person: live.person }),
    body: html`<section class="card"><h1>${words.needsScript}</h1></section>`,
    live,
  };
}

/** One ask. Without its script: the title, who asks, and how to answer. */
export function askPage(ask: Ask, live: LiveFacts, words: PageWords): Page {
  const title = titleOf(ask, words);
  const asker = displayAsker(ask);
  return {
    words,
    title,
    // A link signs nobody in.
    ...(live.page !== "link" && defined({ person: live.person })),
    body: html`<article class="card"><h1>${title}</h1>
${asker !== "" && html`<p class="soft">${words.fromAgent(asker)}</p>`}
<p>${ask.outcome === undefined ? words.howToAnswer : words.ended}</p></article>`,
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

/** What went wrong, in words and as the log has it, and where to continue. */
function errorPage({ code, message }: AsklineError, { path, base, acceptLanguage }: ErrorView): Page {
  const words = pageWords(acceptedLanguage(acceptLanguage));
  if (code === "unauthorized") return signInPage(words);
  // Only for our own paths: `//elsewhere/answer` would lead to another site.
  const [, question] = /^(\/(?:asks|a)\/[^/]+)\/(?:answer|decide|decline|reply)$/.exec(path) ?? [];
  const text =
    question !== undefined && (code === "gone" || code === "method_not_allowed")
      ? words.howToAnswer
      : errorText(code, words);
  return {
    words,
    title: words.failed,
    body: html`<section class="card"><h1>${words.failed}</h1><p class="said">${text}</p>
${message !== text && html`<p class="soft" lang="en">${code}: ${displayLine(message)}</p>`}
${question !== undefined && html`<p><a href="${base}${question}">${words.openQuestion}</a></p>`}
${!path.startsWith("/a/") && html`<p><a href="${base}/">${words.allQuestions}</a></p>`}</section>`,
  };
}
