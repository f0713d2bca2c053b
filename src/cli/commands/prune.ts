import { ASK_NAMESPACES } from "../../hub/ask-records.js";
import type { Store } from "../../hub/index.js";
import { CommandError } from "../command-error.js";
import { SIGNAL_EXIT_CODES } from "../exit-codes.js";
import { confirm } from "../keeping/confirm.js";
import { createProgress } from "../keeping/progress.js";
import { print } from "../print.js";
import { counted } from "../screen/numbers.js";
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

/** `askline prune`: removes asks that ended before a time, with their events, drafts and showings. */
export async function runPrune(flags: PruneFlags, world: World): Promise<number> {
  const before = requirePast("--settled-before", flags.settledBefore, world.clock.now());
  const limit = readLimit(flags.limit);
  return withPresentStore(flags, world, async (store) => {
    const found = Math.min(await store.asks.countSettled(before), limit);
    const what = `${counted(found, "ask")} that ended before ${exactTime(before)}`;
    if (flags.dryRun || found === 0) {
      await print(world, flags.json, { before, found, removed: 0 }, () =>
        found === 0 ? `There is no ask that ended before ${exactTime(before)}.` : `${what} would be removed.`,
      );
      return 0;
    }
    if (!flags.yes && !(await isConfirmed(what, world))) {
      await print(world, flags.json, { before, found, removed: 0 }, () => "Nothing was removed.");
      return 0;
    }
    const { removed, signal } = await removeAll(store, before, found, world);
    await print(world, flags.json, { before, found, removed }, () =>
      signal === undefined
        ? `${counted(removed, "ask")} removed.`
        : `Stopped: ${counted(removed, "ask")} of ${found.toLocaleString("en")} removed.`,
    );
    return signal === undefined ? 0 : SIGNAL_EXIT_CODES[signal];
  });
}

async function isConfirmed(what: string, world: World): Promise<boolean> {
  if (!("isTTY" in world.stdin && world.stdin.isTTY === true)) {
    throw new CommandError(
      `${what} would be removed for good; say --yes where nobody can be asked, or --dry-run to only look`,
    );
  }
  return confirm(world, `${what} will be removed for good, with their events and drafts. Go on?`);
}

async function removeAll(
  store: Store,
  before: number,
  found: number,
  world: World,
): Promise<{ readonly removed: number; readonly signal?: keyof typeof SIGNAL_EXIT_CODES | undefined }> {
  const interruption = world.interruption();
  const progress = createProgress(world);
  let removed = 0;
  try {
    while (removed < found && !interruption.signal.aborted) {
      const batch = await store.asks.prune(before, Math.min(BATCH, found - removed), ASK_NAMESPACES);
      if (batch === 0) break;
      removed += batch;
      progress.show(() => `removed ${removed.toLocaleString("en")} of ${found.toLocaleString("en")}`);
    }
    return { removed, signal: interruption.received() };
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
