import { isLoopback } from "../node.js";
import type { PlainReply } from "../reply.js";
import { type Html, html } from "./html.js";
import { STYLE } from "./styles.js";
import { WORDS } from "./words.js";

export interface Page {
  readonly title: string;
  readonly body: Html;
  /** Who is signed in; nobody where a link opened the page. */
  readonly person?: string;
}

/** A page as a reply: nothing in it may load, run, be framed or be sent anywhere but back here. */
export function pageReply(
  status: number,
  page: Page,
  origin: string,
  headers: Readonly<Record<string, string>> = {},
): PlainReply {
  return {
    status,
    headers: { ...pageHeaders(origin), ...headers },
    body: `<!doctype html>\n${render(page).markup}`,
  };
}

/** To another page, after a form was taken: going back or reloading then sends nothing again. */
export function seeOther(
  path: string,
  origin: string,
  headers: Readonly<Record<string, string>> = {},
): PlainReply {
  return { status: 303, headers: { ...pageHeaders(origin), location: path, ...headers }, body: "" };
}

function pageHeaders(origin: string): Readonly<Record<string, string>> {
  return {
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
    "content-security-policy": `default-src 'none'; style-src '${STYLE.hash}'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`,
    "cross-origin-opener-policy": "same-origin",
    "referrer-policy": referrerPolicy(origin),
    "x-content-type-options": "nosniff",
  };
}

/**
 * Addresses hold secrets here, so no other site learns them. With `no-referrer` a browser sends forms with
 * `Origin: null` and vouches for them in `Sec-Fetch-Site`, but that only to https and this machine. To
 * plain http elsewhere, its `Origin` is all there is, and `same-origin` keeps that.
 */
function referrerPolicy(origin: string): string {
  const { protocol, hostname } = new URL(origin);
  return protocol === "https:" || isLoopback(hostname) ? "no-referrer" : "same-origin";
}

function render({ title, body, person }: Page): Html {
  return html`<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${title} · ${WORDS.product}</title>
<style>${{ markup: STYLE.text }}</style>
</head>
<body>
<header class="top"><b>${WORDS.product}</b>${person !== undefined && signedIn(person)}</header>
<main>
${body}
</main>
</body>
</html>
`;
}

function signedIn(person: string): Html {
  return html`<span class="soft">${WORDS.signedInAs} <strong>${person}</strong></span>
<form method="post" action="/logout"><button class="plain">${WORDS.signOut}</button></form>`;
}
