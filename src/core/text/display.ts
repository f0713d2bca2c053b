// Makes text from a model or a person safe to show. Control characters could move a terminal's cursor, bidi overrides
// could reorder a line, and invisible characters could hide a difference: none of them reaches a screen raw.

import { lookOf } from "../kit/fold.js";
import { LIMITS } from "../kit/limits.js";
import type { Ask } from "../model/ask.js";
import type { Option } from "../model/option.js";
import type { Answerer } from "../model/outcome.js";

const PLAIN = /^[\x20-\x7e\n\t]*$/;

let unsafe: RegExp | undefined;

/** Created on first use, because it would slow down the start of every command. */
function unsafePattern(): RegExp {
  // All scripts except these use joiners.
  const joining =
    /(?![\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Han}\p{Script=Hangul}])[\p{L}\p{M}]/u
      .source;
  const parts = [
    // The flag of a region consists of tags, and is kept.
    /(?<flag>\u{1f3f4}[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{3,6}\u{e007f})/u,
    // C0 except tab and newline, DEL, C1.
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/u,
    // Bidi marks, embeddings, overrides and isolates; line and paragraph separators.
    /[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u,
    // Zero-width spaces, fillers, soft hyphens and other characters without a glyph.
    /[\u034f\u17b4\u17b5\u00ad\u115f\u1160\u180e\u200b\u2060-\u2065\u206a-\u206f\u3164\ufeff\uffa0]/u,
    /[\ufff0-\ufffb\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}]/u,
    // Tags, and variation selectors without a base character.
    /(?<!\p{Ideographic})[\u{e0100}-\u{e01ef}]|[\u{e0000}-\u{e00ff}\u{e01f0}-\u{e0fff}]/u,
    /(?<!\P{DI})[\ufe00-\ufe0f]/u,
    // Joiners outside of emoji and of the scripts that use them.
    new RegExp(`(?<!${joining})\u200c`, "u"),
    new RegExp(
      `(?<!${joining})(?:(?<![\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f])\u200d|\u200d(?!\\p{Extended_Pictographic}))`,
      "u",
    ),
  ];
  return new RegExp(parts.map(({ source }) => source).join("|"), "gu");
}

/**
 * The text with every control character, bidi override and invisible character replaced by `\uFFFD`; newlines and
 * tabs stay.
 */
export function displayText(text: string): string {
  if (PLAIN.test(text)) return text;
  unsafe ??= unsafePattern();
  return text
    .replaceAll("\r\n", "\n")
    .replace(unsafe, (_found, flag: string | undefined) => flag ?? "\uFFFD");
}

/** {@link displayText} on one line. */
export function displayLine(text: string): string {
  return displayText(text).replace(/[\n\t]+/g, " ");
}

// Joiners and selectors too: in arguments to approve, a difference must be visible whatever stands beside it.
const HIDDEN = /(?![\n\t ])[\p{Cc}\p{Cf}\p{Z}\p{DI}\ufff0-\ufffb\u2800]/gu;

/**
 * JSON text in which every control, bidi and invisible character, and every space but U+0020, is written as an escape.
 * It shows everything that is there, and parses to the same value.
 */
export function displayJson(json: string): string {
  return PLAIN.test(json) ? json : json.replace(HIDDEN, escaped);
}

/**
 * The label of an option on one line. A label that looks like another one has its number behind it, and escapes for
 * combining marks, surrounding space and invisible characters.
 */
export function displayLabel(option: Option, options: readonly Option[]): string {
  const { label } = option;
  const look = lookOf(label);
  if (!options.some((other) => other !== option && lookOf(other.label) === look)) return displayLine(label);
  const shown = label.replace(/^ +| +$|\p{M}/gu, escaped).replace(HIDDEN, escaped);
  const number = options.filter(({ input }) => !input).indexOf(option) + 1;
  return `${displayLine(shown)}${number === 0 ? "" : ` (option ${number})`}`;
}

function escaped(text: string): string {
  const units = text.split("");
  return units.map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`).join("");
}

/** A header as surfaces show it: one line of at most `width` graphemes. */
export function displayHeader(header: string, width: number = LIMITS.displayHeader): string {
  const line = displayLine(header).trim();
  // A grapheme has at least one code unit, so most headers need no segmenter.
  if (line.length <= width) return line;
  const graphemes = Array.from(new Intl.Segmenter().segment(line), ({ segment }) => segment);
  return graphemes.length <= width ? line : `${graphemes.slice(0, width - 1).join("")}…`;
}

/** Who ended an ask, for a person to read: `ana (inbox)`, `ana (form, reported by builder)`, `the policy quiet`. */
export function displayAnswerer(by: Answerer): string {
  if (by.kind === "person") {
    const where = by.via === undefined ? by.surface : `${by.surface}, reported by ${by.via}`;
    return displayLine(`${by.id} (${where})`);
  }
  const maker = by.madeBy === undefined ? "" : `, made by ${by.madeBy}`;
  const rule =
    by.rule === undefined && maker === ""
      ? ""
      : ` (rule${by.rule === undefined ? "" : ` ${by.rule}`}${maker})`;
  return displayLine(`the policy ${by.name}${rule}`);
}

/**
 * Who asks, for a person to read: first the name that the server has verified, then the names that the agent gives to
 * its callers and itself. The verified name comes first, so that an agent cannot pose as another.
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
