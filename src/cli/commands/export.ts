import { createWriteStream, rmSync } from "node:fs";
import type { Writable } from "node:stream";
import { finished } from "node:stream/promises";
import { type AskFilter, OUTCOME_KINDS } from "../../core/index.js";
import { exportAsks } from "../archive/export-asks.js";
import { createLineWriter } from "../archive/line-writer.js";
import { CommandError } from "../command-error.js";
import { FAULT_EXIT_CODE, SIGNAL_EXIT_CODES } from "../exit-codes.js";
import { createProgress } from "../keeping/progress.js";
import { partOf, putInPlace, requireFree } from "../keeping/put-in-place.js";
import { counted } from "../screen/numbers.js";
import { resolvePath } from "../settings/database.js";
import type { SettingFlags } from "../settings/settings.js";
import { withPresentStore } from "../settings/with-store.js";
import { requirePast } from "../time-flag.js";
import type { World } from "../world.js";

export interface ExportFlags extends SettingFlags {
  readonly status: string;
  readonly since?: string;
  readonly session?: string;
  readonly for?: string;
  readonly force?: boolean;
  readonly json?: boolean;
}

/** `askline export [FILE]`: asks with their outcomes and their audit, as JSON Lines. */
export async function runExport(file: string | undefined, flags: ExportFlags, world: World): Promise<number> {
  const filter = readFilter(flags);
  const now = world.clock.now();
  const since = flags.since === undefined ? undefined : requirePast("--since", flags.since, now);
  const target = file === undefined || file === "-" ? undefined : resolvePath(file, world);
  if (target !== undefined) requireFree(target, flags.force === true);
  return withPresentStore(flags, world, async (store, { db }) => {
    // Not even by force: the store is what is read from.
    if (target !== undefined && db.kind === "sqlite") requireFree(target, flags.force === true, [db.path]);
    const interruption = world.interruption();
    const progress = createProgress(world);
    const { signal } = interruption;
    let asks = 0;
    const transcripts = new Set<string>();
    const lines = exportAsks(store, { filter, now, signal, ...(since !== undefined && { since }) });
    try {
      await withOutput(target, flags.force === true, world, async (output) => {
        const writer = createLineWriter(output);
        for await (const line of lines) {
          await writer.write(`${JSON.stringify(line)}\n`);
          if (line.kind === "ask") asks += 1;
          if (line.kind === "transcript") transcripts.add(line.session);
          progress.show(() => `exported ${amount(asks, transcripts.size)}`);
        }
        await writer.end();
        return !signal.aborted;
      });
    } finally {
      progress.end();
      interruption.dispose();
    }
    const received = interruption.received();
    if (received !== undefined) {
      world.stderr.write("askline: stopped; what was written is not whole\n");
      return SIGNAL_EXIT_CODES[received];
    }
    const where = target === undefined ? "" : ` to ${target}`;
    world.stderr.write(
      flags.json
        ? `${JSON.stringify({ asks, transcripts: transcripts.size, path: target })}\n`
        : `askline: exported ${amount(asks, transcripts.size)}${where}\n`,
    );
    return 0;
  });
}

function amount(asks: number, transcripts: number): string {
  return `${counted(asks, "ask")}${transcripts === 0 ? "" : ` and ${counted(transcripts, "transcript")}`}`;
}

/** Stdout, or a file that gets its name once it is whole: what people said is for its owner alone. */
async function withOutput(
  target: string | undefined,
  force: boolean,
  world: World,
  write: (output: Writable) => Promise<boolean>,
): Promise<void> {
  if (target === undefined) {
    await write(world.stdout);
    return;
  }
  const part = partOf(target);
  try {
    const output = createWriteStream(part, { flags: "wx", mode: 0o600, flush: true });
    const done = finished(output);
    // Told by the write that fails.
    done.catch(() => undefined);
    const whole = await write(output);
    output.end();
    await done;
    if (whole) putInPlace(part, target, force);
  } catch (error) {
    if (error instanceof CommandError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommandError(`${target} cannot be written (${reason})`, FAULT_EXIT_CODE, { cause: error });
  } finally {
    rmSync(part, { force: true });
  }
}

function readFilter({ status, session, for: person }: ExportFlags): AskFilter {
  const statuses = ["pending", "settled", ...OUTCOME_KINDS] as const;
  const known = statuses.find((one) => one === status);
  if (known === undefined && status !== "all") {
    throw new CommandError(`--status "${status}" is not known; use ${["all", ...statuses].join(", ")}`);
  }
  return {
    ...(known !== undefined && { status: known }),
    ...(session !== undefined && { session }),
    ...(person !== undefined && { person }),
  };
}
