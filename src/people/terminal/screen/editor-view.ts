// A text field on the screen: its text in rows of a width, the part of them that fits, and the caret in its cell.

import { displayLine } from "../../../core/text/display.js";
import { graphemes, textWidth } from "../../cells/width.js";
import { wrapRanges } from "../../cells/wrap.js";
import type { EditorState } from "./editor.js";
import type { Position } from "./painter.js";

export interface EditorSpace {
  /** One cell of it is kept for the caret at the end of a row. */
  readonly width: number;
  readonly height: number;
}

export interface EditorView {
  /** The text of each row that is shown, safe to show, at most `width` cells. */
  readonly rows: readonly string[];
  /** For each of these rows, its line of the text, and its place among the rows of that line. */
  readonly places: readonly { readonly line: number; readonly row: number; readonly rows: number }[];
  /** Where the caret is, within these rows. */
  readonly cursor: Position;
  /** Which row is shown first, to be given back at the next view so that the text stands still; and how many exist. */
  readonly first: number;
  readonly count: number;
}

/** The rows around the caret; `first` is where the last view began. */
export function viewEditor(state: EditorState, { width, height }: EditorSpace, first = 0): EditorView {
  const rows = layOut(state.text, width);
  const at = rowOf(rows, state.caret);
  const shown = Math.max(1, height);
  const start = Math.max(0, Math.min(Math.max(first, at - shown + 1), at, Math.max(0, rows.length - shown)));
  const visible = rows.slice(start, start + shown);
  return {
    rows: visible.map((row) => row.shown),
    places: visible.map(({ place }) => place),
    cursor: { row: at - start, column: columnOf(state, rows[at], width) },
    first: start,
    count: rows.length,
  };
}

/** Where the caret goes in the row above, in the same column or `column`; undefined in the first row. */
export function rowAbove(state: EditorState, width: number, column?: number): number | undefined {
  return neighbour(state, width, -1, column);
}

/** The same in the row below; undefined in the last one. */
export function rowBelow(state: EditorState, width: number, column?: number): number | undefined {
  return neighbour(state, width, 1, column);
}

interface Row {
  readonly place: EditorView["places"][number];
  /** Offsets in the text; white space at a break belongs to the row before it. */
  readonly start: number;
  readonly end: number;
  /** The text of the row, without white space that hangs over its edge. */
  readonly shown: string;
  /** Each grapheme from `start` to `end`. */
  readonly cells: readonly { readonly length: number; readonly width: number }[];
}

function neighbour(
  state: EditorState,
  width: number,
  step: -1 | 1,
  column: number | undefined,
): number | undefined {
  const rows = layOut(state.text, width);
  const at = rowOf(rows, state.caret);
  const target = rows[at + step];
  if (target === undefined) return undefined;
  const wanted = column ?? columnOf(state, rows[at], width);
  let offset = target.start;
  let cells = 0;
  for (const cell of target.cells) {
    if (cells + cell.width > wanted) break;
    cells += cell.width;
    offset += cell.length;
  }
  // The end of a row that was wrapped is the beginning of the next.
  const wrapped = rows[at + step + 1]?.start === target.end;
  return wrapped && offset === target.end ? target.end - (target.cells.at(-1)?.length ?? 0) : offset;
}

/** The last row that begins at or before the caret. */
function rowOf(rows: readonly Row[], caret: number): number {
  const next = rows.findIndex(({ start }) => start > caret);
  return next < 0 ? rows.length - 1 : next - 1;
}

function columnOf({ caret }: EditorState, row: Row | undefined, width: number): number {
  let offset = row?.start ?? 0;
  let column = 0;
  for (const cell of row?.cells ?? []) {
    if (offset >= caret) break;
    offset += cell.length;
    column += cell.width;
  }
  // Spaces at a break may hang over the edge.
  return Math.min(column, Math.max(0, width - 1));
}

function layOut(text: string, width: number): readonly Row[] {
  const rows: Row[] = [];
  let offset = 0;
  for (const [number, line] of text.split("\n").entries()) {
    const laid = layOutLine(line, offset, Math.max(1, width - 1));
    for (const [row, one] of laid.entries()) {
      rows.push({ ...one, place: { line: number, row, rows: laid.length } });
    }
    offset += line.length + 1;
  }
  return rows;
}

/** What is shown may be longer or shorter than what was typed, such as for a tab. */
function layOutLine(line: string, offset: number, width: number): readonly Omit<Row, "place">[] {
  const pieces = Array.from(graphemes(line), (typed) => ({ typed, shown: showGrapheme(typed) }));
  const shown = pieces.map((piece) => piece.shown).join("");
  // A row goes on to where the next begins, so that every space has its place in one.
  const starts = [...new Set([0, ...wrapRanges(shown, width).map(({ start }) => start)])];
  let index = 0;
  let from = 0;
  let start = offset;
  return starts.map((_, number) => {
    const next = starts[number + 1] ?? Number.POSITIVE_INFINITY;
    const cells: { length: number; width: number }[] = [];
    let end = start;
    let to = from;
    for (let piece = pieces[index]; piece !== undefined && to < next; piece = pieces[index]) {
      cells.push({ length: piece.typed.length, width: textWidth(piece.shown) });
      end += piece.typed.length;
      to += piece.shown.length;
      index += 1;
    }
    const text = shown.slice(from, to);
    const row = { start, end, shown: textWidth(text) > width ? text.trimEnd() : text, cells };
    start = end;
    from = to;
    return row;
  });
}

function showGrapheme(grapheme: string): string {
  return grapheme === "\t" ? "    " : displayLine(grapheme);
}
