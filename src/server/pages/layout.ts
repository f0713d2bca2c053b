import { createHash } from "node:crypto";
import type { PageWords } from "../../words/index.js";
import { isLoopback } from "../access/hosts.js";
import type { PlainReply } from "../http/reply.js";
import { assetNamed } from "./assets.js";
import { type Html, html } from "./html.js";
import { PRODUCT } from "./words.js";

export interface Page {
  readonly words: PageWords;
  readonly title: string;
  readonly body: Html;
  /** The signed-in person; undefined if opened by a link. */
  readonly person?: string;
  /** What the page's script puts in the place of all this, and what it needs to know. */
  readonly live?: {
    readonly page: LivePage;
    readonly ask?: string;
    readonly session?: string;
    readonly person?: string;
  };
  /** The one origin that may show this page in a frame. */
  readonly frame?: string;
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
    headers: { ...pageHeaders(origin, page), "content-language": page.words.language, ...headers },
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
): Readonly<Record<string, string>> {
  const loads =
    live === undefined || script() === undefined
      ? ""
      : " script-src 'self'; connect-src 'self'; img-src 'self' data:; manifest-src 'self'; worker-src 'self';";
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
  const icon = assetNamed("icon", "svg");
  const touch = assetNamed("icon-192", "png");
  return html`<meta name="theme-color" media="(prefers-color-scheme: light)" content="#f4f5f7">
<meta name="theme-color" media="(prefers-color-scheme: dark)" content="#0e0f12">
<link rel="manifest" href="${base}/manifest.webmanifest">
${icon !== undefined && html`<link rel="icon" type="image/svg+xml" href="${base}/assets/${icon}">`}
${touch !== undefined && html`<link rel="apple-touch-icon" href="${base}/assets/${touch}">`}
<script type="module" src="${base}/assets/${app}"></script>`;
}

/** The page as it is without script is hidden until the script has replaced it, or has not within some seconds. */
function liveFacts(live: Page["live"], base: string): Html | undefined {
  if (live === undefined) return undefined;
  const { page, ask, session, person } = live;
  return html` id="app" data-page="${page}" data-base="${base}"${person !== undefined && html` data-person="${person}"`}${ask !== undefined && html` data-ask="${ask}"`}${session !== undefined && html` data-session="${session}"`}`;
}

function signedIn(person: string, base: string, words: PageWords): Html {
  return html`<span class="soft">${words.signedInAs} <strong>${person}</strong></span>
<form method="post" action="${base}/logout"><button class="plain">${words.signOut}</button></form>`;
}

/** The style of all pages: system fonts, one column, light or dark by preference. */
const text = `
:root{color-scheme:light dark;--ground:#f6f6f4;--card:#fff;--ink:#1c1c1a;--soft:#5f5f59;--line:#d9d8d2;--edge:#8a897f;
--accent:#1f5fbf;--on-accent:#fff;--tint:#eaf1fb;--good:#1d6b3a;--good-tint:#e6f4ea;--bad:#a8261b;--bad-tint:#fcebe9}
@media (prefers-color-scheme:dark){:root{--ground:#161614;--card:#1f1f1d;--ink:#ecebe6;--soft:#a5a49c;--line:#3a3a36;--edge:#7b7a72;
--accent:#8ab4f8;--on-accent:#10203a;--tint:#1d2a3d;--good:#8fd3a6;--good-tint:#17301f;--bad:#f3a39b;--bad-tint:#3a1c19}}
@media (scripting:enabled){#app[data-page]{animation:late 0s 4s both}}
@keyframes late{from{visibility:hidden}}
body.live{overflow-wrap:normal}
.linked{max-width:46rem;padding:1.5rem 1rem 3rem}
@media (max-width:30rem){main.linked{padding:.5rem .5rem 2rem}}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--ink);font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;overflow-wrap:anywhere}
main,.top{max-width:44rem;margin:0 auto;padding:0 1rem}
main{padding-bottom:4rem}
.top{display:flex;flex-wrap:wrap;gap:.25rem 1rem;align-items:center;padding-top:1rem}
.top b{margin-right:auto;letter-spacing:.01em}
.top form{display:inline}
h1{font-size:1.4rem;line-height:1.25;margin:1.5rem 0 .25rem}
.card>h1{font-size:1.2rem;margin-top:0}
h2{font-size:1.1rem;line-height:1.35;margin:0}
.card>h1,summary h2{white-space:pre-wrap}
h1,h2,legend,label,small,pre,textarea,input[type=text],.said,.context,dt,dd,.notice li{unicode-bidi:plaintext}
details.card:not([open])>summary h2{display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:3;overflow:hidden}
p{margin:.5rem 0}
a{color:var(--accent)}
.soft{color:var(--soft);font-size:.875rem}
.lead{display:flex;gap:1rem;align-items:baseline;flex-wrap:wrap;margin-bottom:1rem}
.lead h1{margin-right:auto}
.card{background:var(--card);border:1px solid var(--line);border-radius:.75rem;margin:1rem 0;padding:1.25rem}
details.card{padding:0}
details.card>summary{padding:1rem 1.25rem;cursor:pointer;border-radius:.75rem;list-style:none;display:grid;grid-template-columns:1fr auto;gap:0 .75rem}
details.card>summary::-webkit-details-marker{display:none}
details.card>summary::after{content:"+";color:var(--soft);font-size:1.25rem;line-height:1.4rem;grid-column:2;grid-row:1}
details.card[open]>summary::after{content:"\\2212"}
details.card>summary .meta{grid-column:1/-1}
details.card>.inside{padding:0 1.25rem 1.25rem}
.meta{display:flex;flex-wrap:wrap;align-items:center;gap:.25rem .75rem;margin-top:.4rem;font-size:.8125rem;color:var(--soft)}
.tag{border:1px solid var(--line);border-radius:1rem;padding:0 .55rem;color:var(--soft);white-space:nowrap;max-width:100%;overflow:hidden;text-overflow:ellipsis}
.tag.live{border-color:var(--good);color:var(--good);background:var(--good-tint)}
.tag.late{border-color:var(--bad);color:var(--bad);background:var(--bad-tint)}
.said{white-space:pre-wrap}
.context{border-left:3px solid var(--line);padding-left:.85rem;margin:.75rem 0;color:var(--soft);max-height:24rem;overflow:auto}
fieldset{border:0;border-top:1px solid var(--line);margin:1rem 0 0;padding:1rem 0 0;min-width:0}
form>fieldset:first-of-type{border-top:0;padding-top:0;margin-top:.5rem}
legend{padding:0;font-weight:600;float:left;width:100%;margin-bottom:.5rem;white-space:pre-wrap}
legend+*{clear:both}
legend .soft{font-weight:400;white-space:normal}
.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.option{display:grid;grid-template-columns:auto 1fr;border:1px solid var(--line);border-radius:.5rem;margin:.4rem 0;clear:both}
.option:hover{border-color:var(--soft)}
.option:has(>input:checked){border-color:var(--accent);background:var(--tint)}
.option>input{margin:.9rem .7rem 0 .8rem;width:1.1rem;height:1.1rem;accent-color:var(--accent)}
.option>label{display:block;cursor:pointer;min-height:2.75rem;padding:.6rem .8rem .6rem 0}
.option>.more{grid-column:2;min-width:0;margin:0;padding:0 .8rem .6rem 0}
.option small{display:block;color:var(--soft);font-size:.875rem;white-space:pre-wrap}
pre{white-space:pre-wrap;background:var(--ground);border:1px solid var(--line);border-radius:.5rem;padding:.6rem .75rem;margin:.4rem 0;font:.8125rem/1.45 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;max-height:24rem;overflow:auto}
pre.whole{max-height:none}
mark{background:var(--bad-tint);color:var(--bad)}
dl.args dt{font:.8125rem/1.45 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
.preview{border:1px solid var(--line);border-radius:.5rem;padding:.1rem .75rem;margin:.4rem 0;max-height:24rem;overflow:auto;background:var(--card)}
.preview:has(>pre,>iframe){border:0;padding:0;max-height:none}
iframe{display:block;width:100%;height:20rem;border:1px solid var(--line);border-radius:.5rem;background:#fff;color-scheme:light}
.markdown{white-space:normal}
.markdown table{margin:.6rem 0}
.markdown :is(pre,code){direction:ltr;unicode-bidi:isolate}
legend .tag{font-size:.8125rem;font-weight:400}
.markdown :is(h3,h4,h5,h6){font-size:1rem;margin:.75rem 0 .25rem}
.markdown :is(ul,ol){margin:.5rem 0;padding-inline-start:1.5rem}
.markdown code{font:.8125rem/1.45 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
.markdown blockquote{margin:.5rem 0;padding-inline-start:.75rem;border-inline-start:3px solid var(--line)}
.markdown table{border-collapse:collapse;display:block;overflow:auto}
.markdown :is(th,td){border:1px solid var(--line);padding:.25rem .6rem;text-align:start}
.markdown .center{text-align:center}.markdown .right{text-align:right}
label.field{display:block;margin:.6rem 0 .2rem;font-size:.875rem;color:var(--soft)}
textarea,select,input[type=text]{display:block;width:100%;min-height:2.75rem;font:inherit;color:inherit;background:var(--card);border:1px solid var(--edge);border-radius:.5rem;padding:.5rem .65rem}
textarea{resize:vertical}
select{width:auto;max-width:100%;text-overflow:ellipsis;cursor:pointer}
textarea.code{font:.8125rem/1.45 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
details.extra{margin:.5rem 0;clear:both}
details.extra>summary{cursor:pointer;color:var(--soft);font-size:.875rem}
details.instead{border-top:1px solid var(--line);margin-top:1.25rem;padding-top:.9rem}
button{font:inherit;font-weight:600;border:1px solid var(--accent);border-radius:.5rem;padding:.5rem 1.1rem;background:var(--accent);color:var(--on-accent);cursor:pointer;min-height:2.75rem}
button.quiet{background:none;color:var(--accent);font-weight:500}
button.plain{background:none;border:0;color:var(--accent);padding:0;min-height:0;font-weight:400;text-decoration:underline}
.actions{margin-top:1.1rem}
.notice{border:1px solid var(--good);background:var(--good-tint);border-radius:.75rem;padding:.75rem 1.25rem;margin:1rem 0}
.notice.bad{border-color:var(--bad);background:var(--bad-tint)}
.notice ul{margin:.5rem 0 0;padding-left:1.25rem}
.notice.flat{border-color:var(--line);background:var(--card)}
.issue{color:var(--bad);font-weight:600;font-size:.9375rem;margin:.25rem 0 .5rem;clear:both}
dl{margin:.5rem 0}dt{color:var(--soft);font-size:.875rem;margin-top:.5rem}dd{margin:0;white-space:pre-wrap}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
@media (max-width:30rem){main,.top{padding-left:.75rem;padding-right:.75rem}.card,details.card>summary{padding:.9rem}details.card{padding:0}details.card>.inside{padding:0 .9rem .9rem}form .actions button{width:100%}}
`.trim();

/** The content security policy allows only the style with this hash. */
const STYLE: { readonly text: string; readonly hash: string } = {
  text,
  hash: `sha256-${createHash("sha256").update(text).digest("base64")}`,
};
