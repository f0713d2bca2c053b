// marked's lexer with bounds. Without them nested quotes overflow the stack, unclosed marks in a long paragraph
// take quadratic time, and a table of many columns and empty rows fills the memory.

import { Lexer, type Token, Tokenizer, type Tokens } from "marked";

/** Quotes and lists within one another, and marks within one another; what is deeper is text. */
const MOST_DEPTH = 16;
/** As much of a paragraph is searched for marks at once: a mark that spans more is text. */
const MOST_INLINE = 2_048;
const MOST_TABLE_CELLS = 20_000;

/** The tokens of a text, with those of its paragraphs, headings and cells in place. */
export function boundedTokens(source: string): readonly Token[] {
  const lexer = new Lexer({ gfm: true, breaks: true, tokenizer: new BoundedTokenizer() });
  lexer.blockTokens(source, lexer.tokens);
  // What `lexer.lex` does at its end, but piece by piece.
  for (const { src, tokens } of lexer.inlineQueue) {
    for (const piece of inPieces(src)) lexer.inlineTokens(piece, tokens);
  }
  return lexer.tokens;
}

class BoundedTokenizer extends Tokenizer {
  #depth = 0;

  #nested<T>(tokenize: () => T | undefined): T | undefined {
    if (this.#depth >= MOST_DEPTH) return undefined;
    this.#depth += 1;
    try {
      return tokenize();
    } finally {
      this.#depth -= 1;
    }
  }

  override blockquote(src: string): Tokens.Blockquote | undefined {
    return this.#nested(() => super.blockquote(src));
  }

  override list(src: string): Tokens.List | undefined {
    return this.#nested(() => super.list(src));
  }

  override emStrong(src: string, masked: string, previous?: string): Tokens.Em | Tokens.Strong | undefined {
    return this.#nested(() => super.emStrong(src, masked, previous));
  }

  override del(src: string, masked: string, previous?: string): Tokens.Del | undefined {
    return this.#nested(() => super.del(src, masked, previous));
  }

  override link(src: string): Tokens.Link | Tokens.Image | undefined {
    return this.#nested(() => super.link(src));
  }

  override reflink(
    src: string,
    links: Parameters<Tokenizer["reflink"]>[1],
  ): ReturnType<Tokenizer["reflink"]> {
    return this.#nested(() => super.reflink(src, links));
  }

  override table(src: string): Tokens.Table | undefined {
    // marked gives every row as many cells as there are columns, however short it was.
    const end = src.search(/\n[ \t]*\n/);
    const lines = (end < 0 ? src : src.slice(0, end)).split("\n");
    const columns = (lines[0] ?? "").split("|").length;
    return columns * lines.length > MOST_TABLE_CELLS ? undefined : super.table(src);
  }

  override tag(src: string): Tokens.Tag | undefined {
    const tag = super.tag(src);
    // Raw HTML is text, so that an `<a>` or a `<pre>` changes nothing for what follows.
    this.lexer.state.inLink = false;
    this.lexer.state.inRawBlock = false;
    return tag;
  }
}

function* inPieces(text: string): Iterable<string> {
  let start = 0;
  while (text.length - start > MOST_INLINE) {
    const window = text.slice(start, start + MOST_INLINE);
    const at = Math.max(window.lastIndexOf("\n"), window.lastIndexOf(" ")) + 1;
    // Never between the halves of a surrogate pair.
    const length = at > MOST_INLINE / 2 ? at : MOST_INLINE - (/[\ud800-\udbff]$/.test(window) ? 1 : 0);
    yield text.slice(start, start + length);
    start += length;
  }
  yield text.slice(start);
}
