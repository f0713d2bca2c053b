// The rows one below the other, and the part of them that fits.

import { type StyledLine, styled, truncateLine } from "../../cells/line.js";
import type { Position } from "../screen/painter.js";
import type { Block } from "./blocks.js";
import type { Scene } from "./scene.js";

export interface List {
  readonly lines: readonly StyledLine[];
  readonly cursor: Position;
  /** The lines of the row under the cursor, and where each row begins. */
  readonly start: number;
  readonly end: number;
  readonly starts: readonly number[];
}

export function listLines(blocks: readonly Block[], gap: number): List {
  const lines: StyledLine[] = [];
  const starts: number[] = [];
  let [start, end] = [0, 1];
  let cursor: Position = { row: 0, column: 0 };
  for (const block of blocks) {
    if (block.apart && gap > 0) lines.push([]);
    starts.push(lines.length);
    if (block.cursor !== undefined) {
      start = lines.length;
      end = start + block.lines.length;
      cursor = { row: start + block.cursor.row, column: block.cursor.column };
    }
    for (const line of block.lines) lines.push(line);
  }
  return { lines, cursor, start, end, starts };
}

const MARKS_FROM = 5;

/** The part of the list around the cursor, with how many rows there are above and below. */
export function scrolled(
  list: List,
  room: number,
  before: number,
  { words, glyphs, size }: Scene,
): List & { readonly top: number } {
  const total = list.lines.length;
  const height = Math.max(1, room);
  if (total <= height) return { ...list, top: 0 };
  const marks = height >= MARKS_FROM;
  const inner = marks ? height - 2 : height;
  // The cursor itself first, then the end of its row, then where the list stood.
  const latest = Math.min(list.start, list.cursor.row);
  const earliest = Math.max(Math.min(list.end - inner, latest), list.cursor.row - inner + 1);
  const top = Math.max(0, Math.min(Math.max(Math.min(before, latest), earliest), total - inner));
  const shown = list.lines.slice(top, top + inner);
  const above = list.starts.filter((start) => start < top).length;
  const below = list.starts.filter((start) => start >= top + inner).length;
  const markLine = (count: number, glyph: string, text: string): StyledLine =>
    count === 0
      ? []
      : truncateLine([styled(`  ${glyph} ${text}`, { color: "muted" })], size.columns, glyphs.more);
  const lines = marks
    ? [
        markLine(above, glyphs.up, words.moreAbove(above)),
        ...shown,
        markLine(below, glyphs.down, words.moreBelow(below)),
      ]
    : shown;
  const cursor = { row: list.cursor.row - top + (marks ? 1 : 0), column: list.cursor.column };
  return { ...list, lines, cursor, top };
}
