// A transcript, read entry by entry. It begins where the session was opened: what stands before that was written while
// an older transcript of the same name was being removed, and belongs to nobody.
//
// Numbers go on from the position at which it begins. An entry has at most one block and one request, so no number of
// a transcript that was removed is given again, and what names a request names no other.

import type { LogEntry } from "../hub/index.js";
import { createFold, type Fold, type Placed } from "./fold.js";
import { readEntry, type TranscriptEntry } from "./transcript.js";

export interface ReadEntry {
  readonly entry: TranscriptEntry;
  readonly placed: Placed;
}

export interface Reading {
  /** Where the transcript begins; undefined until that was read. */
  readonly first: number | undefined;
  /** Takes the next entry; undefined where it shows nothing. */
  take(logged: LogEntry): ReadEntry | undefined;
}

export function createReading(): Reading {
  let first: number | undefined;
  let fold: Fold | undefined;
  return {
    get first() {
      return first;
    },
    take(logged) {
      if (fold === undefined && logged.type === "opened") {
        first = logged.position;
        fold = createFold(logged.position - 1);
      }
      const entry = fold && readEntry(logged);
      const placed = entry && fold?.place(entry);
      return entry && placed && { entry, placed };
    },
  };
}
