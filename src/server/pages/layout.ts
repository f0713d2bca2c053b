import { ON_PAGE, pageColours } from "../../core/text/colours.js";
import type { PageWords } from "../../core/words/pages.js";
import { sha256 } from "../../hub/seam/sha256.js";
import { isLoopback } from "../access/hosts.js";
import type { PlainReply } from "../http/reply.js";
import { assetNamed, assetsPath, importMap } from "./assets.js";
import { type Html, html } from "./html.js";
import { PRODUCT } from "./words.js";

export interface Page {
  readonly words: PageWords;
  readonly title: string;
  readonly body: Html;
  /** The signed-in person; undefined if opened by a link. */
  readonly person?: string;
  /** What the page's script puts in the place of all this, and what it needs to know. */
  readonly live?: LiveFacts;
  /** The one origin that may show this page in a frame. */
  readonly frame?: string;
}

export interface LiveFacts {
  readonly page: LivePage;
  readonly ask?: string;
  readonly session?: string;
  readonly person?: string;
  /** What the script needs to check this server before it connects again. */
  readonly proof?: string | undefined;
}

export type LivePage = "inbox" | "history" | "devices" | "chat" | "link" | "home" | "code";

/** Where the pages are served. */
export interface PageSite {
  readonly origin: string;
  readonly base: string;
}

/**
 * A page as a reply. It may not be framed, or post to another origin. It loads and runs nothing, except that a live page
 * runs our own script, which talks to this server alone.
 */
export function pageReply(
  status: number,
  page: Page,
  { origin, base }: PageSite,
  headers: Readonly<Record<string, string>> = {},
): PlainReply {
  return {
    status,
    headers: { ...pageHeaders(origin, page, base), "content-language": page.words.language, ...headers },
    body: `<!doctype html>\n${render(page, base).markup}`,
  };
}

/** Redirects after a form was saved, so that going back or reloading does not send it again. */
export function seeOther(
  path: string,
  { origin, base }: PageSite,
  headers: Readonly<Record<string, string>> = {},
): PlainReply {
  return {
    status: 303,
    headers: { ...pageHeaders(origin), location: `${base}${path}`, ...headers },
    body: "",
  };
}

function pageHeaders(
  origin: string,
  { live, frame }: Pick<Page, "live" | "frame"> = {},
  base = "",
): Readonly<Record<string, string>> {
  const loads =
    live === undefined || script() === undefined
      ? ""
      : ` script-src 'self' '${hashOf(importMap(base))}'; connect-src 'self'; img-src 'self' data:; manifest-src 'self'; worker-src 'self';`;
  return {
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
    vary: "accept-language",
    "content-security-policy": `default-src 'none'; style-src '${STYLE.hash}';${loads} form-action 'self'; frame-src 'self'; frame-ancestors ${frame ?? "'none'"}; base-uri 'none'`,
    "cross-origin-opener-policy": "same-origin",
    "referrer-policy": referrerPolicy(origin),
    "x-content-type-options": "nosniff",
  };
}

/**
 * URLs contain secrets here, so other sites must not learn them. With `no-referrer` a browser sends forms with
 * `Origin: null` and adds `Sec-Fetch-Site`, but only for https and loopback. For plain http elsewhere, `Origin` is
 * all there is, and `same-origin` keeps it.
 */
function referrerPolicy(origin: string): string {
  const { protocol, hostname } = new URL(origin);
  return protocol === "https:" || isLoopback(hostname) ? "no-referrer" : "same-origin";
}

function script(): string | undefined {
  return assetNamed("app", "js");
}

function render({ words, title, body, person, live }: Page, base: string): Html {
  const app = live === undefined ? undefined : script();
  return html`<html lang="${words.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${title} · ${PRODUCT}</title>
<style>${{ markup: STYLE.text }}</style>
${app !== undefined && liveHead(app, base)}
</head>
<body>
<div${app !== undefined && liveFacts(live, base)}>
<header class="top"><b>${PRODUCT}</b>${person !== undefined && signedIn(person, base, words)}</header>
<main>
${body}
</main>
</div>
</body>
</html>
`;
}

function liveHead(app: string, base: string): Html {
  const assets = assetsPath(base);
  const icon = assetNamed("icon", "svg");
  const touch = assetNamed("icon-192", "png");
  return html`<meta name="theme-color" media="(prefers-color-scheme: light)" content="${ON_PAGE.page[0]}">
<meta name="theme-color" media="(prefers-color-scheme: dark)" content="${ON_PAGE.page[1]}">
<link rel="manifest" href="${base}/manifest.webmanifest">
${icon !== undefined && html`<link rel="icon" type="image/svg+xml" href="${assets}/${icon}">`}
${touch !== undefined && html`<link rel="apple-touch-icon" href="${assets}/${touch}">`}
<script type="importmap">${{ markup: importMap(base) }}</script>
<script type="module" src="${assets}/${app}"></script>`;
}

/** The page as it is without script is hidden until the script has replaced it, or has not within some seconds. */
function liveFacts(live: LiveFacts | undefined, base: string): Html | undefined {
  if (live === undefined) return undefined;
  const { page, ask, session, person, proof } = live;
  return html` id="app" data-page="${page}" data-base="${base}"${proof !== undefined && html` data-proof="${proof}"`}${person !== undefined && html` data-person="${person}"`}${ask !== undefined && html` data-ask="${ask}"`}${session !== undefined && html` data-session="${session}"`}`;
}

function signedIn(person: string, base: string, words: PageWords): Html {
  return html`<span class="soft">${words.signedInAs} <strong>${person}</strong></span>
<form method="post" action="${base}/logout"><button class="plain">${words.signOut}</button></form>`;
}

/** The style of all pages: system fonts, one column, light or dark by preference. */
const text = `
${pageColours()}
@media (scripting:enabled){#app[data-page]{animation:late 0s 4s both}}
@keyframes late{from{visibility:hidden}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--text);font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;overflow-wrap:anywhere}
body.live{overflow-wrap:normal}
main,.top{max-width:44rem;margin:0 auto;padding:0 1rem}
main{padding-bottom:4rem}
main.linked{max-width:46rem;padding:1.5rem 1rem 3rem}
.top{display:flex;flex-wrap:wrap;gap:.25rem 1rem;align-items:center;padding-top:1rem}
.top b{margin-right:auto;letter-spacing:.01em}
.top form{display:inline}
h1{font-size:1.2rem;line-height:1.25;margin:0 0 .25rem}
h1,.said{unicode-bidi:plaintext;white-space:pre-wrap}
p{margin:.5rem 0}
a{color:var(--accent)}
.soft{color:var(--muted);font-size:.875rem}
.card{background:var(--background);border:1px solid var(--line);border-radius:.75rem;margin:1rem 0;padding:1.25rem}
.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
button{font:inherit;font-weight:600;border:1px solid var(--accent);border-radius:.5rem;padding:.5rem 1.1rem;background:var(--accent);color:var(--on-accent);cursor:pointer;min-height:2.75rem}
button.plain{background:none;border:0;color:var(--accent);padding:0;min-height:0;font-weight:400;text-decoration:underline}
.actions{margin-top:1.1rem}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
@media (max-width:30rem){main,.top{padding-left:.75rem;padding-right:.75rem}main.linked{padding:.5rem .5rem 2rem}.card{padding:.9rem}form .actions button{width:100%}}
`.trim();

/** The content security policy allows only the style with this hash. */
const STYLE: { readonly text: string; readonly hash: string } = {
  text,
  hash: hashOf(text),
};

function hashOf(content: string): string {
  return `sha256-${sha256(content, "base64")}`;
}
