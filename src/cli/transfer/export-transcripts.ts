// The transcripts of sessions as they were when the export began, a part of one at a time.

import { mayAnswer } from "../../core/visibility.js";
import type { LogEntry, LogSummary, RestoredEntry, Store } from "../../hub/index.js";
import { sessionOfTranscript, TRANSCRIPTS, transcriptOf } from "../../hub/transcripts.js";
import { readHead } from "../../sessions/transcript.js";
import type { TranscriptLine } from "./format.js";

const LOGS = 100;
/** How many entries are on a line, and about how long it may be; an entry is at most some 100 KB. */
const ENTRIES = 100;
const LINE_LENGTH = 1_048_576;

export interface TranscriptFilter {
  readonly session?: string | undefined;
  /** Who may read it. */
  readonly person?: string | undefined;
  /** Only what was written to since. */
  readonly since: number;
  /** Only what was written until then. */
  readonly until: number;
}

export async function* exportTranscripts(
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
  for (let after = ""; ; ) {
    const page = await store.logs.list({ prefix: only ?? TRANSCRIPTS, after, limit: LOGS });
    yield* page.filter(({ log }) => only === undefined || log === only);
    const last = page.at(-1);
    if (last === undefined || page.length < LOGS || only !== undefined) return;
    after = last.log;
  }
}

/**
 * From where the session was opened: what stands before that is what a prune was to remove. Ends where the log is
 * removed meanwhile: what follows then is of another transcript.
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
