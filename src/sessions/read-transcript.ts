import { type Ask, AsklineError } from "../core/index.js";
import { type Hub, type LogEntry, transcriptOf } from "../hub/index.js";
import { createFold, type Fold, type Placed } from "./fold.js";
import { readEntry, readHead, type SessionHead, type TranscriptEntry } from "./transcript.js";

const PAGE = 500;

/** Every entry that is there now, page by page. Throws `not_found` where they are removed meanwhile. */
export async function* pagesOf(hub: Hub, log: string): AsyncGenerator<readonly LogEntry[], void, void> {
  for (let position = 0; ; ) {
    const entries = await hub.logs.read(log, { after: position, limit: PAGE });
    const last = entries.at(-1);
    if (last === undefined && position === 0) return;
    if (position > 0 && (await isGone(hub, log, position, entries[0]))) throw removed();
    if (last !== undefined) yield entries;
    if (last === undefined || entries.length < PAGE) return;
    position = last.position;
  }
}

/** Whether there were entries between a position and the next that was read, if any, and have been removed. */
export async function isGone(
  hub: Hub,
  log: string,
  position: number,
  next: LogEntry | undefined,
): Promise<boolean> {
  // Not whether the head is further on: somebody may have written since the read.
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
  // Whatever is removed meanwhile: the first that is still there is the one that counts.
  for (let position = 0; ; ) {
    const entries = await hub.logs.read(log, { after: position, limit: PAGE });
    const opened = entries.find(({ type }) => type === "opened");
    const last = entries.at(-1);
    if (opened !== undefined || last === undefined) return readHead(sessionId, opened);
    position = last.position;
  }
}

/** Whether the transcript that was seen is still there: what was written in between is then part of it. */
export async function isStillThere(hub: Hub, { sessionId, position }: SessionHead): Promise<boolean> {
  return (await hub.logs.bounds(transcriptOf(sessionId))).first <= position;
}

/** What holds for the session; throws `not_found` where nobody has opened it. */
export async function requireHead(hub: Hub, sessionId: string): Promise<SessionHead> {
  const head = await findHead(hub, sessionId);
  if (head !== undefined) return head;
  throw noSession(sessionId);
}

export function noSession(sessionId: string): AsklineError {
  return new AsklineError("not_found", `there is no session ${sessionId}; its agent opens it`);
}

/** Those of the asks that are still kept. */
export async function asksOf(hub: Hub, ids: Iterable<string>): Promise<ReadonlyMap<string, Ask>> {
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

// A transcript, read entry by entry. It begins where the session was opened: what stands before that was written while
// an older transcript of the same name was being removed, and belongs to nobody.
//
// Numbers go on from the position at which it begins. An entry has at most one block and one request, so no number of
// a transcript that was removed is given again, and what names a request names no other.

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
