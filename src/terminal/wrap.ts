// Breaks text between words, because a terminal by itself breaks inside of them and loses the indentation.

// Below this a hanging indent leaves no room for words: the terminal may break as it likes.
const NARROWEST = 24;

// What a terminal shows in two columns: East Asian wide and full-width characters, and emoji.
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;
const INVISIBLE = /^[\p{Mark}\p{Default_Ignorable_Code_Point}]+$/u;
// Between words, and between any two characters of a script that writes no spaces.
const BREAK =
  /(?<=\s)(?=\S)|(?<=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])(?=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])/u;
const PLAIN = /^[\x20-\x7e]*$/;

/**
 * `text` behind `prefix`, its further lines indented to stand below the first. Without a width nothing is
 * broken; lines of the text itself stay lines.
 */
export function hang(prefix: string, text: string, columns: number | undefined): string {
  const indent = " ".repeat(textWidth(prefix));
  const room = (columns ?? 0) < NARROWEST ? Number.POSITIVE_INFINITY : (columns ?? 0) - indent.length;
  const lines = text.replaceAll("\t", "    ").split("\n");
  return lines
    .flatMap((line) => wrapLine(line, Math.max(room, 1)))
    .map((line, index) => (index === 0 ? prefix : line === "" ? "" : indent) + line)
    .join("\n");
}

/** How many columns a terminal gives to a line of text. */
export function textWidth(text: string): number {
  if (PLAIN.test(text)) return text.length;
  let width = 0;
  for (const { segment } of new Intl.Segmenter().segment(text)) width += graphemeWidth(segment);
  return width;
}

function graphemeWidth(grapheme: string): number {
  return INVISIBLE.test(grapheme) ? 0 : WIDE.test(grapheme) ? 2 : 1;
}

function wrapLine(line: string, room: number): readonly string[] {
  if (room === Number.POSITIVE_INFINITY || textWidth(line) <= room) return [line];
  const lines: string[] = [];
  let current = "";
  for (const word of line.split(BREAK)) {
    if (textWidth((current + word).trimEnd()) <= room) {
      current += word;
      continue;
    }
    if (current.trim() !== "") lines.push(current.trimEnd());
    const pieces = breakWord(word, room);
    lines.push(...pieces.slice(0, -1));
    current = pieces.at(-1) ?? "";
  }
  return [...lines, current.trimEnd()];
}

/** A word in pieces that fit; one piece where it fits as it is. */
function breakWord(word: string, room: number): readonly string[] {
  if (textWidth(word.trimEnd()) <= room) return [word];
  const pieces: string[] = [];
  let piece = "";
  let width = 0;
  for (const { segment } of new Intl.Segmenter().segment(word)) {
    const more = graphemeWidth(segment);
    if (width + more > room && piece !== "") {
      pieces.push(piece);
      piece = "";
      width = 0;
    }
    piece += segment;
    width += more;
  }
  return [...pieces, piece];
}
