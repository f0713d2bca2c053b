import { textWidth } from "../../terminal/wrap.js";

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
