// Imports transcripts line by line, each line in one transaction. Entries keep their positions, and with them event ids
// and approval keys, unless the store once had a transcript of that session; then they are placed above it. Existing
// entries stay: a line that exists is only compared, and one that continues the transcript is appended, so the next
// import continues one that was stopped.

import { canonicalJson, type Json } from "../../core/kit/json.js";
import { transcriptOf } from "../../hub/records/transcripts.js";
import type { LogBounds, LogEntry, RestoredEntry, Store } from "../../hub/seam/store.js";
import type { TranscriptLine } from "./format.js";
import type { Imported } from "./import-asks.js";

export interface TranscriptImport {
  /** Imports the next line. The lines of one session must be consecutive. */
  add(line: TranscriptLine): Promise<LineResult>;
}

/** The result for the transcript up to this line, and the result before it. */
export interface LineResult {
  readonly now: Imported;
  readonly before?: Imported["kind"] | undefined;
}

interface Current {
  readonly session: string;
  /** How much higher the positions are in the store than in the file. */
  readonly shift: number;
  /** The position in the store that the next line continues from. */
  position: number;
  /** In a dry run: whether earlier lines would have been written. */
  skippedWrites: boolean;
  result?: Imported;
  /** Whether a line of it has been imported. */
  begun: boolean;
}

export function createTranscriptImport(store: Store, dryRun: boolean): TranscriptImport {
  let current: Current | undefined;
  const seen = new Set<string>();

  const begin = async ({ session, first }: TranscriptLine): Promise<Current> => {
    const shift = shiftFor(await store.logs.bounds(transcriptOf(session)), first);
    const own: Current = { session, shift, position: first + shift - 1, skippedWrites: false, begun: false };
    if (seen.has(session)) own.result = conflict(session, "is in the file twice");
    seen.add(session);
    return own;
  };

  const judge = async (own: Current, { session, first, entries }: TranscriptLine): Promise<Imported> => {
    if (own.result?.kind === "conflict") return own.result;
    if (first + own.shift !== own.position + 1) return conflict(session, "has a gap before this line");
    const found = own.skippedWrites ? 0 : await place(store, own, entries, dryRun);
    if (found === undefined) return conflict(session, "already exists and differs");
    own.position += entries.length;
    own.skippedWrites ||= dryRun && found < entries.length;
    return own.result?.kind === "imported" || found < entries.length
      ? { kind: "imported" }
      : { kind: "known" };
  };

  return {
    async add(line) {
      if (current?.session !== line.session) current = await begin(line);
      const own = current;
      const before = own.begun ? own.result?.kind : undefined;
      own.result = await judge(own, line);
      own.begun = true;
      return { now: own.result, before };
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

/** Appends the missing entries and returns how many already existed. Undefined if other entries are in their place. */
async function place(
  store: Store,
  { session, position }: Current,
  entries: readonly RestoredEntry[],
  dryRun: boolean,
): Promise<number | undefined> {
  const log = transcriptOf(session);
  for (;;) {
    const { head } = await store.logs.bounds(log);
    const existing = await store.logs.read(log, { after: position, limit: entries.length });
    if (existing.some((entry, index) => !isSame(entry, position + index + 1, entries[index])))
      return undefined;
    if (existing.length === entries.length) return existing.length;
    // Something was removed meanwhile, or the missing entries are in the middle of existing ones.
    const from = position + existing.length;
    if (head > from) return undefined;
    if (dryRun) return existing.length;
    const rest = { head, first: from + 1, entries: entries.slice(existing.length) };
    if (await store.logs.restore(log, rest)) return existing.length;
  }
}

function isSame({ position, ...entry }: LogEntry, wanted: number, other: RestoredEntry | undefined): boolean {
  const text = (value: unknown): string => canonicalJson(value as Json);
  return position === wanted && other !== undefined && text(entry) === text(other);
}
