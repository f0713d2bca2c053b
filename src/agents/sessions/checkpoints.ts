// The place of an entry depends on all entries before it. So that nobody has to read a long transcript from its
// beginning, the first reader that gets past every few hundredth entry stores its state there. It is a cache: it expires,
// and what is missing is computed from the checkpoint before. Positions are never used again, so a state never changes.

import type { Json } from "../../core/kit/json.js";
import { CHECKPOINT_NAMESPACE as NAMESPACE, transcriptOf } from "../../hub/records/transcripts.js";
import { valueSize } from "../../hub/seam/ask-size.js";
import type { Hub } from "../../hub/seam/port.js";
import type { FoldState } from "./fold.js";
import { createTranscriptReader, pagesOf, type ReadEntry, type TranscriptReader } from "./read-transcript.js";
import type { SessionHead } from "./transcript.js";

const EVERY = 256;
const EXPIRES_MS = 30 * 86_400_000;

/** A reader, and the position up to which it has read. */
export interface ReaderAt {
  readonly reader: TranscriptReader;
  readonly position: number;
}

export interface FoldedEntry {
  readonly position: number;
  /** Undefined if readers see nothing of this entry. */
  readonly read: ReadEntry | undefined;
  /** About how many characters it has. */
  readonly size: number;
}

/** A reader at the last checkpoint that is not after a position, or else at the beginning of the transcript. */
export async function readerAt(hub: Hub, head: SessionHead, position: number): Promise<ReaderAt> {
  for (let number = Math.floor(position / EVERY); number * EVERY > head.position; number -= 1) {
    const state = await stateAt(hub, head, number);
    if (state !== undefined) return readerFrom(head, number, state);
  }
  return { reader: createTranscriptReader(), position: head.position - 1 };
}

/** A reader that has not yet read the request of this number, at a checkpoint as late as can be found quickly. */
export async function readerBeforeRequest(hub: Hub, head: SessionHead, request: number): Promise<ReaderAt> {
  const log = transcriptOf(head.sessionId);
  let found: ReaderAt = { reader: createTranscriptReader(), position: head.position - 1 };
  let low = Math.floor(head.position / EVERY) + 1;
  let high = Math.floor((await hub.logs.bounds(log)).head / EVERY);
  while (low <= high) {
    const middle = Math.floor((low + high) / 2);
    const state = await stateAt(hub, head, middle);
    if (state === undefined || state.requests >= request) high = middle - 1;
    else {
      found = readerFrom(head, middle, state);
      low = middle + 1;
    }
  }
  return found;
}

/** Every entry after the reader's position that is stored now. Keeps a checkpoint wherever one is missing. */
export async function* entriesFrom(
  hub: Hub,
  head: SessionHead,
  { reader, position }: ReaderAt,
  onRead: (characters: number) => void = () => undefined,
): AsyncGenerator<FoldedEntry, void, void> {
  for await (const page of pagesOf(hub, transcriptOf(head.sessionId), position)) {
    onRead(page.size);
    for (const logged of page.entries) {
      const read = reader.take(logged);
      if (logged.position % EVERY === 0) await keep(hub, head, logged.position / EVERY, reader);
      yield {
        ...{ position: logged.position, read },
        size: logged.data === undefined ? 0 : valueSize(logged.data),
      };
    }
  }
}

function readerFrom(head: SessionHead, number: number, state: FoldState): ReaderAt {
  return {
    reader: createTranscriptReader({ first: head.position, state }),
    position: number * EVERY,
  };
}

async function stateAt(hub: Hub, head: SessionHead, number: number): Promise<FoldState | undefined> {
  // Only `keep` writes it.
  return (await hub.records.get(NAMESPACE, keyOf(head, number)))?.value as unknown as FoldState | undefined;
}

async function keep(
  hub: Hub,
  head: SessionHead,
  number: number,
  { first, fold }: TranscriptReader,
): Promise<void> {
  if (first !== head.position || fold === undefined) return;
  if ((await stateAt(hub, head, number)) !== undefined) return;
  const options = { expect: null, expiresAt: hub.now() + EXPIRES_MS };
  // Reading must not fail because a disk is full.
  await hub.records
    .put(NAMESPACE, keyOf(head, number), fold.state() as unknown as Json, options)
    .catch(() => undefined);
}

/** With the position of the head: a transcript that was removed and opened again has states of its own. */
function keyOf({ sessionId, position }: SessionHead, number: number): string {
  return `${transcriptOf(sessionId)}@${position}/${number}`;
}
