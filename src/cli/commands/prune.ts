import { createInterface } from "node:readline";
import type { Pruned, Store } from "../../hub/index.js";
import { ASK_NAMESPACES } from "../../hub/records/ask-records.js";
import { countTranscripts, pruneTranscripts } from "../../hub/records/transcripts.js";
import { type Define, examples, withDatabase } from "../input/command.js";
import { requirePast } from "../input/time-flags.js";
import { print } from "../output/print.js";
import { createProgress } from "../output/progress.js";
import { counted, exactTime } from "../output/units.js";
import type { SettingFlags } from "../settings/settings.js";
import { withPresentStore } from "../settings/store.js";
import { CommandError, SIGNAL_EXIT_CODES } from "../world/exit.js";
import type { World } from "../world/world.js";

export const define: Define = (command, { world, end }) => {
  withDatabase(command)
    .requiredOption("--settled-before <time>", "asks that ended before this time: 90d ago, or 2026-01-31")
    .option("--limit <count>", "at most this many asks, oldest first, and this many transcripts")
    .option("--dry-run", "only print how many")
    .option("-y, --yes", "do not ask for confirmation")
    .addHelpText("after", HELP)
    .action(async () => end(await runPrune(command.optsWithGlobals() as PruneFlags, world)));
};

const HELP = `
Also removes the events and drafts of these asks, and the transcripts of sessions that have no ask left and were not
written to since. The keys of the asks can be used again.
${examples(
  "askline prune --settled-before 90d --dry-run",
  "askline prune --settled-before 90d --yes",
  "askline export old.jsonl && askline prune --settled-before 2026-01-31",
)}`;

export interface PruneFlags extends SettingFlags {
  readonly settledBefore: string;
  readonly limit?: string;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
}

// Small, so that other writers get their turn and Ctrl-C takes effect.
const BATCH = 500;

/**
 * `askline prune`: removes asks that ended before a time, with their events, drafts and showings, and the transcripts
 * of sessions that have none left.
 */
async function runPrune(flags: PruneFlags, world: World): Promise<number> {
  const before = requirePast("--settled-before", flags.settledBefore, world.clock.now());
  const limit = readLimit(flags.limit);
  return withPresentStore(flags, world, async (store) => {
    const found = {
      asks: Math.min(await store.asks.countSettled(before), limit),
      transcripts: Math.min(await countTranscripts(store, before), limit),
    };
    const report = (removed: Pruned, text: string): Promise<void> =>
      print(world, flags.json, result(before, found, removed), () => text);
    if (found.asks + found.transcripts === 0) {
      // Expired records and leftovers of older versions are removed all the same.
      if (!flags.dryRun) await store.asks.prune(before, 0, ASK_NAMESPACES);
      await report(NOTHING, `No asks ended before ${exactTime(before)}.`);
      return 0;
    }
    const what = describeFound(found, before, flags.limit !== undefined);
    if (flags.dryRun) {
      await report(NOTHING, `${what} would be removed.`);
      return 0;
    }
    if (!flags.yes && !(await isConfirmed(what, world))) {
      await report(NOTHING, "Nothing was removed.");
      return 0;
    }
    const { removed, signal } = await removeAll(store, before, { found, limit }, world);
    await report(removed, signal === undefined ? describeRemoved(removed) : describeStopped(removed, found));
    return signal === undefined ? 0 : SIGNAL_EXIT_CODES[signal];
  });
}

const NOTHING: Pruned = { asks: 0, transcripts: 0 };

function result(before: number, found: Pruned, removed: Pruned): object {
  return {
    ...{ before, found: found.asks, removed: removed.asks },
    transcripts: { found: found.transcripts, removed: removed.transcripts },
  };
}

async function isConfirmed(what: string, world: World): Promise<boolean> {
  if (!("isTTY" in world.stdin && world.stdin.isTTY === true)) {
    throw new CommandError(
      `${what} would be permanently removed; stdin is not a terminal, so add --yes to confirm, or --dry-run to only look`,
    );
  }
  return confirm(
    world,
    `${what} will be permanently removed, with everything that belongs to them. Continue?`,
  );
}

async function removeAll(
  store: Store,
  before: number,
  { found, limit }: { readonly found: Pruned; readonly limit: number },
  world: World,
): Promise<{ readonly removed: Pruned; readonly signal?: keyof typeof SIGNAL_EXIT_CODES | undefined }> {
  const interruption = world.interruption();
  const progress = createProgress(world);
  const { signal } = interruption;
  let asks = 0;
  try {
    while (asks < found.asks && !signal.aborted) {
      const batch = await store.asks.prune(before, Math.min(BATCH, found.asks - asks), ASK_NAMESPACES);
      if (batch === 0) break;
      asks += batch;
      progress.show(() => `removed ${asks.toLocaleString("en")} of ${found.asks.toLocaleString("en")}`);
    }
    progress.show(() => "removing transcripts");
    const transcripts = signal.aborted ? 0 : await pruneTranscripts(store, before, limit, signal);
    return { removed: { asks, transcripts }, signal: interruption.received() };
  } finally {
    progress.end();
    interruption.dispose();
  }
}

function readLimit(text: string | undefined): number {
  if (text === undefined) return Number.MAX_SAFE_INTEGER;
  const limit = /^\d{1,15}$/.test(text) ? Number(text) : 0;
  if (limit >= 1) return limit;
  throw new CommandError(`--limit "${text}" must be a whole number above 0`);
}

/** Asks on the terminal. Only y or yes confirms: Enter, the end of the input and Ctrl-C do not. */
export function confirm({ stdin, stderr }: World, question: string): Promise<boolean> {
  return new Promise((resolve) => {
    const lines = createInterface({ input: stdin, output: stderr, terminal: false });
    stderr.write(`${question} [y/N] `);
    let answer = "";
    lines.once("line", (line) => {
      answer = line.trim().toLowerCase();
      lines.close();
    });
    lines.once("close", () => resolve(answer === "y" || answer === "yes"));
  });
}

/**
 * What would be removed, as the beginning of a sentence. With a limit, it is known only afterwards which sessions lost
 * their last ask.
 */
export function describeFound({ asks, transcripts }: Pruned, before: number, limited: boolean): string {
  const time = exactTime(before);
  if (asks === 0)
    return `${counted(transcripts, "transcript")} of sessions without asks, last written to before ${time},`;
  const ended = `${counted(asks, "ask")} that ended before ${time}`;
  if (transcripts === 0) return ended;
  return `${ended}, and ${limited ? "up to " : ""}${counted(transcripts, "transcript")} of sessions without other asks,`;
}

/** `2 asks and 1 transcript removed.` */
export function describeRemoved({ asks, transcripts }: Pruned): string {
  return `${counted(asks, "ask")}${transcripts === 0 ? "" : ` and ${counted(transcripts, "transcript")}`} removed.`;
}

export function describeStopped(removed: Pruned, found: Pruned): string {
  const of = (noun: "ask" | "transcript"): string =>
    `${counted(removed[`${noun}s`], noun)} of ${found[`${noun}s`].toLocaleString("en")}`;
  const parts = found.transcripts === 0 ? [of("ask")] : [of("ask"), of("transcript")];
  return `Stopped: ${parts.join(" and ")} removed.`;
}
