import { counted } from "../output/units.js";
import type { EndLine } from "./format.js";
import type { TakenLine } from "./import-transcripts.js";

/** What became of an archive so far. */
export interface Tally {
  imported: number;
  known: number;
  conflicts: number;
  bad: number;
  /** How many asks and events the lines have held so far. */
  asks: number;
  events: number;
  readonly transcripts: TranscriptTally;
}

export interface TranscriptTally {
  imported: number;
  known: number;
  conflicts: number;
  /** How many entries the lines have held so far. */
  entries: number;
}

export function createTally(): Tally {
  const transcripts: TranscriptTally = { imported: 0, known: 0, conflicts: 0, entries: 0 };
  return { imported: 0, known: 0, conflicts: 0, bad: 0, asks: 0, events: 0, transcripts };
}

/** Counts a transcript once, as what it turns out to be. */
export function countTaken(tally: TranscriptTally, { now, before }: TakenLine): void {
  const nameOf = (kind: typeof now.kind): "imported" | "known" | "conflicts" =>
    kind === "conflict" ? "conflicts" : kind;
  if (before !== undefined) tally[nameOf(before)] -= 1;
  tally[nameOf(now.kind)] += 1;
}

export function isWhole({ bad, conflicts, transcripts }: Tally): boolean {
  return bad + conflicts + transcripts.conflicts === 0;
}

/** What shows that some of the file is not there; undefined where it is whole. */
export function missingOf(
  end: EndLine | undefined,
  { asks, events, bad, transcripts }: Tally,
): string | undefined {
  if (end === undefined) return "the file has no end: it was cut off, and what came behind is missing";
  const sessions = transcripts.imported + transcripts.known + transcripts.conflicts;
  const pairs = [
    [end.asks, asks, "ask"],
    [end.events, events, "event"],
    [end.transcripts, sessions, "transcript"],
    [end.entries, transcripts.entries, "entry"],
  ] as const;
  const wrong = pairs.filter(([wanted, found]) => wanted !== found);
  if (bad > 0 || wrong.length === 0) return undefined;
  const nouns = (count: number, noun: string): string =>
    noun === "entry" && count !== 1 ? `${count.toLocaleString("en")} entries` : counted(count, noun);
  const should = wrong.map(([wanted, , noun]) => nouns(wanted, noun)).join(" and ");
  return `the file should hold ${should}, and has ${wrong.map(([, found]) => found).join(" and ")}: lines are missing`;
}

export function summaryOf({ imported, known, conflicts, bad, transcripts }: Tally, dryRun: boolean): string {
  const all = known + transcripts.known;
  const left = conflicts + transcripts.conflicts;
  const what = [
    counted(imported, "ask"),
    ...(transcripts.imported > 0 ? [counted(transcripts.imported, "transcript")] : []),
  ].join(" and ");
  const parts = [
    `${what} ${dryRun ? "would be imported" : "imported"}`,
    ...(all > 0 ? [`${all.toLocaleString("en")} there already`] : []),
    ...(left > 0 ? [`${counted(left, "conflict")} left out`] : []),
    ...(bad > 0 ? [`${counted(bad, "bad line")} left out`] : []),
  ];
  return `${parts.join(", ")}.`;
}
