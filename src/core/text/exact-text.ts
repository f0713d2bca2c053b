// Text that a person is asked to approve, as it is: nothing in it is invisible, and no letter moves another one.

import { displayJson } from "./display.js";

/** `hidden`: an escape for a character that cannot be seen. `rtl`: letters to set apart, so that they move nothing. */
export interface ExactPiece {
  readonly kind: "plain" | "hidden" | "rtl";
  readonly text: string;
}

// The blocks of scripts that are written from right to left, with their digits and marks.
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** The pieces of a text in their order. Shown from left to right, with each `rtl` isolated, they keep it. */
export function exactPieces(text: string): readonly ExactPiece[] {
  const pieces: { kind: ExactPiece["kind"]; text: string }[] = [];
  const isPlain = displayJson(text) === text && !hasRightToLeft(text);
  for (const character of isPlain ? [text] : text) {
    const shown = displayJson(character);
    const kind = shown !== character ? "hidden" : hasRightToLeft(character) ? "rtl" : "plain";
    const last = pieces.at(-1);
    if (last?.kind === kind && kind !== "hidden") last.text += character;
    else pieces.push({ kind, text: shown });
  }
  return pieces;
}

export function hasRightToLeft(text: string): boolean {
  return RIGHT_TO_LEFT.test(text);
}
