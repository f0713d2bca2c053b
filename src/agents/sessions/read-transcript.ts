import { setImmediate as nextTurn } from "node:timers/promises";
import type { Ask } from "../../core/model/ask.js";
import { AsklineError } from "../../core/model/error.js";
import { transcriptOf } from "../../hub/records/transcripts.js";
import { valueSize } from "../../hub/seam/ask-size.js";
import type { Hub } from "../../hub/seam/port.js";
import type { LogEntry } from "../../hub/seam/store.js";
import { createFold, type Fold, type FoldState, type Placement } from "./fold.js";
import { readEntry, readHead, type SessionHead, type TranscriptEntry } from "./transcript.js";

const PAGE = 500;
/** Characters of the entries that are read at once. */
const PAGE_SIZE = 4 * 1024 * 1024;
/** A page that ended at its size has more than this: no entry is nearly as large as the size. */
const LEAST_CUT = 64 * 1024;
/** Asks that are read at once: even the largest ones fit into a small heap. */
const ASKS_AT_ONCE = 8;

export interface TranscriptPage {
  readonly entries: readonly LogEntry[];
  /** About how many characters they have. */
  readonly size: number;
  /** Whether there may be more. */
  readonly isFull: boolean;
}

/** The entries after a position, as many as fit. */
export async function readPage(hub: Hub, log: string, after: number): Promise<TranscriptPage> {
  const entries = await hub.logs.read(log, { after, limit: PAGE, maxSize: PAGE_SIZE });
  const size = entries.reduce((sum, { data }) => sum + (data === undefined ? 0 : valueSize(data)), 0);
  return { entries, size, isFull: entries.length === PAGE || size > LEAST_CUT };
}

/** Every entry after a position that is stored now, page by page. Throws `not_found` if they are removed meanwhile. */
export async function* pagesOf(
  hub: Hub,
  log: string,
  after: number,
): AsyncGenerator<TranscriptPage, void, void> {
  for (let position = after; ; ) {
    const page = await readPage(hub, log, position);
    const last = page.entries.at(-1);
    if (last === undefined && position === 0) return;
    if (position > 0 && (await wasTrimmed(hub, log, position, page.entries[0]))) throw removed();
    if (last !== undefined) yield page;
    if (last === undefined || !page.isFull) return;
    position = last.position;
    // A long transcript must not hold up everybody else.
    await nextTurn();
  }
}

/** Whether entries after `position` and before `next` have been removed. */
export async function wasTrimmed(
  hub: Hub,
  log: string,
  position: number,
  next: LogEntry | undefined,
): Promise<boolean> {
  // Compare with the first position, not the head: there may have been a write since the read.
  const first = next?.position ?? (await hub.logs.bounds(log)).first;
  return first > position + 1;
}

function removed(): AsklineError {
  return new AsklineError("not_found", "the session was removed while it was being read; read it again");
}

export async function findHead(hub: Hub, sessionId: string): Promise<SessionHead | undefined> {
  const log = transcriptOf(sessionId);
  const [first] = await hub.logs.read(log, { after: 0, limit: 1 });
  if (first === undefined || first.type === "opened") return readHead(sessionId, first);
  // Entries may be removed meanwhile: the first head that is still stored counts.
  for (let position = 0; ; ) {
    const entries = await hub.logs.read(log, { after: position, limit: PAGE });
    const opened = entries.find(({ type }) => type === "opened");
    const last = entries.at(-1);
    if (opened !== undefined || last === undefined) return readHead(sessionId, opened);
    position = last.position;
  }
}

/** Whether this transcript is still stored, so that everything written meanwhile is part of it. */
export async function isStillStored(hub: Hub, { sessionId, position }: SessionHead): Promise<boolean> {
  return (await hub.logs.bounds(transcriptOf(sessionId))).first <= position;
}

/** The head of the session; throws `not_found` if the session was never opened. */
export async function requireHead(hub: Hub, sessionId: string): Promise<SessionHead> {
  const head = await findHead(hub, sessionId);
  if (head !== undefined) return head;
  throw sessionNotFound(sessionId);
}

export function sessionNotFound(sessionId: string): AsklineError {
  return new AsklineError("not_found", `there is no session ${sessionId}; its agent has to open it first`);
}

/** Each item with its ask, if it has one that is still stored. Never more than a few asks are in memory at once. */
export async function* withAsks<T>(
  hub: Hub,
  items: readonly T[],
  askIdOf: (item: T) => string | undefined,
): AsyncGenerator<readonly [item: T, ask: Ask | undefined], void, void> {
  for (let start = 0; start < items.length; start += ASKS_AT_ONCE) {
    const some = items.slice(start, start + ASKS_AT_ONCE);
    const asks = await asksOf(
      hub,
      some.flatMap((item) => askIdOf(item) ?? []),
    );
    for (const item of some) yield [item, asks.get(askIdOf(item) ?? "")];
  }
}

/** The asks that are still stored, by id. */
async function asksOf(hub: Hub, ids: Iterable<string>): Promise<ReadonlyMap<string, Ask>> {
  const asks = new Map<string, Ask>();
  await Promise.all(
    [...new Set(ids)].map(async (id) => {
      try {
        asks.set(id, await hub.get(id));
      } catch (error) {
        if (!(error instanceof AsklineError && error.code === "not_found")) throw error;
      }
    }),
  );
  return asks;
}

// A transcript, read entry by entry. It begins where the session was opened: earlier entries were written while an
// older transcript of the same name was being removed, and are ignored.
//
// Numbering starts at the position where the transcript begins. An entry has at most one block and one request, so a
// number of a removed transcript is never used again.

export interface ReadEntry {
  readonly entry: TranscriptEntry;
  readonly placement: Placement;
}

export interface TranscriptReader {
  /** Where the transcript begins; undefined until that entry was read. */
  readonly first: number | undefined;
  /** The fold of everything that was read; undefined until the transcript begins. */
  readonly fold: Fold | undefined;
  /** Reads the next entry; undefined if there is nothing to show. */
  take(logged: LogEntry): ReadEntry | undefined;
}

/** `from` is the state of a reader of the same transcript: this one continues where that one was. */
export function createTranscriptReader(from?: {
  readonly first: number;
  readonly state: FoldState;
}): TranscriptReader {
  let first = from?.first;
  let fold = from && createFold(from.first - 1, from.state);
  return {
    get first() {
      return first;
    },
    get fold() {
      return fold;
    },
    take(logged) {
      if (fold === undefined && logged.type === "opened") {
        first = logged.position;
        fold = createFold(logged.position - 1);
      }
      const entry = fold && readEntry(logged);
      const placement = entry && fold?.place(entry);
      return entry && placement && { entry, placement };
    },
  };
}
