import { createReadStream } from "node:fs";
import type { Readable } from "node:stream";
import type { Store } from "../../hub/index.js";
import type { AskLine, EndLine } from "../archive/format.js";
import { importAsk } from "../archive/import-asks.js";
import { parseLine } from "../archive/parse-line.js";
import { type InputLine, readLines } from "../archive/read-lines.js";
import { CommandError } from "../command-error.js";
import { FAULT_EXIT_CODE, SIGNAL_EXIT_CODES } from "../exit-codes.js";
import { createProgress, type Progress } from "../keeping/progress.js";
import { print } from "../print.js";
import { stderrLogger } from "../remote/stderr-logger.js";
import { counted } from "../screen/numbers.js";
import { resolvePath } from "../settings/database.js";
import type { SettingFlags } from "../settings/settings.js";
import { withPretendedStore, withStore } from "../settings/with-store.js";
import type { World } from "../world.js";

export interface ImportFlags extends SettingFlags {
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/** An ask is at most 1 MB and its outcome as much again, and an escape takes six characters. */
const MOST_LINE_BYTES = 16 * 1024 * 1024;
/** Asks that are written together, and about how many bytes of them. */
const BATCH = 64;
const BATCH_BYTES = 4 * 1024 * 1024;
const MOST_TOLD = 20;

interface Tally {
  imported: number;
  known: number;
  conflicts: number;
  bad: number;
  /** How many asks and events the lines have held so far. */
  asks: number;
  events: number;
}

/** `askline import [FILE]`: brings what `askline export` wrote into a store. */
export async function runImport(file: string | undefined, flags: ImportFlags, world: World): Promise<number> {
  const withTarget = flags.dryRun ? withPretendedStore : withStore;
  return withTarget(flags, world, async (store) => {
    const input =
      file === undefined || file === "-" ? world.stdin : createReadStream(resolvePath(file, world));
    const interruption = world.interruption();
    const stop = (): void => void input.destroy();
    interruption.signal.addEventListener("abort", stop, { once: true });
    const progress = createProgress(world);
    const tally: Tally = { imported: 0, known: 0, conflicts: 0, bad: 0, asks: 0, events: 0 };
    try {
      const end = await importAll(store, input, { tally, progress, world, dryRun: flags.dryRun === true });
      const missing = missingOf(end, tally);
      progress.end();
      if (missing !== undefined) stderrLogger(world).warn(missing);
      await print(
        world,
        flags.json,
        { ...tally, whole: missing === undefined, dryRun: flags.dryRun === true },
        () => summary(tally, flags.dryRun === true),
      );
      return missing === undefined && tally.bad + tally.conflicts === 0 ? 0 : FAULT_EXIT_CODE;
    } catch (error) {
      const received = interruption.received();
      if (received === undefined) throw readable(error, file);
      world.stderr.write(
        `askline: stopped after ${counted(tally.imported, "ask")}; import it again to go on\n`,
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

/** The last line, where there was one. */
async function importAll(store: Store, input: Readable, run: ImportRun): Promise<EndLine | undefined> {
  const { tally, progress } = run;
  let batch: { readonly number: number; readonly line: AskLine }[] = [];
  let bytes = 0;
  let headed = false;
  let end: EndLine | undefined;
  const flush = async (): Promise<void> => {
    const results = await Promise.all(
      batch.map(async ({ number, line }) => ({ number, result: await importAsk(store, line, run.dryRun) })),
    );
    for (const { number, result } of results) {
      if (result.kind === "conflict") tell(run, "conflicts", number, result.message);
      else tally[result.kind] += 1;
    }
    batch = [];
    bytes = 0;
    progress.show(() => `imported ${counted(tally.imported, "ask")}`);
  };
  for await (const read of readLines(input, MOST_LINE_BYTES)) {
    const { number, text } = read;
    if (text?.trim() === "") continue;
    const parsed = parse(read);
    if (!headed) {
      // Without its header it could be anything: nothing of it is taken.
      if (!parsed.ok || parsed.line.kind !== "header") {
        throw new CommandError(
          `line ${number} ${parsed.ok ? "is no header" : parsed.fault}; give a file that "askline export" wrote`,
        );
      }
      headed = true;
    } else if (!parsed.ok) tell(run, "bad", number, parsed.fault);
    else if (end !== undefined || parsed.line.kind === "header") {
      tell(run, "bad", number, "is behind the end, or a second header");
    } else if (parsed.line.kind === "end") end = parsed.line;
    else {
      tally.asks += 1;
      tally.events += parsed.line.events.length;
      batch.push({ number, line: parsed.line });
      bytes += text?.length ?? 0;
      if (batch.length >= BATCH || bytes > BATCH_BYTES) await flush();
    }
  }
  await flush();
  if (!headed) throw new CommandError('there is nothing in it; give a file that "askline export" wrote');
  return end;
}

function parse({ text, fault = "" }: InputLine): ReturnType<typeof parseLine> {
  return text === undefined ? { ok: false, fault } : parseLine(text);
}

function tell(
  { tally, world, progress }: ImportRun,
  kind: "bad" | "conflicts",
  number: number,
  message: string,
): void {
  tally[kind] += 1;
  progress.end();
  const told = tally.bad + tally.conflicts;
  if (told <= MOST_TOLD)
    stderrLogger(world).warn(`line ${number} ${kind === "bad" ? "" : "is left out: "}${message}`);
  if (told === MOST_TOLD + 1)
    stderrLogger(world).warn("there are more lines like that; they are only counted");
}

/** What shows that some of the file is not there; undefined where it is whole. */
function missingOf(end: EndLine | undefined, { asks, events, bad }: Tally): string | undefined {
  if (end === undefined) return "the file has no end: it was cut off, and what came behind is missing";
  if (bad > 0 || (end.asks === asks && end.events === events)) return undefined;
  return `the file should hold ${counted(end.asks, "ask")} and ${counted(end.events, "event")}, and has ${asks} and ${events}: lines are missing`;
}

function summary({ imported, known, conflicts, bad }: Tally, dryRun: boolean): string {
  const parts = [
    `${counted(imported, "ask")} ${dryRun ? "would be imported" : "imported"}`,
    ...(known > 0 ? [`${known.toLocaleString("en")} there already`] : []),
    ...(conflicts > 0 ? [`${counted(conflicts, "conflict")} left out`] : []),
    ...(bad > 0 ? [`${counted(bad, "bad line")} left out`] : []),
  ];
  return `${parts.join(", ")}.`;
}

function readable(error: unknown, file: string | undefined): unknown {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (file === undefined || typeof code !== "string" || !/^E[A-Z]+$/.test(code)) return error;
  return new CommandError(`cannot read ${file} (${(error as Error).message}); check the path`, undefined, {
    cause: error,
  });
}
