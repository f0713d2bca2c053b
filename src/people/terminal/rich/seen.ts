// What of an action has been on the screen. Every row that shows a part of its name or arguments is marked with what it
// shows; a frame is looked at when it is painted. A line counts when all of its rows were there at one width, so it
// counts through scrolling, pages and other sizes of the terminal. Changed arguments keep the lines that stayed.

import type { StyledLine } from "../../cells/line.js";
import type { LiveForm } from "../../form/live-form.js";

/** Arguments as text: the agent's, or changed ones. */
export interface ActionText {
  readonly id: string;
  readonly args: string;
  readonly isChanged: boolean;
}

/** Line 0 is the name of the action; its arguments begin with 1. A line has one row or more. */
export interface RowPlace {
  readonly line: number;
  readonly row: number;
  readonly rows: number;
}

const marks = new WeakMap<
  StyledLine,
  { readonly of: ActionText; readonly place: RowPlace; readonly width: number }
>();

/** Marks a row of a frame as a part of an action. */
export function markRow(row: StyledLine, of: ActionText, place: RowPlace, width: number): StyledLine {
  marks.set(row, { of, place, width });
  return row;
}

/** Marks all rows of one line. */
export function markLine(
  rows: readonly StyledLine[],
  of: ActionText,
  line: number,
  width: number,
): readonly StyledLine[] {
  return rows.map((row, index) => markRow(row, of, { line, row: index, rows: rows.length }, width));
}

export interface Seen {
  /** To be called with the lines of a frame. Reports what has been seen as a whole; true if the form has changed by it. */
  look(lines: readonly StyledLine[]): boolean;
  /** The person has read it elsewhere, such as in an editor. */
  read(of: ActionText): void;
}

interface Reading {
  readonly of: ActionText;
  readonly lines: readonly string[];
  readonly seen: boolean[];
  /** Rows of lines that were not seen as a whole yet. */
  readonly rows: Set<string>;
}

export function createSeen(driver: Pick<LiveForm, "state" | "dispatch">): Seen {
  const readings = new Map<string, Reading>();
  const keyOf = ({ id, isChanged }: ActionText): string => `${isChanged ? "changed" : "own"} ${id}`;
  const readingOf = (of: ActionText): Reading => {
    const before = readings.get(keyOf(of)) ?? readings.get(keyOf({ ...of, isChanged: false }));
    if (before?.of.args === of.args) return before;
    const lines = ["", ...of.args.split("\n")];
    const reading = { of, lines, seen: carried(before, lines), rows: new Set<string>() };
    readings.set(keyOf(of), reading);
    return reading;
  };
  return {
    look(lines) {
      const looked = new Set<Reading>();
      for (const line of lines) {
        const mark = marks.get(line);
        if (mark === undefined) continue;
        const reading = readingOf(mark.of);
        const { place, width } = mark;
        const keys = Array.from({ length: place.rows }, (_, row) => `${width} ${place.line} ${row}`);
        reading.rows.add(keys[place.row] ?? "");
        if (keys.every((key) => reading.rows.has(key))) reading.seen[place.line] = true;
        looked.add(reading);
      }
      const before = driver.state;
      for (const { of, seen } of looked) {
        if (!seen.includes(false)) driver.dispatch({ type: "shown", id: of.id, args: of.args });
      }
      return driver.state !== before;
    },
    read(of) {
      readingOf(of).seen.fill(true);
    },
  };
}

/** Which lines were seen before the text was changed. Blank ones need not be seen. */
function carried(before: Reading | undefined, lines: readonly string[]): boolean[] {
  const old = before?.lines ?? [];
  const most = Math.min(old.length, lines.length);
  let [head, tail] = [0, 0];
  while (head < most && old[head] === lines[head]) head += 1;
  while (tail < most - head && old.at(-1 - tail) === lines.at(-1 - tail)) tail += 1;
  return lines.map((line, index) => {
    if (index > 0 && line.trim() === "") return true;
    const place =
      index < head ? index : index >= lines.length - tail ? index - lines.length + old.length : -1;
    return before?.seen[place] ?? false;
  });
}
