import type { Command } from "commander";
import type { ExportFlags } from "../commands/export.js";
import type { PruneFlags } from "../commands/prune.js";
import { type Define, examples, withDatabase } from "./context.js";

/** Commands for whoever looks after a server and its store. */
export const defineKeeping: Define = (program, { world, end }) => {
  withDatabase(
    program.command("doctor").description("look at all that a server needs, and say how to mend it"),
  )
    .option("--host <host>", "where the server would listen (ASKLINE_HOST; 127.0.0.1)")
    .option("--port <port>", "its port (ASKLINE_PORT; 4780)")
    .option("--url <url>", "a server elsewhere to look at as well (ASKLINE_URL)")
    .addHelpText("after", DOCTOR_HELP)
    .action(async (_flags, command: Command) => {
      const { runDoctor } = await import("../commands/doctor.js");
      end(await runDoctor(command.optsWithGlobals(), world));
    });

  withDatabase(program.command("backup").description("copy an SQLite store, beside a server that uses it"))
    .argument("<file>", "where the copy goes")
    .option("--force", "replace a file that is there")
    .addHelpText("after", BACKUP_HELP)
    .action(async (file: string, _flags, command: Command) => {
      const { runBackup } = await import("../commands/backup.js");
      end(await runBackup(file, command.optsWithGlobals(), world));
    });

  withDatabase(
    program.command("export").description("write asks, outcomes, audit and transcripts as JSON Lines"),
  )
    .argument("[file]", "where to; stdout where it is not given")
    .option("--status <status>", "all, pending, settled, or how they ended: answered, expired …", "all")
    .option("--since <time>", "only what was asked since: 90d ago, or 2026-01-31")
    .option("--session <id>", "only those of this conversation")
    .option("--for <person>", "only what this person may answer")
    .option("--force", "replace a file that is there")
    .addHelpText("after", EXPORT_HELP)
    .action(async (file: string | undefined, _flags, command: Command) => {
      const { runExport } = await import("../commands/export.js");
      end(await runExport(file, command.optsWithGlobals() as ExportFlags, world));
    });

  withDatabase(program.command("import").description("bring what was exported into a store"))
    .argument("[file]", "what askline export wrote; stdin where it is not given")
    .option("--dry-run", "say what would be imported and left out, and change nothing")
    .addHelpText("after", IMPORT_HELP)
    .action(async (file: string | undefined, _flags, command: Command) => {
      const { runImport } = await import("../commands/import.js");
      end(await runImport(file, command.optsWithGlobals(), world));
    });

  withDatabase(
    program
      .command("prune")
      .description("remove asks that ended long ago, and what was said with them, for good"),
  )
    .requiredOption("--settled-before <time>", "those that ended before: 90d ago, or 2026-01-31")
    .option("--limit <count>", "how many asks at most, the oldest first, and how many transcripts")
    .option("--dry-run", "only say how many")
    .option("-y, --yes", "do not ask")
    .addHelpText("after", PRUNE_HELP)
    .action(async (_flags, command: Command) => {
      const { runPrune } = await import("../commands/prune.js");
      end(await runPrune(command.optsWithGlobals() as PruneFlags, world));
    });
};

const BACKUP_HELP = `
The copy is of one moment, looked through before it gets its name, and for its owner alone. Tokens are in it. For
PostgreSQL this says which pg_dump to run.
${examples("askline backup asks-monday.db", "askline backup --force /backups/askline.db")}`;

const EXPORT_HELP = `
One line of JSON for each ask, with its outcome and its audit, after the transcripts of sessions; a header before,
counts behind. A server may go on: what was asked before this began is in it. Not in it: tokens, drafts and links.
To move from one machine to several, import it into PostgreSQL.
${examples(
  "askline export asks.jsonl",
  "askline export --status settled --since 30d | gzip > month.jsonl.gz",
  "askline export | askline import --db postgres://localhost/askline",
)}`;

const IMPORT_HELP = `
Each ask comes with its audit or not at all, at its own times. What is there already stays as it is, so a second
import changes nothing; an ask that differs from the one of its id or key, or a transcript from that of its session,
is named and left out. Ends with 1 where a line was bad, left out or missing.
${examples("askline import asks.jsonl", "askline import --dry-run asks.jsonl", "gunzip -c month.jsonl.gz | askline import")}`;

const PRUNE_HELP = `
Their events, drafts and the like go with them; their keys are free again. So do the transcripts of sessions that
nothing was written to since and that have no ask left.
${examples(
  "askline prune --settled-before 90d --dry-run",
  "askline prune --settled-before 90d --yes",
  "askline export old.jsonl && askline prune --settled-before 2026-01-31",
)}`;

const DOCTOR_HELP = `
Node, settings, data folder, store, migrations, credentials, port, server and clock: a line each, ok, warning or
wrong, and how to mend it. Changes nothing, shows no secret, and ends with 1 where something is wrong.
${examples("askline doctor", "askline doctor --db postgres://localhost/askline", "askline doctor --json")}`;
