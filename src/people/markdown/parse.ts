// Untrusted Markdown, made into a document that is safe to show. Nothing of it is left out but the titles of links:
// what cannot be rendered is shown as it was written.

import type { MarkedToken, Token, Tokens } from "marked";
import { displayLine, displayText } from "../../core/text/display.js";
import { boundedTokens } from "./bounded-lexer.js";
import type { Block, Document, Inline, ListItem } from "./document.js";
import { plainDocument, textLines as plainLines } from "./plain.js";

/** More than any field of an ask may hold. What is longer is shown as text from there on. */
const MOST_SOURCE = 131_072;
const MOST_HREF = 2_048;

/** Never throws, whatever the text; takes time in proportion to its length. */
export function parseMarkdown(source: string): Document {
  return plainDocument(source) ?? parseMarkup(source);
}

/** {@link parseMarkdown} by way of marked, also where there is no markup. */
export function parseMarkup(source: string): Document {
  const text = unescapeNewlines(displayText(source));
  return [...parseBlocks(text.slice(0, MOST_SOURCE)), ...plainBlocks(text.slice(MOST_SOURCE))];
}

function parseBlocks(source: string): readonly Block[] {
  try {
    return toBlocks(boundedTokens(source));
  } catch {
    // A fault of marked must not keep a person from reading what they are asked.
    return plainBlocks(source);
  }
}

function plainBlocks(text: string): readonly Block[] {
  return text.trim() === "" ? [] : [{ kind: "paragraph", children: textLines(text) }];
}

/**
 * Models sometimes escape a text twice. Where it has no newline of its own, each `\n` is one, also for lists and
 * code blocks; in any other text only those in prose are (see {@link prose}). In `code` it stays.
 */
function unescapeNewlines(text: string): string {
  if (text.includes("\n") || !text.includes("\\n")) return text;
  return text.replace(/\\\\|(?<!`)(`{1,2})(?!`).*?(?<!`)\1(?!`)|(?:\\r)?\\n/g, (found) =>
    found.endsWith("\\n") && !found.startsWith("`") ? "\n" : found,
  );
}

function toBlocks(tokens: readonly Token[]): readonly Block[] {
  return (tokens as readonly MarkedToken[]).flatMap((token): readonly Block[] => {
    switch (token.type) {
      case "space":
      case "checkbox":
        return [];
      case "heading":
        return [{ kind: "heading", level: token.depth, children: toInlines(token.tokens) }];
      case "hr":
        return [{ kind: "rule" }];
      case "code":
        return [{ kind: "code", language: displayLine(token.lang ?? "").trim(), text: safe(token.text) }];
      case "blockquote":
        return [{ kind: "quote", blocks: toBlocks(token.tokens) }];
      case "list":
        return [toList(token)];
      case "table":
        return [toTable(token)];
      case "paragraph":
        return [{ kind: "paragraph", children: toInlines(token.tokens) }];
      case "text":
        return [{ kind: "paragraph", children: toInlines(token.tokens ?? [token]) }];
      default:
        // HTML, and the targets of links that are defined apart: a page would hide them.
        return plainBlocks(token.raw.trimEnd());
    }
  });
}

function toList(token: Tokens.List): Block {
  const items = token.items.map(
    ({ tokens, task, checked }): ListItem => ({
      ...(task ? { done: checked === true } : {}),
      blocks: toBlocks(tokens),
    }),
  );
  const start = token.ordered ? { start: Number(token.start) || 0 } : {};
  return { kind: "list", ...start, loose: token.loose, items };
}

function toTable({ header, align, rows }: Tokens.Table): Block {
  return {
    kind: "table",
    columns: header.map(({ tokens }, index) => ({
      heading: toInlines(tokens),
      align: align[index] ?? "left",
    })),
    rows: rows.map((row) => row.map(({ tokens }) => toInlines(tokens))),
  };
}

function toInlines(tokens: readonly Token[], inLink = false): readonly Inline[] {
  return (tokens as readonly MarkedToken[]).flatMap((token): readonly Inline[] => {
    switch (token.type) {
      case "checkbox":
        return [];
      case "br":
        return [{ kind: "break" }];
      case "codespan":
        return [{ kind: "code", text: safe(token.text).replaceAll("\n", " ") }];
      case "strong":
        return [{ kind: "strong", children: toInlines(token.tokens, inLink) }];
      case "em":
        return [{ kind: "emphasis", children: toInlines(token.tokens, inLink) }];
      case "del":
        return [{ kind: "strike", children: toInlines(token.tokens, inLink) }];
      case "link":
      case "image":
        return toLink(token, inLink);
      case "escape":
        return textLines(token.text);
      case "text":
        return prose(token.text);
      default:
        return textLines(token.raw);
    }
  });
}

/** A link where its target is one that may be followed; otherwise its text with the target behind it. */
function toLink(token: Tokens.Link | Tokens.Image, inLink: boolean): readonly Inline[] {
  const literal = token.type === "link" && token.autolink === true;
  const target = literal ? token.href : decodeEntities(token.href);
  const children = literal ? textLines(token.text) : toInlines(token.tokens, true);
  const shown = children.length > 0 ? children : textLines(target);
  // Within a link, an address is text.
  if (inLink && literal) return shown;
  const href = inLink ? undefined : linkTarget(target);
  if (href !== undefined) return [{ kind: "link", href, children: shown }];
  return children.length > 0 && target !== "" ? [...shown, ...textLines(` (${target})`)] : shown;
}

/** The address in its normal form, in ASCII, if it is one of the web or of a mailbox. */
function linkTarget(target: string): string | undefined {
  if (!URL.canParse(target)) return undefined;
  const { protocol, href } = new URL(target);
  const followed = protocol === "http:" || protocol === "https:" || protocol === "mailto:";
  return followed && href.length <= MOST_HREF && /^[\x21-\x7e]+$/.test(href) ? href : undefined;
}

/** Text in which a model may have typed `\n` for a line break. */
function prose(text: string): readonly Inline[] {
  return textLines(decodeEntities(text).replace(/(?:\\r)?\\n/g, "\n"));
}

function textLines(text: string): readonly Inline[] {
  return plainLines(safe(text));
}

/**
 * The source is safe already, but marked decodes some character references by itself. A selector may come first:
 * it belongs to what stood before this piece of text.
 */
function safe(text: string): string {
  return displayText(`0${text}`).slice(1);
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: "\u00a0",
  copy: "©",
  reg: "®",
  trade: "™",
  hellip: "…",
  ndash: "–",
  mdash: "—",
  lsquo: "‘",
  rsquo: "’",
  ldquo: "“",
  rdquo: "”",
  bull: "•",
  middot: "·",
  times: "×",
  larr: "←",
  rarr: "→",
};

/** Character references; an unknown name stays as it is. */
function decodeEntities(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(
    /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-zA-Z]{2,8}));/g,
    (found, decimal: string | undefined, hex: string | undefined, name: string | undefined) => {
      if (name !== undefined) return Object.hasOwn(ENTITIES, name) ? (ENTITIES[name] ?? found) : found;
      const code = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal);
      return code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)
        ? "\uFFFD"
        : String.fromCodePoint(code);
    },
  );
}
