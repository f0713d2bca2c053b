// What `askline export` writes and `askline import` reads: JSON Lines.
//
//   {"kind":"header", …}      once, first
//   {"kind":"transcript", …}  a part of what was written in a session, those of one session behind each other
//   {"kind":"ask", …}         one ask with all that happened to it, in order of creation
//   {"kind":"end", …}         once, last: how many there must have been
//
// Transcripts come before the asks: an ask that is pending may end as soon as it is imported, and its end goes into
// the transcript.

import type { Ask } from "../../core/index.js";
import type { RestoredEntry, RestoredEvent, Showing } from "../../hub/index.js";

export const FORMAT = "askline-export";
export const FORMAT_VERSION = 2;

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

export interface TranscriptLine {
  readonly kind: "transcript";
  readonly session: string;
  /** The position of the first of these entries; those of the others follow. */
  readonly first: number;
  readonly entries: readonly RestoredEntry[];
}

export interface EndLine {
  readonly kind: "end";
  readonly asks: number;
  readonly events: number;
  readonly transcripts: number;
  readonly entries: number;
}

export type ArchiveLine = HeaderLine | TranscriptLine | AskLine | EndLine;
