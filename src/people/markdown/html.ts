// A document as HTML. Every tag, attribute and class is written in this file; everything else is escaped.

import { escapeHtml } from "../../core/text/escape-html.js";
import type { Block, Document, Inline, ListItem, Table } from "./document.js";

const LINK = `target="_blank" rel="noopener noreferrer nofollow"`;

/**
 * HTML to put into a page, with these tags only: p br strong em del code a h3-h6 pre blockquote ul ol li table
 * thead tbody tr th td hr span. Headings begin at h3, below those of the page. The classes are `language-…` on
 * code, `task` on the box of a task, and `center` and `right` on cells. `code` may add to them within code.
 */
export function toHtml(document: Document, code: CodeHtml = () => undefined): string {
  return document.map((block) => blockHtml(block, code)).join("");
}

/** Code as HTML that is safe, such as with its syntax marked; undefined to show it as it is. */
export type CodeHtml = (text: string, language: string) => string | undefined;

function blockHtml(block: Block, code: CodeHtml): string {
  switch (block.kind) {
    case "paragraph":
      return `<p dir="auto">${inlineHtml(block.children)}</p>`;
    case "heading": {
      const tag = `h${Math.min(block.level + 2, 6)}`;
      return `<${tag} dir="auto">${inlineHtml(block.children)}</${tag}>`;
    }
    case "code": {
      const name = /^[\w+#.-]{1,32}/.exec(block.language)?.[0];
      const language = name === undefined ? "" : ` class="language-${escapeHtml(name)}"`;
      // What stands behind the language is part of the text: a person must see it.
      const info =
        block.language === (name ?? "") ? "" : `<p dir="auto"><code>${escapeHtml(block.language)}</code></p>`;
      return `${info}<pre><code${language}>${code(block.text, name ?? "") ?? escapeHtml(block.text)}</code></pre>`;
    }
    case "quote":
      return `<blockquote>${toHtml(block.blocks, code)}</blockquote>`;
    case "list": {
      const items = block.items.map((item) => itemHtml(item, block.loose, code)).join("");
      if (block.start === undefined) return `<ul>${items}</ul>`;
      return block.start === 1 ? `<ol>${items}</ol>` : `<ol start="${block.start}">${items}</ol>`;
    }
    case "table":
      return tableHtml(block);
    case "rule":
      return "<hr>";
  }
}

function itemHtml({ done, blocks }: ListItem, loose: boolean, code: CodeHtml): string {
  const box = done === undefined ? "" : `<span class="task">${done ? "☑" : "☐"}</span> `;
  const content = blocks.map((block) =>
    block.kind === "paragraph" && !loose ? inlineHtml(block.children) : blockHtml(block, code),
  );
  return `<li dir="auto">${box}${content.join("")}</li>`;
}

function tableHtml({ columns, rows }: Table): string {
  const cell = (tag: "th" | "td", content: readonly Inline[], index: number): string => {
    const align = columns[index]?.align ?? "left";
    return `<${tag} dir="auto"${align === "left" ? "" : ` class="${align}"`}>${inlineHtml(content)}</${tag}>`;
  };
  const head = columns.map(({ heading }, index) => cell("th", heading, index)).join("");
  const body = rows.map(
    (row) => `<tr>${row.map((content, index) => cell("td", content, index)).join("")}</tr>`,
  );
  return `<table><thead><tr>${head}</tr></thead><tbody>${body.join("")}</tbody></table>`;
}

function inlineHtml(inlines: readonly Inline[]): string {
  return inlines.map(oneInlineHtml).join("");
}

function oneInlineHtml(inline: Inline): string {
  switch (inline.kind) {
    case "text":
      return escapeHtml(inline.text);
    case "code":
      return `<code>${escapeHtml(inline.text)}</code>`;
    case "break":
      return "<br>";
    case "strong":
      return `<strong>${inlineHtml(inline.children)}</strong>`;
    case "emphasis":
      return `<em>${inlineHtml(inline.children)}</em>`;
    case "strike":
      return `<del>${inlineHtml(inline.children)}</del>`;
    case "link":
      return `<a href="${escapeHtml(inline.href)}" ${LINK}>${inlineHtml(inline.children)}</a>`;
  }
}
