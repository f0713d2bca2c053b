// Markdown, highlighted code and previews: loaded when a card first has any.

import { keyed } from "lit/directives/keyed.js";
import { unsafeHTML } from "lit/directives/unsafe-html.js";
import { displayText } from "../../core/text/display.js";
import { inertHtml } from "../../core/text/inert-html.js";
import { toHtml } from "../markdown/html.js";
import { parseMarkdown } from "../markdown/parse.js";
import type { Part } from "./html.js";
import { html } from "./html.js";
import { lazy } from "./lazy.js";

export { styles } from "./rich.css";

const highlighting = lazy(() => import("./highlight.js"));

// A card is painted at each key; what it shows is parsed once.
const MOST_KEPT = 100;
const kept = new Map<string, { readonly markup: string; readonly whole: boolean }>();

/** Markdown of a model. `again` is called when a language of its code has been loaded. */
export function markdownPart(source: string, again: () => void): Part {
  let known = kept.get(source);
  if (known === undefined || !known.whole) {
    let whole = true;
    const markup = toHtml(parseMarkdown(source), (text, language) => {
      if (language === "") return undefined;
      const module = highlighting.get(again);
      const marked = module?.highlighted(text, language, () => {
        kept.delete(source);
        again();
      });
      whole &&= module !== undefined;
      return marked;
    });
    known = { markup, whole };
    if (kept.size >= MOST_KEPT) kept.clear();
    kept.set(source, known);
  }
  // The renderer writes every tag and escapes everything else.
  return html`<div class="markdown" part="markdown">${unsafeHTML(known.markup)}</div>`;
}

export interface ShownPreview {
  readonly content: string;
  readonly format: "text" | "markdown" | "html";
  readonly title: string;
  /** The address of a page that shows HTML under its own policy; empty for none. */
  readonly frame: string;
}

export function previewPart({ content, format, title, frame }: ShownPreview, again: () => void): Part {
  switch (format) {
    case "markdown":
      return markdownPart(content, again);
    case "text":
      return html`<pre class="text" dir="auto">${displayText(content)}</pre>`;
    case "html":
      return framePart(content, title, frame);
  }
}

// No scripts, forms, popups or origin of its own; and no network but what is written into the document.
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; base-uri 'none'; form-action 'none'";
const HEAD = `<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${POLICY}"><meta name="color-scheme" content="light">`;

function framePart(content: string, title: string, frame: string): Part {
  const inert = inertHtml(content);
  if (frame === "") {
    const page = `<!doctype html>${HEAD}${inert}`;
    return html`<iframe part="frame" sandbox="" referrerpolicy="no-referrer" title=${title} .srcdoc=${page}></iframe>`;
  }
  const show = (event: Event): void => {
    (event.currentTarget as HTMLIFrameElement).contentWindow?.postMessage({ asklinePreview: inert }, "*");
  };
  // Another document is another frame: the page takes one when it has been loaded.
  return html`${keyed(
    content,
    html`<iframe part="frame" sandbox="allow-scripts" referrerpolicy="no-referrer" title=${title} src=${frame} @load=${show}></iframe>`,
  )}`;
}
