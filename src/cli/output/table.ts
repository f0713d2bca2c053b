import { textWidth } from "../../cells/index.js";

export interface Column<Row> {
  readonly title: string;
  /** On one line and safe to show. */
  readonly cell: (row: Row) => string;
  /** Never wider than this; the last column takes what is left. */
  readonly most?: number;
}

const GAP = "  ";
// Less than this is no use to anybody: then the lines may rather be broken by the terminal.
const NARROWEST_LAST = 10;

/** The lines of a table, its titles first. Without a width nothing is cut. */
export function tableLines<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  width: number | undefined,
): readonly string[] {
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

/** The text in at most `width` columns, with `…` where something is missing; never cut inside a grapheme. */
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

/** The text filled up with spaces to `width` columns. */
export function pad(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - textWidth(text)));
}
