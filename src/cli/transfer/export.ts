// Reads a store page by page while others use it. The archive has every ask made before the export began, each with its
// events at one moment. Transcripts stop at the time the export began, so that none contains the end of an ask that is
// pending in the archive.

import { readHead } from "../../agents/sessions/transcript.js";
import type { Ask } from "../../core/model/ask.js";
import type { AskFilter } from "../../core/model/ports.js";
import { mayAnswer } from "../../core/model/visibility.js";
import { entriesOfAsk } from "../../hub/events/event-stream.js";
import { createShowings } from "../../hub/records/showings.js";
import { allLogs, sessionOfTranscript, TRANSCRIPTS, transcriptOf } from "../../hub/records/transcripts.js";
import {
  EVENT_LOG,
  type LogEntry,
  type LogSummary,
  type RestoredEntry,
  type RestoredEvent,
  type Store,
} from "../../hub/seam/store.js";
import { type ArchiveLine, type AskLine, FORMAT, FORMAT_VERSION, type TranscriptLine } from "./format.js";

const PAGE = 100;
const MOST_LOOKS = 20;

export interface ExportOptions {
  readonly filter: AskFilter;
  /** Only asks made since this time. */
  readonly since?: number | undefined;
  readonly now: number;
  readonly signal: AbortSignal;
}

/** The lines of an archive. Ends early, without the last line, if the signal aborts. */
export async function* exportAsks(
  store: Store,
  { filter, since = 0, now, signal }: ExportOptions,
): AsyncGenerator<ArchiveLine, void, void> {
  yield { kind: "header", format: FORMAT, version: FORMAT_VERSION, exportedAt: now, store: store.name };
  const { head } = await store.logs.bounds(EVENT_LOG);
  const { session, person } = filter;
  const sessions = new Set<string>();
  let entries = 0;
  for await (const line of exportTranscripts(store, { session, person, since, until: store.now() })) {
    if (signal.aborted) return;
    sessions.add(line.session);
    entries += line.entries.length;
    yield line;
  }
  let asks = 0;
  let events = 0;
  for (let after: number | undefined; after === undefined || after < head; ) {
    const page = await store.asks.list({
      ...filter,
      limit: PAGE,
      after,
    });
    const wanted = page.asks.filter(({ createdAt }) => createdAt >= since);
    const lines = await Promise.all(wanted.map((ask) => askLine(store, ask)));
    for (const line of lines) {
      if (signal.aborted) return;
      if (line === undefined) continue;
      asks += 1;
      events += line.events.length;
      yield line;
    }
    if (page.next === undefined) break;
    after = page.next;
  }
  yield { kind: "end", asks, events, transcripts: sessions.size, entries };
}

/** Undefined if the ask has been removed meanwhile. */
async function askLine(store: Store, listed: Ask): Promise<AskLine | undefined> {
  let ask: Ask | undefined = listed;
  let entries = await entriesOfAsk(store, listed.id);
  // An ended ask does not change any more. A pending one may change between two reads, so read until it is stable.
  for (let look = 0; ask?.status === "pending" && look < MOST_LOOKS; look += 1) {
    ask = await store.asks.get(listed.id);
    const again = await entriesOfAsk(store, listed.id);
    const stable = again.length === entries.length;
    entries = again;
    if (stable) break;
  }
  if (ask === undefined || entries.length === 0) return undefined;
  const shown = await createShowings(store).list(ask.id);
  return { kind: "ask", ask, events: entries.map(toEvent), ...(shown.length > 0 && { shown }) };
}

function toEvent({ at, type, data }: LogEntry): RestoredEvent {
  return { at, type, ...(data !== undefined && { data }) };
}

// The transcripts of sessions as they were when the export began, one part at a time.

/** How many entries are on a line, and about how long it may be. An entry is at most about 100 KB. */
const ENTRIES = 100;
const LINE_LENGTH = 1_048_576;

interface TranscriptFilter {
  readonly session?: string | undefined;
  /** Only transcripts that this person may read. */
  readonly person?: string | undefined;
  /** Only transcripts written to since this time. */
  readonly since: number;
  /** Only entries written until this time. */
  readonly until: number;
}

async function* exportTranscripts(
  store: Store,
  filter: TranscriptFilter,
): AsyncGenerator<TranscriptLine, void, void> {
  for await (const { log, lastAt } of transcripts(store, filter.session)) {
    if (lastAt < filter.since) continue;
    let isFirst = true;
    for await (const line of linesOf(store, log, filter.until)) {
      if (isFirst && !mayRead(line, filter.person)) break;
      isFirst = false;
      yield line;
    }
  }
}

async function* transcripts(
  store: Store,
  session: string | undefined,
): AsyncGenerator<LogSummary, void, void> {
  const only = session === undefined ? undefined : transcriptOf(session);
  for await (const summary of allLogs(store, only ?? TRANSCRIPTS)) {
    if (only === undefined || summary.log === only) yield summary;
    // The name itself comes first of all names that begin with it.
    if (only !== undefined) return;
  }
}

/**
 * Starts where the session was opened: earlier entries are left over from an interrupted prune. Stops if the log is
 * removed meanwhile, since later entries then belong to another transcript.
 */
async function* linesOf(
  store: Store,
  log: string,
  until: number,
): AsyncGenerator<TranscriptLine, void, void> {
  let opened = false;
  for (let position = 0; ; ) {
    const page = await store.logs.read(log, { after: position, limit: ENTRIES });
    const [next] = page;
    if (next === undefined || (opened && next.position > position + 1)) return;
    const late = page.findIndex(({ at }) => at > until);
    const entries = late < 0 ? page : page.slice(0, late);
    const start: number = opened ? 0 : entries.findIndex(({ type }) => type === "opened");
    opened ||= start >= 0;
    if (opened) yield* split(sessionOfTranscript(log), entries.slice(start));
    if (late >= 0 || page.length < ENTRIES) return;
    position = page.at(-1)?.position ?? position;
  }
}

function* split(session: string, logged: readonly LogEntry[]): Generator<TranscriptLine, void, void> {
  let entries: RestoredEntry[] = [];
  let first = logged[0]?.position ?? 0;
  let length = 0;
  for (const { position, ...entry } of logged) {
    const size = JSON.stringify(entry).length;
    if (entries.length > 0 && length + size > LINE_LENGTH) {
      yield { kind: "transcript", session, first, entries };
      [entries, first, length] = [[], position, 0];
    }
    entries.push(entry);
    length += size;
  }
  if (entries.length > 0) yield { kind: "transcript", session, first, entries };
}

function mayRead({ session, first, entries: [opened] }: TranscriptLine, person: string | undefined): boolean {
  if (person === undefined) return true;
  const head = readHead(session, opened && { ...opened, position: first });
  return head !== undefined && mayAnswer(person, head);
}
