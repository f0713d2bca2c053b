import { randomUUID } from "node:crypto";
import { ASK_NAMESPACES } from "../../hub/records/ask-records.js";
import { expireNames } from "../../hub/records/names.js";
import { type AbandonedAsk, abandonedAsks, TOUCH_MS, withdrawAbandoned } from "../../hub/records/touches.js";
import { countTranscripts, pruneTranscripts } from "../../hub/records/transcripts.js";
import type { Pruned } from "../../hub/seam/port.js";
import type { Store } from "../../hub/seam/store.js";
import { type Define, examples, withDatabase } from "../input/command.js";
import { confirm } from "../input/confirm.js";
import { requireDuration, requirePast } from "../input/time-flags.js";
import { print } from "../output/print.js";
import { createProgress } from "../output/progress.js";
import { counted, exactTime } from "../output/units.js";
import type { SettingFlags } from "../settings/settings.js";
import { withPresentStore } from "../settings/store.js";
import { CommandError, SIGNAL_EXIT_CODES } from "../world/exit.js";
import type { World } from "../world/world.js";

export const define: Define = (command, { world, end }) => {
  withDatabase(command)
    .option("--settled-before <time>", "remove asks that ended before this time: 90d ago, or 2026-01-31")
    .option(
      "--abandoned <duration>",
      "withdraw pending asks whose agent has not waited for them, asked again or read them for this long: 30d",
    )
    .option("--limit <count>", "at most this many asks, oldest first, and this many transcripts")
    .option("--dry-run", "only print how many")
    .option("-y, --yes", "do not ask for confirmation")
    .addHelpText("after", HELP)
    .action(async () => end(await runPrune(command.optsWithGlobals() as PruneFlags, world)));
};

const HELP = `
Also removes the events and drafts of these asks, and the transcripts of sessions that have no ask left and were not
written to since. The keys of the asks can be used again.
With --abandoned, asks end as withdrawn, so that they leave every inbox and their agents learn why if they come back;
--settled-before removes them later, like any other. While an agent waits, that is recorded every 30 minutes, so the
duration is at least 1h.
${examples(
  "askline prune --settled-before 90d --dry-run",
  "askline prune --settled-before 90d --yes",
  "askline prune --abandoned 30d --yes",
  "askline export old.jsonl && askline prune --settled-before 2026-01-31",
)}`;

export interface PruneFlags extends SettingFlags {
  readonly settledBefore?: string;
  readonly abandoned?: string;
  readonly limit?: string;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

// Small, so that other writers get their turn and Ctrl-C takes effect.
const BATCH = 500;

/**
 * `askline prune`: removes asks that ended before a time, with their events, drafts and showings, and the transcripts
 * of sessions that have none left.
 */
async function runPrune(flags: PruneFlags, world: World): Promise<number> {
  const { settledBefore, abandoned } = flags;
  if (settledBefore !== undefined && abandoned !== undefined) {
    throw new CommandError("use --settled-before and --abandoned one after the other, each for itself");
  }
  if (abandoned !== undefined) return withdrawAll(flags, requireGone(abandoned), world);
  if (settledBefore === undefined) {
    throw new CommandError("say what to prune: --settled-before 90d, or --abandoned 30d");
  }
  const before = requirePast("--settled-before", settledBefore, world.clock.now());
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
      if (!flags.dryRun) {
        await store.asks.prune(before, 0, ASK_NAMESPACES);
        await expireNames(store, before);
      }
      await report(NOTHING, `No asks ended before ${exactTime(before)}.`);
      return 0;
    }
    const what = describeFound(found, before, flags.limit !== undefined);
    if (flags.dryRun) {
      await report(NOTHING, `${what} would be removed.`);
      return 0;
    }
    if (!flags.yes && !(await isConfirmed(what, "permanently removed", world))) {
      await report(NOTHING, "Nothing was removed.");
      return 0;
    }
    const { removed, signal } = await removeAll(store, before, { found, limit }, world);
    await report(removed, signal === undefined ? describeRemoved(removed) : describeStopped(removed, found));
    return signal === undefined ? 0 : SIGNAL_EXIT_CODES[signal];
  });
}

const SHORTEST_GONE_MS = 2 * TOUCH_MS;

function requireGone(text: string): number {
  const milliseconds = requireDuration("--abandoned", text);
  if (milliseconds >= SHORTEST_GONE_MS) return milliseconds;
  throw new CommandError(
    `--abandoned "${text}" is too short: that an agent waits is recorded every 30 minutes; use 1h or more`,
  );
}

/** `askline prune --abandoned`: withdraws pending asks whose agents are gone. */
async function withdrawAll(flags: PruneFlags, goneMs: number, world: World): Promise<number> {
  const limit = readLimit(flags.limit);
  return withPresentStore(flags, world, async (store) => {
    const before = store.now() - goneMs;
    const found: AbandonedAsk[] = [];
    for await (const ask of abandonedAsks(store, before)) {
      if (found.push(ask) >= limit) break;
    }
    const what = `${counted(found.length, "pending ask")} whose agent was last there before ${exactTime(before)}`;
    const report = (withdrawn: number, text: string): Promise<void> =>
      print(world, flags.json, { before, found: found.length, withdrawn }, () => text);
    if (found.length === 0) {
      await report(0, `No pending ask is abandoned since ${exactTime(before)}.`);
      return 0;
    }
    if (flags.dryRun) {
      await report(0, `${what} would be withdrawn.`);
      return 0;
    }
    if (!flags.yes && !(await isConfirmed(what, "withdrawn", world))) {
      await report(0, "Nothing was withdrawn.");
      return 0;
    }
    const interruption = world.interruption();
    const reason = `abandoned: no agent has waited for it since ${exactTime(before)}, or longer`;
    let withdrawn = 0;
    try {
      for (const ask of found) {
        if (interruption.signal.aborted) break;
        const id = `prune_${randomUUID()}`;
        if (await withdrawAbandoned(store, ask, id, reason)) withdrawn += 1;
      }
      await report(withdrawn, `${counted(withdrawn, "ask")} withdrawn.`);
    } finally {
      interruption.dispose();
    }
    const signal = interruption.received();
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

async function isConfirmed(what: string, effect: string, world: World): Promise<boolean> {
  if (!("isTTY" in world.stdin && world.stdin.isTTY === true)) {
    throw new CommandError(
      `${what} would be ${effect}; stdin is not a terminal, so add --yes to confirm, or --dry-run to only look`,
    );
  }
  const scope = effect === "withdrawn" ? "" : ", with everything that belongs to them";
  return confirm(world, `${what} will be ${effect}${scope}. Continue?`);
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
    if (!signal.aborted) await expireNames(store, before);
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
