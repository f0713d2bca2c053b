// A table as lines: aligned where it fits, its cells wrapped where that helps, and each row as a list of headings
// and values where it is too narrow for columns.

import { lineWidth, padLine, plainText, type Style, type StyledLine, styled } from "../cells/line.js";
import { textWidth } from "../cells/width.js";
import { wrapLine } from "../cells/wrap.js";
import type { Inline, Table } from "./document.js";
import type { Glyphs } from "./lines.js";

/** A column is not made narrower than its longest word, unless that is longer than this. */
const LONGEST_WORD = 16;
const GAP = 3;

type Cell = readonly StyledLine[];

export function tableLines(
  { columns, rows }: Table,
  toCell: (inlines: readonly Inline[], style?: Style) => Cell,
  width: number,
  glyphs: Glyphs,
): readonly StyledLine[] {
  const head = columns.map(({ heading }) => toCell(heading, { bold: true }));
  const body = rows.map((row) => row.map((inlines) => toCell(inlines)));
  const widths = columnWidths([head, ...body], columns.length, width - GAP * (columns.length - 1));
  if (widths === undefined) return stackedLines(head, body, width);

  const muted: Style = { color: "muted" };
  const rule = [styled(widths.map((cells) => glyphs.line.repeat(cells)).join(ruleGap(glyphs)), muted)];
  const bar = styled(` ${glyphs.bar} `, muted);
  const rowLines = (row: readonly Cell[]): readonly StyledLine[] => {
    const cells = row.map((cell, index) => cell.flatMap((line) => wrapLine(line, widths[index] ?? 1)));
    const height = Math.max(...cells.map((lines) => lines.length));
    return Array.from({ length: height }, (_, at) =>
      cells.flatMap((lines, index) => {
        const cell = padLine(lines[at] ?? [], widths[index] ?? 0, columns[index]?.align);
        return index === 0 ? cell : [bar, ...cell];
      }),
    );
  };
  const drawn = body.map(rowLines);
  // Where a row has several lines, rules show where the next one begins.
  const tall = drawn.some((lines) => lines.length > 1);
  return [
    ...rowLines(head),
    rule,
    ...drawn.flatMap((lines, index) => (tall && index > 0 ? [rule, ...lines] : lines)),
  ];
}

function ruleGap({ line, cross }: Glyphs): string {
  return `${line}${cross}${line}`;
}

/** The width of each column, or undefined where words would have to be broken. */
function columnWidths(
  rows: readonly (readonly Cell[])[],
  count: number,
  room: number,
): readonly number[] | undefined {
  const natural = new Array<number>(count).fill(1);
  const least = new Array<number>(count).fill(1);
  for (const row of rows) {
    row.forEach((cell, index) => {
      for (const line of cell) {
        natural[index] = Math.max(natural[index] ?? 1, lineWidth(line));
        for (const word of plainText(line).split(" ")) {
          least[index] = Math.max(least[index] ?? 1, Math.min(textWidth(word), LONGEST_WORD));
        }
      }
    });
  }
  const sum = (widths: readonly number[]): number => widths.reduce((total, cells) => total + cells, 0);
  if (sum(natural) <= room) return natural;
  let spare = room - sum(least);
  if (spare < 0) return undefined;
  const wanted = sum(natural) - sum(least);
  const share = spare / wanted;
  const widths = least.map((cells, index) => {
    const more = Math.min(spare, Math.floor(((natural[index] ?? 0) - cells) * share));
    spare -= more;
    return cells + more;
  });
  return widths;
}

function stackedLines(
  head: readonly Cell[],
  body: readonly (readonly Cell[])[],
  width: number,
): readonly StyledLine[] {
  if (body.length === 0) return head.flatMap((cell) => cell.flatMap((line) => wrapLine(line, width)));
  return body.flatMap((row, number) => [
    ...(number > 0 ? [[]] : []),
    ...row.flatMap((cell, index) => {
      const heading = head[index]?.flat() ?? [];
      const [first = [], ...further] = cell;
      const label = plainText(heading) === "" ? [] : [...heading, styled(": ", { bold: true })];
      return [[...label, ...first], ...further].flatMap((line) => wrapLine(line, width));
    }),
  ]);
}
