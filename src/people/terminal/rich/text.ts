// Text of a model on the screen: glyphs, wrapping, folding, and Markdown once its parser is there.

import { displayText } from "../../../core/text/display.js";
import { lineWidth, type Style, type StyledLine, styled } from "../../cells/line.js";
import { textWidth } from "../../cells/width.js";
import { wrapLine } from "../../cells/wrap.js";
import type { Document } from "../../markdown/document.js";
import { toLines } from "../../markdown/lines.js";
import { plainDocument, textLines } from "../../markdown/plain.js";

export interface Glyphs {
  readonly ascii: boolean;
  readonly pointer: string;
  readonly single: readonly [off: string, on: string];
  readonly multi: readonly [off: string, on: string];
  readonly done: string;
  readonly open: string;
  readonly problem: string;
  readonly bar: string;
  readonly more: string;
  readonly up: string;
  readonly down: string;
  readonly separator: string;
  readonly arrows: string;
  readonly command: string;
}

const UNICODE: Glyphs = {
  ascii: false,
  pointer: "❯",
  single: ["○", "●"],
  multi: ["☐", "☒"],
  done: "✔",
  open: "☐",
  problem: "!",
  bar: "│",
  more: "…",
  up: "↑",
  down: "↓",
  separator: " · ",
  arrows: "↑↓",
  command: "→",
};

const ASCII: Glyphs = {
  ascii: true,
  pointer: ">",
  single: ["( )", "(*)"],
  multi: ["[ ]", "[x]"],
  done: "x",
  open: "-",
  problem: "!",
  bar: "|",
  more: "...",
  up: "^",
  down: "v",
  separator: " | ",
  arrows: "Up/Down",
  command: "=",
};

export function glyphsOf(unicode: boolean): Glyphs {
  return unicode ? UNICODE : ASCII;
}

/** A model's text, safe to show, as lines. Where it has no newline of its own, a literal `\n` is one. */
export function modelLines(text: string): readonly string[] {
  const shown = displayText(text).replaceAll("\t", "    ").trimEnd();
  return (shown.includes("\n") ? shown : shown.replace(/(?:\\r)?\\n/g, "\n")).split("\n");
}

/** The same on one line. */
export function modelLine(text: string): string {
  return modelLines(text).join(" ");
}

/** Wrapped lines of one style. */
export function wrapped(lines: readonly string[], width: number, style: Style = {}): readonly StyledLine[] {
  return lines.flatMap((line) => wrapLine([styled(line, style)], Math.max(1, width)));
}

/** Lines behind a prefix; the further ones stand below the first. Where that leaves no room, below the prefix. */
export function hangLines(
  prefix: StyledLine,
  lines: (width: number) => readonly StyledLine[],
  width: number,
): readonly StyledLine[] {
  const taken = lineWidth(prefix);
  if (taken > width / 2) {
    const less = styled(" ".repeat(width < 20 ? 1 : 4));
    const below = lines(Math.max(1, width - less.text.length)).filter((line) => line.length > 0);
    return [...wrapLine(prefix, width), ...below.map((line) => [less, ...line])];
  }
  const indent = styled(" ".repeat(taken));
  return lines(width - taken).map((line, index) => (index === 0 ? [...prefix, ...line] : [indent, ...line]));
}

/** The first line alone, with a mark where there would be more; never cut inside of a word that fits. */
export function clipped(
  lines: readonly StyledLine[],
  most: number,
  width: number,
  more: string,
): readonly StyledLine[] {
  if (lines.length <= most) return lines;
  const kept = lines.slice(0, Math.max(1, most));
  const last = kept.at(-1) ?? [];
  const [fitting = []] = wrapLine(last, Math.max(1, width - textWidth(more)));
  return [...kept.slice(0, -1), [...fitting, styled(more, { color: "muted" })]];
}

type Parse = (source: string) => Document;

let parser: Parse | undefined;

/** Loads the Markdown parser if one of the texts needs it. Until then, and without it, they are shown as written. */
export async function loadMarkdown(texts: readonly string[]): Promise<void> {
  if (parser !== undefined || texts.every((text) => plainDocument(text) !== undefined)) return;
  const { parseMarkdown } = await import("../../markdown/parse.js");
  parser = parseMarkdown;
}

const documents = new WeakMap<object, Document>();

/** Markdown as lines of cells. `owner` is what the text belongs to: it is parsed once for each. */
export function markdownLines(
  owner: object,
  source: string,
  width: number,
  ascii: boolean,
): readonly StyledLine[] {
  let document = documents.get(owner);
  if (document === undefined) {
    document = plainDocument(source) ?? parser?.(source);
    if (document === undefined) {
      return toLines([{ kind: "paragraph", children: textLines(displayText(source)) }], { width, ascii });
    }
    documents.set(owner, document);
  }
  return toLines(document, { width: Math.max(2, width), ascii });
}
