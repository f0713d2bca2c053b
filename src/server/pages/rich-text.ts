// What a model wrote, as more than plain text: Markdown, previews, and the arguments of an action.

import { type Ask, displayJson, type Json, type JsonObject, type Option } from "../../core/index.js";
import { inertHtml } from "../../core/text/inert-html.js";
import { parseMarkdown, toHtml } from "../../markdown/index.js";
import type { PageWords } from "../../words/index.js";
import type { PlainReply } from "../http/reply.js";
import { type Html, html } from "./html.js";

export type MarkdownView = (source: string) => Html;

/**
 * Shows the Markdown of an ask; as plain text if it is longer than `most` in all, since a server renders for everyone
 * at once, and the worst takes some milliseconds for each KB.
 */
export function markdownOf({ context = "", questions, approval }: Ask, most: number): MarkdownView {
  const length =
    context.length +
    questions
      .flatMap(({ options }) => options)
      .reduce((sum, { preview }) => sum + markdownLength(preview), 0) +
    (approval?.actions ?? []).reduce(
      (sum, { args }) => sum + (typeof args.plan === "string" ? args.plan.length : 0),
      0,
    );
  if (length > most) return (source) => html`<div class="said">${source}</div>`;
  // The renderer writes every tag and escapes everything else.
  return (source) => ({ markup: `<div class="markdown">${toHtml(parseMarkdown(source))}</div>` });
}

function markdownLength(preview: Preview | undefined): number {
  return preview?.format === "markdown" ? preview.content.length : 0;
}

/** A preview of any format. `address`: where {@link previewReply} serves it, if it is HTML. */
export function previewView(
  { content, format }: Preview,
  label: string,
  address: string,
  markdown: MarkdownView,
): Html {
  switch (format) {
    case "markdown":
      return markdown(content);
    case "text":
      return html`<pre tabindex="0">${content}</pre>`;
    case "html":
      return html`<iframe sandbox referrerpolicy="no-referrer" loading="lazy" title="${label}" src="${address}"></iframe>`;
  }
}

type Preview = NonNullable<Option["preview"]>;

const PREVIEW_POLICY =
  "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

/** An HTML preview as a page of its own, for a frame: without scripts, an origin or network. */
export function previewReply(content: string): PlainReply {
  return {
    status: 200,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      "content-security-policy": PREVIEW_POLICY,
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      "x-dns-prefetch-control": "off",
    },
    body: `<!doctype html><html><head><meta name="color-scheme" content="light"></head>${inertHtml(content)}`,
  };
}

/** The arguments of an action, whole: a plan as Markdown, other texts as they are, anything else as JSON. */
export function argumentsView(args: JsonObject, words: PageWords, markdown: MarkdownView): Html {
  const entries = Object.entries(args);
  if (entries.length === 0) return html`<p class="soft">${words.noArguments}</p>`;
  return html`<dl class="args">${entries.map(
    ([name, value]) => html`<dt>${shown(name)}</dt><dd>${valueView(name, value, words, markdown)}</dd>`,
  )}</dl>`;
}

function valueView(name: string, value: Json, words: PageWords, markdown: MarkdownView): Html {
  if (typeof value !== "string") return code(html`${displayJson(JSON.stringify(value, null, 2))}`);
  if (value === "") return html`<span class="soft">${words.emptyText}</span>`;
  return name === "plan" ? markdown(value) : code(shown(value));
}

/** The line break after the tag is the markup's: without it, a browser drops the first one of the text. */
function code(text: Html): Html {
  return html`<pre class="whole" tabindex="0">
${text}</pre>`;
}

/** Text in which everything that cannot be seen is an escape, set apart from an escape that was typed. */
function shown(text: string): Html {
  const parts = Array.from(text, (character) => {
    const escaped = displayJson(character);
    return escaped === character ? character : html`<mark>${escaped}</mark>`;
  });
  return html`${parts}`;
}
