// Lines of styled text. A style says what text is; whether that becomes colour, and which, is up to the painter.

import { graphemes, graphemeWidth, textWidth } from "./width.js";

/** What a colour stands for. */
export type ColorRole = "accent" | "code" | "muted" | "success" | "warning" | "danger";

export interface Style {
  readonly bold?: boolean;
  readonly italic?: boolean;
  readonly dim?: boolean;
  readonly underline?: boolean;
  readonly strike?: boolean;
  readonly inverse?: boolean;
  readonly color?: ColorRole;
  /** An http, https or mailto address. */
  readonly link?: string;
}

export interface Segment {
  readonly text: string;
  readonly style: Style;
}

/** One line of cells. Its text has passed `displayLine`: no newline, tab or control character. */
export type StyledLine = readonly Segment[];

export function styled(text: string, style: Style = {}): Segment {
  return { text, style };
}

export function plainText(line: StyledLine): string {
  return line.map(({ text }) => text).join("");
}

export function lineWidth(line: StyledLine): number {
  return textWidth(plainText(line));
}

/** The text from one offset to another, in UTF-16 code units of {@link plainText}. */
export function sliceLine(line: StyledLine, start: number, end: number): StyledLine {
  const parts: Segment[] = [];
  let offset = 0;
  for (const { text, style } of line) {
    const part = text.slice(Math.max(0, start - offset), Math.max(0, end - offset));
    if (part !== "") parts.push({ text: part, style });
    offset += text.length;
    if (offset >= end) break;
  }
  return parts;
}

/** A line of at most `width` cells; one that is longer ends in `ellipsis`, which has one cell a character. */
export function truncateLine(line: StyledLine, width: number, ellipsis = "…"): StyledLine {
  const text = plainText(line);
  // A code unit has two cells at most.
  if (text.length * 2 <= width) return line;
  const room = width - ellipsis.length;
  let cells = 0;
  let offset = 0;
  let cut = 0;
  for (const grapheme of graphemes(text)) {
    cells += graphemeWidth(grapheme);
    offset += grapheme.length;
    if (cells <= room) cut = offset;
    if (cells > width) {
      const kept = sliceLine(line, 0, cut);
      const end = ellipsis.slice(0, Math.max(0, width));
      return end === "" ? kept : [...kept, { text: end, style: kept.at(-1)?.style ?? {} }];
    }
  }
  return line;
}

/** A line of at least `width` cells, filled up with spaces on the right, on the left, or on both sides. */
export function padLine(
  line: StyledLine,
  width: number,
  align: "left" | "center" | "right" = "left",
): StyledLine {
  const missing = width - lineWidth(line);
  if (missing <= 0) return line;
  const before = align === "left" ? 0 : align === "right" ? missing : Math.floor(missing / 2);
  const spaces = (count: number): StyledLine => (count > 0 ? [styled(" ".repeat(count))] : []);
  return [...spaces(before), ...line, ...spaces(missing - before)];
}
