import { textWidth } from "../../people/cells/width.js";
import type { World } from "../world/world.js";
import { columnsOf, print } from "./print.js";

export interface Column<Row> {
  readonly title: string;
  /** One line, safe to show. */
  readonly cell: (row: Row) => string;
  /** The maximum width. The last column takes the remaining space. */
  readonly most?: number;
}

const GAP = "  ";
// A narrower last column would be useless; the terminal wraps the lines instead.
const NARROWEST_LAST = 10;

/** Prints rows as a table, or `empty` if there are none; with `json`, the value. */
export function printTable<Row>(
  world: World,
  json: boolean | undefined,
  value: unknown,
  rows: readonly Row[],
  columns: readonly (Column<Row> | false)[],
  empty: string,
): Promise<void> {
  return print(world, json, value, () =>
    rows.length === 0 ? empty : tableLines(columns, rows, columnsOf(world)).join("\n"),
  );
}

/** The lines of a table, titles first; columns that are false are left out. Without a width nothing is cut. */
export function tableLines<Row>(
  wanted: readonly (Column<Row> | false)[],
  rows: readonly Row[],
  width: number | undefined,
): readonly string[] {
  const columns = wanted.filter((column) => column !== false);
  const cells = rows.map((row) =>
    columns.map(({ cell, most }) =>
      width === undefined || most === undefined ? cell(row) : cut(cell(row), most),
    ),
  );
  const widths = columns.map(({ title }, index) =>
    Math.max(textWidth(title), ...cells.map((row) => textWidth(row[index] ?? ""))),
  );
  const before = widths.slice(0, -1).reduce((sum, one) => sum + one + GAP.length, 0);
  const last = width === undefined ? Number.POSITIVE_INFINITY : Math.max(NARROWEST_LAST, width - before);
  const line = (texts: readonly string[]): string =>
    texts
      .map((text, index) => (index < texts.length - 1 ? pad(text, widths[index] ?? 0) : cut(text, last)))
      .join(GAP)
      .trimEnd();
  return [line(columns.map(({ title }) => title)), ...cells.map(line)];
}

/** Shortens text to `width` columns, ending with `…`. Never splits a grapheme. */
export function cut(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  let shown = "";
  let used = 0;
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    const more = textWidth(segment);
    if (used + more > width - 1) break;
    shown += segment;
    used += more;
  }
  return `${shown.trimEnd()}…`;
}

/** Pads text with spaces to `width` columns. */
export function pad(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - textWidth(text)));
}
