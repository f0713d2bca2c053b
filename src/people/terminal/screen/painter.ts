// Draws a frame where the cursor stands and redraws it in place, without the alternate screen: what was on the
// screen before stays there and in the scrollback. Only lines that have changed are written.
//
// empty --paint--> drawn            (from the first column of the cursor's row downwards)
// drawn --paint--> drawn            (changed lines only)
// drawn --resize, clear--> empty    (the cursor is where the frame began)
// drawn --leave, forget--> empty    (what was drawn stays)

import { type AnsiOptions, toAnsi } from "../../cells/ansi.js";
import { lineWidth, plainText, type StyledLine, truncateLine } from "../../cells/line.js";
import type { Capabilities, Reflow } from "./capabilities.js";

export interface Position {
  readonly row: number;
  readonly column: number;
}

export interface Frame {
  /** A line that is too wide is cut; of too many lines those around the cursor are shown. */
  readonly lines: readonly StyledLine[];
  /** Where the real cursor stands, so that screen readers and input methods follow; hidden without. */
  readonly cursor?: Position | undefined;
}

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

export interface PainterOptions {
  readonly size: Size;
  readonly ansi: AnsiOptions;
  readonly reflow: Reflow;
}

/** Every method returns what has to be written to the terminal. */
export interface Painter {
  paint(frame: Frame): string;
  /** To be called at once when the size has changed, and followed by a `paint`. */
  resize(size: Size): string;
  /** Removes the frame; the cursor stands where it began. */
  clear(): string;
  /** Keeps the frame on the screen; the cursor stands on the line below it. */
  leave(): string;
  /** Somebody else has written on the screen: the next frame begins where the cursor is. */
  forget(): void;
}

interface DrawnLine {
  readonly ansi: string;
  readonly width: number;
  /** Whether the terminal may have drawn a character narrower than we think, and left what was there before. */
  readonly uncertain: boolean;
}

const HIDE_CURSOR = "\x1b[?25l";
const SHOW_CURSOR = "\x1b[?25h";
const ERASE_LINE = "\x1b[2K";
const ERASE_TO_END = "\x1b[K";
// One picture for terminals that can (2026), and no wrapping of a line that turns out to be wider than we thought.
const BEGIN = "\x1b[?2026h\x1b[?7l";
const END = "\x1b[?7h\x1b[?2026l";

/** A painter for what a terminal supports. */
export function painterFor({ cursor, colors, hyperlinks, reflow }: Capabilities, size: Size): Painter {
  return createPainter({ size, ansi: { styles: cursor, colors: colors > 0, hyperlinks }, reflow });
}

export function createPainter({ size: firstSize, ansi, reflow }: PainterOptions): Painter {
  let size = firstSize;
  let drawn: readonly DrawnLine[] = [];
  // Where the cursor is, relative to the first line.
  let at: Position = { row: 0, column: 0 };
  let hidden = false;

  const moveTo = (row: number): string => {
    // Below what was drawn there may be no row yet: a newline makes one.
    const known = Math.min(row, Math.max(0, drawn.length - 1, at.row));
    const output = `\r${vertical(known - at.row)}${"\r\n".repeat(row - known)}`;
    at = { row, column: 0 };
    return output;
  };
  const showCursor = (): string => {
    if (!hidden) return "";
    hidden = false;
    return SHOW_CURSOR;
  };
  const reset = (): void => {
    drawn = [];
    at = { row: 0, column: 0 };
  };
  const drawLine = (line: StyledLine): DrawnLine => {
    const fitting = trimEnd(truncateLine(line, size.columns, ""));
    const text = toAnsi(fitting, { ...ansi, place: true });
    return { ansi: text, width: lineWidth(fitting), uncertain: /\x1b\[\d+G/.test(text) };
  };
  const writeLine = ({ ansi: text, width, uncertain }: DrawnLine): string => {
    if (uncertain) return `${ERASE_LINE}${text}`;
    // After a full line the cursor may still be in its last column, which must not be erased.
    return width < size.columns ? `${text}${ERASE_TO_END}` : text;
  };
  /** From the cursor, which is `above` rows below the first of `count` rows. */
  const erase = (above: number, count: number): string => {
    const rows = Math.min(count, size.rows);
    // The terminal remembers the way back: it may have dropped rows at the bottom when it became smaller.
    const lines = Array.from({ length: rows }, () => ERASE_LINE).join("\x1b[B");
    const output = `\r${vertical(-above)}\x1b7${lines}\x1b8${showCursor()}`;
    reset();
    return rows === 0 ? "" : output;
  };

  return {
    paint(frame) {
      const { lines, cursor } = fitFrame(frame, size);
      const next = lines.map(drawLine);
      let output = "";
      for (let row = 0; row < Math.max(next.length, drawn.length); row += 1) {
        const line = next[row];
        if (line === undefined) output += moveTo(row) + ERASE_LINE;
        else if (line.ansi !== drawn[row]?.ansi) output += moveTo(row) + writeLine(line);
      }
      const changed = output !== "";
      drawn = next;
      if (cursor === undefined) {
        // It waits in the last line, below which a shell would go on, should the process be killed.
        if (hidden && !changed) return "";
        const hide = hidden ? "" : HIDE_CURSOR;
        hidden = true;
        return `${hide}${BEGIN}${output}${moveTo(Math.max(0, next.length - 1))}${END}`;
      }
      if (!changed && !hidden && cursor.row === at.row && cursor.column === at.column) return "";
      const hide = changed && !hidden ? HIDE_CURSOR : "";
      hidden ||= changed;
      output += `${moveTo(cursor.row)}\x1b[${cursor.column + 1}G`;
      at = cursor;
      return `${hide}${changed ? BEGIN : ""}${output}${changed ? END : ""}${showCursor()}`;
    },
    resize(newSize) {
      const before = size;
      size = newSize;
      if (drawn.length === 0) return "";
      const widths = drawn.map(({ width }) => width);
      const { above, count } = afterResize(widths, at, before, newSize, reflow);
      return erase(above, count);
    },
    clear: () => erase(at.row, drawn.length),
    leave() {
      if (drawn.length === 0) return showCursor();
      const output = `${moveTo(drawn.length - 1)}\r\n${showCursor()}`;
      reset();
      return output;
    },
    forget: reset,
  };
}

/**
 * How many rows the frame has after a resize, and how many of them are above the cursor. Where that cannot be known,
 * it is the least that it can be: a rest of the frame may stay on the screen, but nothing that was there before goes.
 */
function afterResize(
  widths: readonly number[],
  cursor: Position,
  before: Size,
  after: Size,
  reflow: Reflow,
): { readonly above: number; readonly count: number } {
  const rowsOf = (width: number): number => Math.max(1, Math.ceil(width / after.columns));
  if (reflow === "none" || after.columns >= before.columns)
    return { above: cursor.row, count: widths.length };
  const count = widths.reduce((rows, width) => rows + rowsOf(width), 0);
  if (reflow === "exact") {
    const above = widths.slice(0, cursor.row).reduce((rows, width) => rows + rowsOf(width), 0);
    return { above: above + Math.floor(cursor.column / after.columns), count };
  }
  // xterm.js wraps from the last line to the first, and moves the cursor down by each row that it adds. It leaves the
  // line alone that has the number of the cursor's row by then. With fewer rows, it may have dropped lines below the
  // cursor before.
  const dropped = after.rows < before.rows;
  let above = cursor.row;
  for (let row = widths.length - 1; row >= 0; row -= 1) {
    if (row === above || (dropped && row > cursor.row)) continue;
    above += rowsOf(widths[row] ?? 0) - 1;
  }
  return { above, count };
}

function vertical(rows: number): string {
  if (rows === 0) return "";
  return rows < 0 ? `\x1b[${-rows}A` : `\x1b[${rows}B`;
}

/** A frame of no more lines than there are rows, with the cursor inside. */
function fitFrame({ lines, cursor }: Frame, { columns, rows }: Size): Frame {
  const most = Math.max(1, rows);
  const row = Math.min(Math.max(0, cursor?.row ?? 0), Math.max(0, lines.length - 1));
  const first = Math.max(0, Math.min(row - most + 1, lines.length - most));
  const shown = lines.slice(first, first + most);
  const column = Math.min(Math.max(0, cursor?.column ?? 0), Math.max(0, columns - 1));
  return { lines: shown, cursor: cursor && { row: row - first, column } };
}

/** Without spaces at the end that nobody sees, which a terminal would wrap when it becomes narrower. */
function trimEnd(line: StyledLine): StyledLine {
  const last = line.at(-1);
  if (last === undefined || last.style.inverse === true || last.style.underline === true) return line;
  const text = plainText([last]).trimEnd();
  if (text === last.text) return line;
  return text === "" ? trimEnd(line.slice(0, -1)) : [...line.slice(0, -1), { ...last, text }];
}
