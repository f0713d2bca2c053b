// Breaks text between words, because a terminal by itself breaks inside of them and loses the indentation.

import { plainText, type StyledLine, sliceLine } from "./line.js";
import { graphemes, graphemeWidth, textWidth } from "./width.js";

/** Both break between words where they can. Prose drops the white space at a break, code keeps every space. */
export type TextKind = "prose" | "code";

// Below this a hanging indent leaves no room for words: the terminal may break as it likes.
const NARROWEST = 24;

// Between words, and between two characters of a script that writes no spaces, except before a mark that closes
// and after one that opens.
const BREAK =
  /(?<=\s)(?=[^\s\p{M}\u200c\u200d])|(?<=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}、。，．！？」』）])(?=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}「『（])(?![ー々ぁぃぅぇぉっゃゅょァィゥェォッャュョ])/u;
// Scripts whose words only a dictionary can part.
const NEEDS_DICTIONARY = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

let words: Intl.Segmenter | undefined;

/**
 * A line in lines of at most `width` cells, without the white space at each break. Where even one wide character
 * does not fit (a width of one), it stands alone on its line.
 */
export function wrapLine(line: StyledLine, width: number, kind: TextKind = "prose"): readonly StyledLine[] {
  return wrapRanges(plainText(line), width, kind).map(({ start, end }) => sliceLine(line, start, end));
}

/** {@link wrapLine} for text without style. */
export function wrapText(text: string, width: number, kind: TextKind = "prose"): readonly string[] {
  return wrapRanges(text, width, kind).map(({ start, end }) => text.slice(start, end));
}

/**
 * `text` behind `prefix`, its further lines indented to stand below the first. Without a width nothing is
 * broken; lines of the text itself stay lines.
 */
export function hang(prefix: string, text: string, columns: number | undefined): string {
  const indent = " ".repeat(textWidth(prefix));
  const room =
    (columns ?? 0) < NARROWEST ? Number.POSITIVE_INFINITY : Math.max((columns ?? 0) - indent.length, 1);
  const lines = text.replaceAll("\t", "    ").split("\n");
  return lines
    .flatMap((line) => wrapText(line, room))
    .map((line, index) => (index === 0 ? prefix : line === "" ? "" : indent) + line)
    .join("\n");
}

/** From one offset in a text to another, in UTF-16 code units. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** Where {@link wrapText} breaks: what is between two ranges is the white space that it drops. */
export function wrapRanges(text: string, width: number, kind: TextKind = "prose"): readonly TextRange[] {
  const whole = { start: 0, end: text.length };
  if (width === Number.POSITIVE_INFINITY || textWidth(text) <= width) return [whole];
  const room = Math.max(1, width);
  const ranges: TextRange[] = [];
  let start = 0;
  let column = 0;
  let offset = 0;
  const breakHere = (): void => {
    const kept = text.slice(start, offset);
    const end = kind === "prose" ? start + kept.trimEnd().length : offset;
    // White space alone, before a word that needs a line of its own, is dropped like any other at a break.
    if (end > start) ranges.push({ start, end });
    start = offset;
    column = 0;
  };
  for (const word of wordsOf(text)) {
    // Spaces at the end of a word may hang over the edge where a break drops them.
    const needed = textWidth(kind === "prose" ? word.trimEnd() : word);
    // The indentation of code is not left alone on its line.
    const indented = kind === "code" && text.slice(start, offset).trim() === "";
    if (column + needed > room && column > 0 && !indented) breakHere();
    if (column + needed <= room) {
      column += textWidth(word);
      offset += word.length;
      continue;
    }
    for (const piece of piecesOf(word, room)) {
      const cells = graphemeWidth(piece);
      const hangs = kind === "prose" && piece.trim() === "";
      if (column + cells > room && column > 0 && !hangs) breakHere();
      column += cells;
      offset += piece.length;
    }
  }
  breakHere();
  return ranges.length === 0 ? [{ start: 0, end: 0 }] : ranges;
}

/** A letter with spacing marks, of which there may be any number, is broken too if it is wider than a line. */
function* piecesOf(word: string, room: number): Iterable<string> {
  for (const grapheme of graphemes(word)) {
    if (graphemeWidth(grapheme) > Math.max(room, 2)) yield* grapheme;
    else yield grapheme;
  }
}

function* wordsOf(text: string): Iterable<string> {
  for (const word of text.split(BREAK)) {
    if (!NEEDS_DICTIONARY.test(word)) {
      yield word;
      continue;
    }
    words ??= new Intl.Segmenter(undefined, { granularity: "word" });
    for (const { segment } of words.segment(word)) yield segment;
  }
}
