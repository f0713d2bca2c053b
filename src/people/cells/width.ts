// How many cells a terminal gives to text. Terminals disagree about emoji and joined characters, so the answer
// comes with a second one: whether it can be relied on.

// East Asian wide and full-width characters (Unicode 16).
const WIDE =
  /[\u1100-\u115f\u2329\u232a\u2630-\u2637\u268a-\u268f\u2e80-\u303e\u3041-\u3247\u3250-\ua4c6\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6b\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{1b2fb}\u{1d300}-\u{1d376}\u{1f200}-\u{1f265}\u{20000}-\u{3fffd}]/u;
// Marks that stand above or below their letter, characters without a glyph, and the vowels of a Hangul syllable
// that is written in parts. A spacing mark, as in Devanagari, has a cell of its own.
const ZERO = /[\p{Mn}\p{Me}\p{Default_Ignorable_Code_Point}\u1160-\u11ff\ud7b0-\ud7fb]/u;
const EMOJI = /\p{Emoji_Presentation}|\p{Emoji}[\u{1f3fb}-\u{1f3ff}]?\ufe0f|\p{Regional_Indicator}/u;
const PLAIN = /^[\x20-\x7e]*$/;
// Text of common scripts, symbols and emoji in which each code point is a character. Most text is like this, and
// making a segmenter costs more than half of what starting Node does.
const SEPARATE =
  /^(?:[\x20-\x7e\u00a0-\u00ac\u00ae-\u02ff\u0391-\u0481\u05d0-\u05ea\u0620-\u064a\u0660-\u066f\u1ea0-\u1ef9\u2010-\u2027\u2030-\u205e\u20a0-\u20c0\u2190-\u2319\u2500-\u25fc\u2605-\u2613\u2713-\u2718\u2758-\u2775\u3001-\u3011\u3041-\u3096\u30a1-\u30fe\u4e00-\u9fff\uac00-\ud7a3\uff01-\uff60\ufffd]|(?![\p{Regional_Indicator}\p{Emoji_Modifier}])\p{Emoji_Presentation})*$/u;
const SIMPLE = /^\P{M}\p{Mn}*$/u;

const PIECE = 512;

let segmenter: Intl.Segmenter | undefined;

/** What a person sees as characters, one by one. */
export function* graphemes(text: string): Iterable<string> {
  if (SEPARATE.test(text)) {
    yield* text;
    return;
  }
  segmenter ??= new Intl.Segmenter();
  // The segmenter's time grows with the square of a text's length, so it gets a piece at a time. The last grapheme
  // of a piece may go on in the next, and is looked at again from its start.
  for (let start = 0; start < text.length; ) {
    const piece = text.slice(start, start + PIECE);
    const last = start + PIECE >= text.length ? piece.length : lastStart(piece);
    for (const { segment } of segmenter.segment(piece.slice(0, last))) yield segment;
    start += last;
  }
}

function lastStart(piece: string): number {
  const start = segmenter?.segment(piece).containing(piece.length - 1)?.index ?? 0;
  // One that fills a whole piece is no writing.
  return start === 0 ? piece.length : start;
}

/** How many cells a terminal gives to a line of text. */
export function textWidth(text: string): number {
  if (PLAIN.test(text)) return text.length;
  let width = 0;
  for (const grapheme of graphemes(text)) width += graphemeWidth(grapheme);
  return width;
}

export function graphemeWidth(grapheme: string): number {
  if (PLAIN.test(grapheme)) return grapheme.length;
  if (EMOJI.test(grapheme)) return 2;
  let width = 0;
  for (const character of grapheme) width += ZERO.test(character) ? 0 : WIDE.test(character) ? 2 : 1;
  return width;
}

/**
 * Whether every terminal gives the same width to this grapheme. A painter puts the cursor where it belongs
 * after one of which that cannot be said.
 */
export function hasCertainWidth(grapheme: string): boolean {
  return !EMOJI.test(grapheme) && (SEPARATE.test(grapheme) || SIMPLE.test(grapheme));
}
