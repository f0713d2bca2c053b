// Brings transcripts into a store, line by line, each line in one transaction. Entries keep their positions where the
// store has never had a transcript of that session, so that ids of events and approval keys stay what they were; where
// one was removed, they come above it. What is there stays: a line that is there already is only compared, and one
// that goes on from the last is written behind it, so an import that was stopped is gone on with by the next.

import { canonicalJson, type Json } from "../../core/index.js";
import type { LogBounds, LogEntry, RestoredEntry, Store } from "../../hub/index.js";
import { transcriptOf } from "../../hub/records/transcripts.js";
import type { TranscriptLine } from "./format.js";
import type { Imported } from "./import-asks.js";

export interface TranscriptImport {
  /** Takes the next line. Those of one session must follow each other. */
  take(line: TranscriptLine): Promise<TakenLine>;
}

/** What has become of the transcript with this line, and what with those before it. */
export interface TakenLine {
  readonly now: Imported;
  readonly before?: Imported["kind"];
}

interface Current {
  readonly session: string;
  /** How much higher the positions are here than in the file. */
  readonly shift: number;
  /** The last position that the next line goes on from, here. */
  position: number;
  /** Of a dry run: whether what comes before was not written, and would have been. */
  pretended: boolean;
  said?: Imported;
  /** Whether a line of it has been taken. */
  begun: boolean;
}

export function createTranscriptImport(store: Store, dryRun: boolean): TranscriptImport {
  let current: Current | undefined;
  const seen = new Set<string>();

  const begin = async ({ session, first }: TranscriptLine): Promise<Current> => {
    const shift = shiftFor(await store.logs.bounds(transcriptOf(session)), first);
    const own: Current = { session, shift, position: first + shift - 1, pretended: false, begun: false };
    if (seen.has(session)) own.said = conflict(session, "is in the file a second time");
    seen.add(session);
    return own;
  };

  const judge = async (own: Current, { session, first, entries }: TranscriptLine): Promise<Imported> => {
    if (own.said?.kind === "conflict") return own.said;
    if (first + own.shift !== own.position + 1) return conflict(session, "has a gap before this line");
    const found = own.pretended ? 0 : await place(store, own, entries, dryRun);
    if (found === undefined) return conflict(session, "is there already and differs");
    own.position += entries.length;
    own.pretended ||= dryRun && found < entries.length;
    return own.said?.kind === "imported" || found < entries.length ? { kind: "imported" } : { kind: "known" };
  };

  return {
    async take(line) {
      if (current?.session !== line.session) current = await begin(line);
      const own = current;
      const before = own.begun ? own.said?.kind : undefined;
      own.said = await judge(own, line);
      own.begun = true;
      return { now: own.said, ...(before !== undefined && { before }) };
    },
  };
}

function conflict(session: string, what: string): Imported {
  return { kind: "conflict", message: `the transcript of session ${JSON.stringify(session)} ${what}` };
}

function shiftFor({ first, head }: LogBounds, wanted: number): number {
  if (head === 0) return 0;
  return first <= head ? first - wanted : Math.max(0, head + 1 - wanted);
}

/** How many of the entries were there; the others are written behind them. Undefined where something else is there. */
async function place(
  store: Store,
  { session, position }: Current,
  entries: readonly RestoredEntry[],
  dryRun: boolean,
): Promise<number | undefined> {
  const log = transcriptOf(session);
  for (;;) {
    const { head } = await store.logs.bounds(log);
    const there = await store.logs.read(log, { after: position, limit: entries.length });
    if (there.some((entry, index) => !isSame(entry, position + index + 1, entries[index]))) return undefined;
    if (there.length === entries.length) return there.length;
    // Something was removed since, or the rest is missing in the middle of what is there.
    const from = position + there.length;
    if (head > from) return undefined;
    if (dryRun) return there.length;
    const rest = { head, first: from + 1, entries: entries.slice(there.length) };
    if (await store.logs.restore(log, rest)) return there.length;
  }
}

function isSame({ position, ...entry }: LogEntry, wanted: number, other: RestoredEntry | undefined): boolean {
  const text = (value: unknown): string => canonicalJson(value as Json);
  return position === wanted && other !== undefined && text(entry) === text(other);
}
