// Styled lines as what a terminal understands. Whatever is in a line, nothing but our own sequences leaves here.

import type { ColorRole, Style, StyledLine } from "./line.js";
import { graphemes, graphemeWidth, hasCertainWidth } from "./width.js";

/** What of a style may be shown. */
export interface AnsiOptions {
  /** Bold, underline and the like; false for a dumb terminal. */
  readonly styles: boolean;
  readonly colors: boolean;
  /** OSC 8, which makes text clickable. */
  readonly hyperlinks: boolean;
  /**
   * Puts the cursor into its column after each character of uncertain width, so that what follows stands where it
   * belongs on any terminal. Only for a line that begins in the first column.
   */
  readonly place?: boolean;
}

// The terminal's own palette, which its owner has chosen to be readable on their background. Blue and bright
// black are left out: many dark themes hide them.
const COLORS = {
  accent: "36",
  code: "35",
  success: "32",
  warning: "33",
  danger: "31",
} satisfies Record<Exclude<ColorRole, "muted">, string>;

const CONTROL = /[\u0000-\u001f\u007f-\u009f]/g;
const DIRECTION = /[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
const LEFT_TO_RIGHT_MARK = "\u200e";
const PRINTABLE = /^[\x21-\x7e]+$/;

/** One line with its styles, ending in none. */
export function toAnsi(line: StyledLine, options: AnsiOptions): string {
  let output = "";
  let current = "";
  let link: string | undefined;
  let column = 0;
  for (const { text, style } of line) {
    const codes = sgrCodes(style, options);
    const target = options.hyperlinks && PRINTABLE.test(style.link ?? "") ? style.link : undefined;
    if (codes !== current) output += codes === "" ? "\x1b[0m" : `\x1b[0;${codes}m`;
    if (target !== link) output += `\x1b]8;;${target ?? ""}\x1b\\`;
    current = codes;
    link = target;
    const safe = safeText(text);
    if (options.place === true) {
      const placed = placeText(safe, column);
      output += isolate(placed.text);
      column = placed.column;
    } else {
      output += isolate(safe);
    }
  }
  if (link !== undefined) output += "\x1b]8;;\x1b\\";
  return current === "" ? output : `${output}\x1b[0m`;
}

function safeText(text: string): string {
  return text.replace(CONTROL, "\uFFFD").replace(DIRECTION, "");
}

/**
 * A run of right-to-left text stands between left-to-right marks, which take no cell on any terminal: one that
 * reorders text then does so within the run, and what stands beside it, such as a frame, keeps its place. The
 * text itself is written in logical order.
 */
function isolate(text: string): string {
  return RIGHT_TO_LEFT.test(text) ? `${LEFT_TO_RIGHT_MARK}${text}${LEFT_TO_RIGHT_MARK}` : text;
}

function placeText(text: string, from: number): { readonly text: string; readonly column: number } {
  let output = "";
  let column = from;
  for (const grapheme of graphemes(text)) {
    column += graphemeWidth(grapheme);
    output += hasCertainWidth(grapheme) ? grapheme : `${grapheme}\x1b[${column + 1}G`;
  }
  return { text: output, column };
}

function sgrCodes(style: Style, { styles, colors }: AnsiOptions): string {
  if (!styles) return "";
  const { bold, dim, italic, underline, inverse, strike, color } = style;
  const codes = [
    bold === true && "1",
    (dim === true || color === "muted") && "2",
    italic === true && "3",
    underline === true && "4",
    inverse === true && "7",
    strike === true && "9",
    colors && color !== undefined && color !== "muted" && COLORS[color],
  ];
  return codes.filter((code) => code !== false).join(";");
}
