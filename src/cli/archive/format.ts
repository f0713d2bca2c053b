// What `askline export` writes and `askline import` reads: JSON Lines.
//
//   {"kind":"header", …}   once, first
//   {"kind":"ask", …}      one ask with all that happened to it, in order of creation
//   {"kind":"end", …}      once, last: how many there must have been

import type { Ask } from "../../core/index.js";
import type { RestoredEvent, Showing } from "../../hub/index.js";

export const FORMAT = "askline-export";
export const FORMAT_VERSION = 1;

export interface HeaderLine {
  readonly kind: "header";
  readonly format: typeof FORMAT;
  readonly version: number;
  readonly exportedAt: number;
  /** The kind of store that it came from. */
  readonly store: string;
}

export interface AskLine {
  readonly kind: "ask";
  readonly ask: Ask;
  /** Its audit, without positions: those are the store's own. */
  readonly events: readonly RestoredEvent[];
  /** To which surfaces it was sent, where that is known. */
  readonly shown?: readonly Showing[];
}

export interface EndLine {
  readonly kind: "end";
  readonly asks: number;
  readonly events: number;
}

export type ArchiveLine = HeaderLine | AskLine | EndLine;
