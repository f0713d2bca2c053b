import { createReadStream } from "node:fs";
import type { Readable } from "node:stream";
import type { Store } from "../../hub/seam/store.js";
import { type Define, examples, withDatabase } from "../input/command.js";
import { stderrLogger } from "../output/logger.js";
import { print } from "../output/print.js";
import { createProgress, type Progress } from "../output/progress.js";
import { counted } from "../output/units.js";
import { resolvePath } from "../settings/database.js";
import type { SettingFlags } from "../settings/settings.js";
import { withDryRunStore, withStore } from "../settings/store.js";
import type { AskLine, EndLine } from "../transfer/format.js";
import { createDryRunAsks, type Imported, importAsk } from "../transfer/import-asks.js";
import { createTranscriptImport, type LineResult } from "../transfer/import-transcripts.js";
import { type InputLine, readLines } from "../transfer/lines.js";
import { parseLine } from "../transfer/parse-line.js";
import { CommandError, FAULT_EXIT_CODE, SIGNAL_EXIT_CODES } from "../world/exit.js";
import type { World } from "../world/world.js";

export const define: Define = (command, { world, end }) => {
  withDatabase(command)
    .argument("[file]", "the file that askline export wrote; stdin if omitted")
    .option("--dry-run", "print what would be imported and skipped, and change nothing")
    .addHelpText("after", HELP)
    .action(async (file?: string) => end(await runImport(file, command.optsWithGlobals(), world)));
};

const HELP = `
Imports each ask with its events and original times, or not at all. Existing asks stay unchanged, so a second import
changes nothing. An ask whose id or key exists with other content, or a transcript that differs from that of its
session, is reported and skipped. Exits with 1 if a line was invalid, skipped or missing.
${examples("askline import asks.jsonl", "askline import --dry-run asks.jsonl", "gunzip -c month.jsonl.gz | askline import")}`;

export interface ImportFlags extends SettingFlags {
  readonly dryRun?: boolean;
}

/** An ask and its outcome are at most 1 MB each, and an escape takes six characters. */
const MOST_LINE_BYTES = 16 * 1024 * 1024;
/** How many asks are written together, and about how many bytes. */
const BATCH = 64;
const BATCH_BYTES = 4 * 1024 * 1024;
const MOST_WARNINGS = 20;

/** `askline import [FILE]`: imports what `askline export` wrote. */
async function runImport(file: string | undefined, flags: ImportFlags, world: World): Promise<number> {
  const withTarget = flags.dryRun ? withDryRunStore : withStore;
  return withTarget(flags, world, async (store) => {
    const input =
      file === undefined || file === "-" ? world.stdin : createReadStream(resolvePath(file, world));
    const interruption = world.interruption();
    const stop = (): void => void input.destroy();
    interruption.signal.addEventListener("abort", stop, { once: true });
    const progress = createProgress(world);
    const tally = createTally();
    try {
      const end = await importAll(store, input, { tally, progress, world, dryRun: flags.dryRun === true });
      const missing = missingOf(end, tally);
      progress.end();
      if (missing !== undefined) stderrLogger(world).warn(missing);
      await print(
        world,
        flags.json,
        { ...tally, whole: missing === undefined, dryRun: flags.dryRun === true },
        () => summaryOf(tally, flags.dryRun === true),
      );
      return missing === undefined && isWhole(tally) ? 0 : FAULT_EXIT_CODE;
    } catch (error) {
      const received = interruption.received();
      if (received === undefined) throw readable(error, file);
      world.stderr.write(
        `askline: stopped after ${counted(tally.imported, "ask")}; run the import again to continue\n`,
      );
      return SIGNAL_EXIT_CODES[received];
    } finally {
      progress.end();
      interruption.dispose();
      input.destroy();
    }
  });
}

interface ImportRun {
  readonly tally: Tally;
  readonly progress: Progress;
  readonly world: World;
  readonly dryRun: boolean;
}

/** Imports every line and returns the last one, if the file has it. */
async function importAll(store: Store, input: Readable, run: ImportRun): Promise<EndLine | undefined> {
  const { tally, progress } = run;
  let batch: { readonly number: number; readonly line: AskLine }[] = [];
  let bytes = 0;
  let headed = false;
  let end: EndLine | undefined;
  const dryRun = run.dryRun ? createDryRunAsks(store) : undefined;
  const transcripts = createTranscriptImport(store, run.dryRun);
  const count = (number: number, result: Imported): void => {
    if (result.kind !== "conflict") tally[result.kind] += 1;
    else {
      tally.conflicts += 1;
      warn(run, number, `was skipped: ${result.message}`);
    }
  };
  const flush = async (): Promise<void> => {
    // Concurrently, so that a store can write them together. In a dry run, each result depends on the ones before.
    if (dryRun === undefined) {
      const results = await Promise.all(batch.map(({ line }) => importAsk(store, line)));
      results.forEach((result, index) => {
        count(batch[index]?.number ?? 0, result);
      });
    } else for (const { number, line } of batch) count(number, await importAsk(store, line, dryRun));
    batch = [];
    bytes = 0;
    progress.show(() => `imported ${counted(tally.imported, "ask")}`);
  };
  for await (const read of readLines(input, MOST_LINE_BYTES)) {
    const { number, text } = read;
    if (text?.trim() === "") continue;
    const parsed = parse(read);
    if (!headed) {
      // A file without a header could be anything, so nothing is imported.
      if (!parsed.ok || parsed.line.kind !== "header") {
        throw new CommandError(
          `line ${number} ${parsed.ok ? "is not a header" : parsed.fault}; give a file that "askline export" wrote`,
        );
      }
      headed = true;
    } else if (!parsed.ok) bad(run, number, parsed.fault);
    else if (end !== undefined || parsed.line.kind === "header") {
      bad(run, number, "comes after the end, or is a second header");
    } else if (parsed.line.kind === "end") end = parsed.line;
    else if (parsed.line.kind === "transcript") {
      const result = await transcripts.add(parsed.line);
      const { now, before } = result;
      tally.transcripts.entries += parsed.line.entries.length;
      countTranscript(tally.transcripts, result);
      if (now.kind === "conflict" && before !== "conflict") warn(run, number, `was skipped: ${now.message}`);
      progress.show(() => `imported ${counted(tally.transcripts.imported, "transcript")}`);
    } else {
      tally.asks += 1;
      tally.events += parsed.line.events.length;
      batch.push({ number, line: parsed.line });
      bytes += text?.length ?? 0;
      if (batch.length >= BATCH || bytes > BATCH_BYTES) await flush();
    }
  }
  await flush();
  if (!headed) throw new CommandError('the file is empty; give a file that "askline export" wrote');
  return end;
}

function parse({ text, fault = "" }: InputLine): ReturnType<typeof parseLine> {
  return text === undefined ? { ok: false, fault } : parseLine(text);
}

function bad(run: ImportRun, number: number, fault: string): void {
  run.tally.bad += 1;
  warn(run, number, fault);
}

function warn({ tally, world, progress }: ImportRun, number: number, message: string): void {
  progress.end();
  const count = tally.bad + tally.conflicts + tally.transcripts.conflicts;
  if (count <= MOST_WARNINGS) stderrLogger(world).warn(`line ${number} ${message}`);
  if (count === MOST_WARNINGS + 1) stderrLogger(world).warn("further lines like these are only counted");
}

function readable(error: unknown, file: string | undefined): unknown {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (file === undefined || typeof code !== "string" || !/^E[A-Z]+$/.test(code)) return error;
  return new CommandError(`cannot read ${file} (${(error as Error).message}); check the path`, undefined, {
    cause: error,
  });
}

/** What was done with an archive so far. */
interface Tally {
  imported: number;
  known: number;
  conflicts: number;
  bad: number;
  /** How many asks and events the lines had so far. */
  asks: number;
  events: number;
  readonly transcripts: TranscriptTally;
}

interface TranscriptTally {
  imported: number;
  known: number;
  conflicts: number;
  /** How many entries the lines had so far. */
  entries: number;
}

function createTally(): Tally {
  const transcripts: TranscriptTally = { imported: 0, known: 0, conflicts: 0, entries: 0 };
  return { imported: 0, known: 0, conflicts: 0, bad: 0, asks: 0, events: 0, transcripts };
}

/** Counts a transcript once, by the result of its last line. */
function countTranscript(tally: TranscriptTally, { now, before }: LineResult): void {
  const nameOf = (kind: typeof now.kind): "imported" | "known" | "conflicts" =>
    kind === "conflict" ? "conflicts" : kind;
  if (before !== undefined) tally[nameOf(before)] -= 1;
  tally[nameOf(now.kind)] += 1;
}

function isWhole({ bad, conflicts, transcripts }: Tally): boolean {
  return bad + conflicts + transcripts.conflicts === 0;
}

/** Describes what is missing from the file; undefined if it is complete. */
function missingOf(end: EndLine | undefined, { asks, events, bad, transcripts }: Tally): string | undefined {
  if (end === undefined) return "the file has no last line: it was cut off, and the rest is missing";
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
  return `the file should have ${should}, but has ${wrong.map(([, found]) => found).join(" and ")}: lines are missing`;
}

function summaryOf({ imported, known, conflicts, bad, transcripts }: Tally, dryRun: boolean): string {
  const all = known + transcripts.known;
  const left = conflicts + transcripts.conflicts;
  const what = [
    counted(imported, "ask"),
    ...(transcripts.imported > 0 ? [counted(transcripts.imported, "transcript")] : []),
  ].join(" and ");
  const parts = [
    `${what} ${dryRun ? "would be imported" : "imported"}`,
    ...(all > 0 ? [`${all.toLocaleString("en")} already existed`] : []),
    ...(left > 0 ? [`${counted(left, "conflict")} skipped`] : []),
    ...(bad > 0 ? [`${counted(bad, "bad line")} skipped`] : []),
  ];
  return `${parts.join(", ")}.`;
}
