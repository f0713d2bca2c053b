// A document as lines of cells for a terminal.

import { type Segment, type Style, type StyledLine, styled } from "../cells/line.js";
import { textWidth } from "../cells/width.js";
import { wrapLine } from "../cells/wrap.js";
import type { Block, Document, Inline, ListItem } from "./document.js";
import { tableLines } from "./table-lines.js";

export interface LineOptions {
  /** How many cells a line may have. */
  readonly width: number;
  /** Draws with ASCII alone. */
  readonly ascii?: boolean;
}

export interface Glyphs {
  readonly bullets: readonly string[];
  readonly done: string;
  readonly open: string;
  readonly bar: string;
  readonly line: string;
  readonly cross: string;
}

const UNICODE: Glyphs = { bullets: ["•", "◦", "▪"], done: "☑", open: "☐", bar: "│", line: "─", cross: "┼" };
const ASCII: Glyphs = { bullets: ["-", "*", "+"], done: "[x]", open: "[ ]", bar: "|", line: "-", cross: "+" };

/** More than anybody scrolls through. What is cut off is marked by a line with an ellipsis. */
const MOST_LINES = 20_000;
/** With less room than this for text, quotes and lists are not indented any further. */
const NARROWEST = 8;

interface Context {
  readonly width: number;
  readonly glyphs: Glyphs;
  /** How many lists are around this. */
  readonly depth: number;
}

/** Lines of at most `width` cells, for any width of two or more. */
export function toLines(document: Document, { width, ascii = false }: LineOptions): readonly StyledLine[] {
  const glyphs = ascii ? ASCII : UNICODE;
  const lines = blocksLines(document, { width: Math.max(1, width), glyphs, depth: 0 }, true);
  if (lines.length <= MOST_LINES) return lines;
  return [...lines.slice(0, MOST_LINES - 1), [styled(ascii ? "..." : "…")]];
}

/** The blocks one below the other, with an empty line between two that stand apart. */
function blocksLines(blocks: readonly Block[], context: Context, apart: boolean): readonly StyledLine[] {
  const lines: StyledLine[] = [];
  for (const block of blocks) {
    const more = blockLines(block, context);
    if (apart && lines.length > 0 && more.length > 0) lines.push([]);
    for (const line of more) lines.push(line);
  }
  return lines;
}

function blockLines(block: Block, context: Context): readonly StyledLine[] {
  const { width, glyphs } = context;
  switch (block.kind) {
    case "paragraph":
      return wrapped(inlineLines(block.children), width);
    case "heading": {
      const style: Style = block.level <= 2 ? { bold: true, color: "accent" } : { bold: true };
      return wrapped(inlineLines(block.children, style), width);
    }
    case "code":
      return codeLines(block.language, block.text, context);
    case "quote": {
      const bar = [styled(`${glyphs.bar} `, { color: "muted" })];
      return behind(bar, bar, context, (inner) => blocksLines(block.blocks, inner, true));
    }
    case "list":
      return listLines(block, context);
    case "table": {
      const cells = (inlines: readonly Inline[], style?: Style): readonly StyledLine[] =>
        inlineLines(inlines, style);
      return tableLines(block, cells, width, glyphs);
    }
    case "rule":
      return [[styled(glyphs.line.repeat(width), { color: "muted" })]];
  }
}

function codeLines(language: string, text: string, context: Context): readonly StyledLine[] {
  const indent = [styled("  ")];
  return behind(indent, indent, context, ({ width }) => {
    const label = language === "" ? [] : wrapLine([styled(language, { color: "muted" })], width, "code");
    const lines = text.replaceAll("\t", "    ").split("\n");
    return [...label, ...lines.flatMap((line) => wrapLine([styled(line, { color: "code" })], width, "code"))];
  });
}

function listLines(list: Extract<Block, { kind: "list" }>, context: Context): readonly StyledLine[] {
  const { glyphs, depth } = context;
  const bullet = glyphs.bullets[depth % glyphs.bullets.length] ?? "-";
  const lines: StyledLine[] = [];
  list.items.forEach((item, index) => {
    const number = list.start === undefined ? bullet : `${list.start + index}.`;
    const marker = `${markerOf(item, number, list.start !== undefined, glyphs)} `;
    if (list.loose && lines.length > 0) lines.push([]);
    const indent = [styled(" ".repeat(textWidth(marker)))];
    const inside = behind([styled(marker, { color: "accent" })], indent, context, (inner) =>
      blocksLines(item.blocks, { ...inner, depth: depth + 1 }, list.loose),
    );
    for (const line of inside) lines.push(line);
  });
  return lines;
}

function markerOf({ done }: ListItem, number: string, ordered: boolean, glyphs: Glyphs): string {
  if (done === undefined) return number;
  const box = done ? glyphs.done : glyphs.open;
  return ordered ? `${number} ${box}` : box;
}

/** Lines behind a prefix; where that would leave no room, the prefix gets a line of its own instead. */
function behind(
  first: StyledLine,
  further: StyledLine,
  context: Context,
  lines: (inner: Context) => readonly StyledLine[],
): readonly StyledLine[] {
  const taken = first.reduce((sum, { text }) => sum + textWidth(text), 0);
  const marks = first.some(({ text }) => text.trim() !== "");
  if (context.width - taken < NARROWEST) {
    const inside = lines(context);
    return marks ? [...wrapLine(first, context.width), ...inside] : inside;
  }
  const inside = lines({ ...context, width: context.width - taken });
  if (inside.length === 0) return marks ? [first] : [];
  return inside.map((line, index) => [...(index === 0 ? first : further), ...line]);
}

function wrapped(lines: readonly StyledLine[], width: number): readonly StyledLine[] {
  return lines.flatMap((line) => wrapLine(line, width));
}

/** One line for each that the text itself has. */
function inlineLines(inlines: readonly Inline[], style: Style = {}): readonly StyledLine[] {
  const lines: Segment[][] = [[]];
  const add = (text: string, own: Style): void => {
    // A tab has no width of its own.
    lines.at(-1)?.push(styled(text.replaceAll("\t", "    "), own));
  };
  const walk = (children: readonly Inline[], own: Style): void => {
    for (const inline of children) {
      switch (inline.kind) {
        case "text":
          add(inline.text, own);
          break;
        case "code":
          add(inline.text, { ...own, color: "code" });
          break;
        case "break":
          lines.push([]);
          break;
        case "strong":
          walk(inline.children, { ...own, bold: true });
          break;
        case "emphasis":
          walk(inline.children, { ...own, italic: true });
          break;
        case "strike":
          walk(inline.children, { ...own, strike: true });
          break;
        case "link": {
          const text = inlineText(inline.children);
          walk(inline.children, { ...own, underline: true, link: inline.href });
          // Where a link leads must be seen before it is followed, and text may pretend to be an address.
          if (!sameAddress(text, inline.href)) add(` (${inline.href})`, { ...own, color: "muted" });
          break;
        }
      }
    }
  };
  walk(inlines, style);
  return lines;
}

function inlineText(inlines: readonly Inline[]): string {
  return inlines
    .map((inline) => {
      if (inline.kind === "break") return "\n";
      return "text" in inline ? inline.text : inlineText(inline.children);
    })
    .join("");
}

function sameAddress(text: string, href: string): boolean {
  return [text, `${text}/`, `mailto:${text}`].includes(href);
}
