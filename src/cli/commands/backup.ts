import { existsSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { AsklineError } from "../../core/model/error.js";
import { type Define, examples, withDatabase } from "../input/command.js";
import { shellQuote } from "../output/answer-hint.js";
import { print } from "../output/print.js";
import { counted, sizeText } from "../output/units.js";
import { describeDatabase, resolvePath } from "../settings/database.js";
import { readSettings, type SettingFlags } from "../settings/settings.js";
import { partOf, putInPlace, requireFree } from "../transfer/put-in-place.js";
import { CommandError, FAULT_EXIT_CODE } from "../world/exit.js";
import type { World } from "../world/world.js";

export const define: Define = (command, { world, end }) => {
  withDatabase(command)
    .argument("<file>", "the file to write the copy to")
    .option("--force", "replace an existing file")
    .addHelpText("after", HELP)
    .action(async (file: string) => end(await runBackup(file, command.optsWithGlobals(), world)));
};

const HELP = `
The copy is consistent, is verified before it gets its name, and is readable only by its owner. It includes tokens. For
PostgreSQL, the command prints the pg_dump line to run.
${examples("askline backup asks-monday.db", "askline backup --force /backups/askline.db")}`;

export interface BackupFlags extends SettingFlags {
  readonly force?: boolean;
}

const BUSY_MS = 15_000;

/**
 * `askline backup FILE`: makes a consistent copy of an SQLite store, which a server may be using. The copy gets its
 * name only after it was verified.
 */
async function runBackup(file: string, flags: BackupFlags, world: World): Promise<number> {
  const { db } = await readSettings(flags, world);
  const target = resolvePath(file, world);
  if (db.kind === "memory") {
    throw new CommandError("a memory: store has no file to copy; give --db sqlite:PATH", FAULT_EXIT_CODE);
  }
  if (db.kind === "postgres") throw new CommandError(postgresAdvice(db.url, target), FAULT_EXIT_CODE);
  if (!existsSync(db.path)) {
    throw new CommandError(
      `the store ${db.path} does not exist; give another with --db or --data`,
      FAULT_EXIT_CODE,
    );
  }
  const force = flags.force === true;
  requireFree(target, force, [db.path]);
  if (!existsSync(dirname(target))) {
    throw new CommandError(`the folder ${dirname(target)} does not exist; create it first`, FAULT_EXIT_CODE);
  }
  const [{ backupFile }, { verifyFile }] = await Promise.all([
    import("../../hub/stores/sqlite/file/backup.js"),
    import("../../hub/stores/sqlite/file/inspect.js"),
  ]);
  const part = partOf(target);
  try {
    await backupFile(db.path, part, BUSY_MS);
    const { asks, events } = verified(() => verifyFile(part), db.path);
    const bytes = statSync(part).size;
    putInPlace(part, target, force);
    await print(
      world,
      flags.json,
      { path: target, asks, events, bytes },
      () => `${target}: ${counted(asks, "ask")}, ${counted(events, "event")}, ${sizeText(bytes)}, verified`,
    );
    return 0;
  } finally {
    rmSync(part, { force: true });
  }
}

function verified<T>(verify: () => T, source: string): T {
  try {
    return verify();
  } catch (error) {
    if (!(error instanceof AsklineError)) throw error;
    throw new CommandError(
      `the copy is damaged and was removed (${error.message}); check the store: askline doctor --db ${shellQuote(`sqlite:${source}`)}`,
      FAULT_EXIT_CODE,
      { cause: error },
    );
  }
}

/** The pg_dump line, without the password: a shell's history would keep it. */
function postgresAdvice(url: string, target: string): string {
  const safe = describeDatabase({ kind: "postgres", url });
  return `back up PostgreSQL with its own tool: pg_dump --format=custom --schema=askline --file=${shellQuote(target)} ${shellQuote(safe)} (it prompts for the password, or reads PGPASSWORD)`;
}
