// The archive that `askline export` writes and `askline import` reads: JSON Lines.
//
//   {"kind":"header", …}      once, first
//   {"kind":"transcript", …}  a part of a session's transcript; the parts of one session are consecutive
//   {"kind":"ask", …}         one ask with its events, in order of creation
//   {"kind":"end", …}         once, last: the expected counts
//
// Transcripts come before the asks: an ask that is pending may end as soon as it is imported, and its end goes into
// the transcript.

import type { Ask } from "../../core/model/ask.js";
import type { Showing } from "../../hub/seam/port.js";
import type { RestoredEntry, RestoredEvent } from "../../hub/seam/store.js";

export const FORMAT = "askline-export";
export const FORMAT_VERSION = 2;

export interface HeaderLine {
  readonly kind: "header";
  readonly format: typeof FORMAT;
  readonly version: number;
  readonly exportedAt: number;
  /** The kind of store it came from. */
  readonly store: string;
}

export interface AskLine {
  readonly kind: "ask";
  readonly ask: Ask;
  /** Its events, without positions, which are the store's own. */
  readonly events: readonly RestoredEvent[];
  /** The surfaces it was shown on, if known. */
  readonly shown?: readonly Showing[];
}

export interface TranscriptLine {
  readonly kind: "transcript";
  readonly session: string;
  /** The position of the first entry; the others follow. */
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
