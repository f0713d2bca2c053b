import { ASK_NAMESPACES } from "../../hub/ask-records.js";
import type { Pruned, Store } from "../../hub/index.js";
import { countTranscripts, pruneTranscripts } from "../../hub/prune-transcripts.js";
import { CommandError } from "../command-error.js";
import { SIGNAL_EXIT_CODES } from "../exit-codes.js";
import { confirm } from "../keeping/confirm.js";
import { createProgress } from "../keeping/progress.js";
import { describeFound, describeRemoved, describeStopped } from "../keeping/prune-text.js";
import { print } from "../print.js";
import { exactTime } from "../screen/time.js";
import type { SettingFlags } from "../settings/settings.js";
import { withPresentStore } from "../settings/with-store.js";
import { requirePast } from "../time-flag.js";
import type { World } from "../world.js";

export interface PruneFlags extends SettingFlags {
  readonly settledBefore: string;
  readonly limit?: string;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
}

// Small, so that others get their turn, and so that Ctrl-C is heard.
const BATCH = 500;

/**
 * `askline prune`: removes asks that ended before a time, with their events, drafts and showings, and the transcripts
 * of sessions that have none left.
 */
export async function runPrune(flags: PruneFlags, world: World): Promise<number> {
  const before = requirePast("--settled-before", flags.settledBefore, world.clock.now());
  const limit = readLimit(flags.limit);
  return withPresentStore(flags, world, async (store) => {
    const found = {
      asks: Math.min(await store.asks.countSettled(before), limit),
      transcripts: Math.min(await countTranscripts(store, before), limit),
    };
    const tell = (removed: Pruned, text: string): Promise<void> =>
      print(world, flags.json, result(before, found, removed), () => text);
    if (found.asks + found.transcripts === 0) {
      // What has expired, or was left by older programs, is no ask and goes all the same.
      if (!flags.dryRun) await store.asks.prune(before, 0, ASK_NAMESPACES);
      await tell(NOTHING, `There is no ask that ended before ${exactTime(before)}.`);
      return 0;
    }
    const what = describeFound(found, before, flags.limit !== undefined);
    if (flags.dryRun) {
      await tell(NOTHING, `${what} would be removed.`);
      return 0;
    }
    if (!flags.yes && !(await isConfirmed(what, world))) {
      await tell(NOTHING, "Nothing was removed.");
      return 0;
    }
    const { removed, signal } = await removeAll(store, before, { found, limit }, world);
    await tell(removed, signal === undefined ? describeRemoved(removed) : describeStopped(removed, found));
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
      `${what} would be removed for good; say --yes where nobody can be asked, or --dry-run to only look`,
    );
  }
  return confirm(world, `${what} will be removed for good, with all that belongs to them. Go on?`);
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
