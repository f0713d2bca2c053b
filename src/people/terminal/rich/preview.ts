// The preview of the option under the cursor, beside the options or below them.

import { lineWidth, padLine, type StyledLine, styled, truncateLine } from "../../cells/line.js";
import type { Row } from "../../form/rows.js";
import type { FormView } from "../../form/view.js";
import type { Scene } from "./scene.js";
import { clipped, type Glyphs, markdownLines, modelLine, modelLines, wrapped } from "./text.js";

type OptionRow = Extract<Row, { kind: "option" | "text" }>;
type PreviewedOption = NonNullable<OptionRow["option"]>;

/** The option under the cursor. */
export function optionOf(view: FormView): PreviewedOption | undefined {
  const row = view.rows.find(({ cursor }) => cursor);
  return row !== undefined && "option" in row ? row.option : undefined;
}

/** HTML cannot be shown here: it is shown as it is written. */
export function previewLines(option: PreviewedOption, width: number, glyphs: Glyphs): readonly StyledLine[] {
  if (option.preview === undefined) return [];
  const { format, content } = option.preview;
  if (format === "markdown") return markdownLines(option.preview, content, width, glyphs.ascii);
  return wrapped(modelLines(content), width, { color: "code" });
}

export function windowOf(
  lines: readonly StyledLine[],
  from: number,
  most: number,
  { words, glyphs }: Scene,
): { readonly lines: readonly StyledLine[]; readonly top: number } {
  if (lines.length <= most) return { lines, top: 0 };
  const height = Math.max(0, most - 1);
  const top = Math.max(0, Math.min(from, lines.length - height));
  const rest = lines.length - top - height;
  const mark =
    rest > 0
      ? `${glyphs.down} ${words.moreLines(rest, "PageDown")}`
      : `${glyphs.up} ${words.moreLines(top, "PageUp")}`;
  return {
    lines: [
      ...lines.slice(top, top + height),
      ...(most > 0 ? [[styled(mark, { color: "muted" as const })]] : []),
    ],
    top,
  };
}

export function rule(option: PreviewedOption | undefined, width: number, glyphs: Glyphs): StyledLine {
  const line = glyphs.ascii ? "-" : "─";
  const title = option === undefined ? "" : ` ${modelLine(option.label)} `;
  const most = Math.max(1, width - 6);
  const [label = []] = clipped(wrapped([title], most), 1, most, glyphs.more);
  const taken = lineWidth(label) + 2;
  return truncateLine(
    [
      styled(line.repeat(2), { color: "muted" }),
      ...label,
      styled(line.repeat(Math.max(0, width - taken)), { color: "muted" }),
    ],
    width,
    "",
  );
}

export function sideBySide(
  left: readonly StyledLine[],
  right: readonly StyledLine[],
  width: number,
  glyphs: Glyphs,
): readonly StyledLine[] {
  if (right.length === 0) return left;
  const bar = styled(` ${glyphs.bar} `, { color: "muted" });
  return Array.from({ length: Math.max(left.length, right.length) }, (_, index) => [
    ...padLine(left[index] ?? [], width),
    bar,
    ...(right[index] ?? []),
  ]);
}
