// What a model or a person wrote, made safe to show. Control characters could move a terminal's cursor
// and bidi overrides could reorder a line, so neither reaches a screen raw.

import { LIMITS } from "./limits.js";
import type { Ask } from "./model/ask.js";

// C0 but tab and newline, DEL, C1, line and paragraph separators, bidi embeddings, overrides and isolates.
const UNSAFE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** The text with every control character and bidi override replaced by `\uFFFD`; newlines and tabs stay. */
export function displayText(text: string): string {
  return text.replaceAll("\r\n", "\n").replace(UNSAFE, "\uFFFD");
}

/** {@link displayText} on one line. */
export function displayLine(text: string): string {
  return displayText(text).replace(/[\n\t]+/g, " ");
}

/** A header as surfaces show it: one line, cut to `width` graphemes, never inside one. */
export function displayHeader(header: string, width: number = LIMITS.displayHeader): string {
  const line = displayLine(header).trim();
  // A grapheme is at least one code unit: most headers need no segmenter.
  if (line.length <= width) return line;
  const graphemes = Array.from(new Intl.Segmenter().segment(line), ({ segment }) => segment);
  return graphemes.length <= width ? line : `${graphemes.slice(0, width - 1).join("")}…`;
}

/**
 * Who asks, for a person to read: the name that the server has checked first, then what the agent calls
 * itself and those above it. An agent cannot pass for another by its own word.
 */
export function displayAsker({
  asker,
  agentPath,
  agentId,
}: Pick<Ask, "asker" | "agentPath" | "agentId">): string {
  const names = [asker, ...(agentPath ?? []), agentId].filter((name) => name !== undefined);
  return names
    .filter((name, index) => name !== names[index - 1])
    .map(displayLine)
    .join(" › ");
}
