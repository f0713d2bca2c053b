import { createWriteStream, rmSync } from "node:fs";
import type { Writable } from "node:stream";
import { finished } from "node:stream/promises";
import { defined, messageOf } from "../../core/kit/tools.js";
import type { AskFilter } from "../../core/model/ports.js";
import { systemEntry } from "../../hub/records/system-log.js";
import { type Define, examples, readStatus, withDatabase } from "../input/command.js";
import { requirePast } from "../input/time-flags.js";
import { jsonText } from "../output/print.js";
import { createProgress } from "../output/progress.js";
import { counted } from "../output/units.js";
import { resolvePath } from "../settings/database.js";
import type { SettingFlags } from "../settings/settings.js";
import { withPresentStore } from "../settings/store.js";
import { exportAsks } from "../transfer/export.js";
import { createLineWriter } from "../transfer/lines.js";
import { partOf, putInPlace, requireFree } from "../transfer/put-in-place.js";
import { CommandError, FAULT_EXIT_CODE, SIGNAL_EXIT_CODES } from "../world/exit.js";
import type { World } from "../world/world.js";

export const define: Define = (command, { world, end }) => {
  withDatabase(command)
    .argument("[file]", "the file to write; stdout if omitted")
    .option("--status <status>", "all, pending, settled, or how they ended: answered, expired …", "all")
    .option("--since <time>", "only what was asked since: 90d ago, or 2026-01-31")
    .option("--session <id>", "only asks of this conversation")
    .option("--for <person>", "only what this person may answer")
    .option("--force", "replace an existing file")
    .addHelpText("after", HELP)
    .action(async (file?: string) =>
      end(await runExport(file, command.optsWithGlobals() as ExportFlags, world)),
    );
};

const HELP = `
Writes a header, the transcripts of sessions, one line of JSON per ask with its outcome and audit, and a last line with
counts. A server may keep running: the export has every ask made before it began. Tokens, drafts and links are not
exported. To move from SQLite to PostgreSQL, import the file there.
${examples(
  "askline export asks.jsonl",
  "askline export --status settled --since 30d | gzip > month.jsonl.gz",
  "askline export | askline import --db postgres://localhost/askline",
)}`;

export interface ExportFlags extends SettingFlags {
  readonly status: string;
  readonly since?: string;
  readonly session?: string;
  readonly for?: string;
  readonly force?: boolean;
}

/** `askline export [FILE]`: asks with their outcomes and their audit, as JSON Lines. */
async function runExport(file: string | undefined, flags: ExportFlags, world: World): Promise<number> {
  const filter = readFilter(flags);
  const now = world.clock.now();
  const since = flags.since === undefined ? undefined : requirePast("--since", flags.since, now);
  const target = file === undefined || file === "-" ? undefined : resolvePath(file, world);
  if (target !== undefined) requireFree(target, flags.force === true);
  return withPresentStore(flags, world, async (store, { db }) => {
    // Not even with --force: the store is being read.
    if (target !== undefined && db.kind === "sqlite") requireFree(target, flags.force === true, [db.path]);
    const interruption = world.interruption();
    const progress = createProgress(world);
    const { signal } = interruption;
    let asks = 0;
    const transcripts = new Set<string>();
    // Before the first line: an export that is stopped was one too. A store that is read-only can still be exported.
    const entry = systemEntry("asks.exported", undefined, { ...filter, since, by: world.user });
    await store.logs.append([entry]).catch((error: unknown) => {
      world.stderr.write(`askline: this export is not in the audit (${messageOf(error)})\n`);
    });
    const lines = exportAsks(store, { filter, now, signal, since });
    try {
      await withOutput(target, flags.force === true, world, async (output) => {
        const writer = createLineWriter(output);
        for await (const line of lines) {
          await writer.write(`${jsonText(line, target === undefined ? world.stdout : {})}\n`);
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
      world.stderr.write("askline: stopped; the export is incomplete\n");
      return SIGNAL_EXIT_CODES[received];
    }
    const where = target === undefined ? "" : ` to ${target}`;
    world.stderr.write(
      flags.json
        ? `${jsonText(
            { asks, transcripts: transcripts.size, path: target },
            { isTTY: world.stderr.columns !== undefined },
          )}\n`
        : `askline: exported ${amount(asks, transcripts.size)}${where}\n`,
    );
    return 0;
  });
}

function amount(asks: number, transcripts: number): string {
  return `${counted(asks, "ask")}${transcripts === 0 ? "" : ` and ${counted(transcripts, "transcript")}`}`;
}

/** Writes to stdout, or to a private file that gets its name once it is complete. */
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
    // The failing write reports it.
    done.catch(() => undefined);
    const whole = await write(output);
    output.end();
    await done;
    if (whole) putInPlace(part, target, force);
  } catch (error) {
    if (error instanceof CommandError) throw error;
    const reason = messageOf(error);
    throw new CommandError(`cannot write ${target} (${reason})`, FAULT_EXIT_CODE, { cause: error });
  } finally {
    rmSync(part, { force: true });
  }
}

function readFilter({ status, session, for: person }: ExportFlags): AskFilter {
  return defined({ status: readStatus(status), session, person });
}
