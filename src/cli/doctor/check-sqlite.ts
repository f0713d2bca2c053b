import { accessSync, constants, statSync } from "node:fs";
import { messageOf } from "../../core/kit/tools.js";
import { AsklineError } from "../../core/model/error.js";
import type { SqliteInspection } from "../../hub/stores/sqlite/file/inspect.js";
import { shellQuote } from "../output/answer-hint.js";
import { type ExaminedStore, type Finding, findings } from "./finding.js";

const STORE = findings("store");
const MIGRATIONS = findings("migrations");

/** Checks that the SQLite file exists or can be created, and is ours, intact, writable and of a known schema. */
export async function checkSqlite(path: string): Promise<ExaminedStore> {
  const found = findFile(path);
  if (found === "missing") {
    return { findings: [STORE.ok(`${path} does not exist yet; the first "askline serve" creates it`)] };
  }
  if (found !== "file") return { findings: [found] };
  try {
    const { inspectFile } = await import("../../hub/stores/sqlite/file/inspect.js");
    const inspection = await inspectFile(path);
    const findings = [
      storeFinding(path, inspection),
      ...logFindings(inspection),
      migrationFinding(path, inspection),
    ];
    if (inspection.damage === undefined) return { findings, contents: inspection };
    inspection.close();
    return { findings };
  } catch (error) {
    return { findings: [faultFinding(path, error)] };
  }
}

function findFile(path: string): "missing" | "file" | Finding {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined) return "missing";
    if (found.isFile()) return "file";
    return STORE.wrong(`${path} is not a file`, "move it away, or choose another with --db sqlite:PATH");
  } catch (error) {
    return STORE.wrong(
      `cannot read ${path} (${messageOf(error)})`,
      "make its folder readable by this user, or choose another with --db sqlite:PATH",
    );
  }
}

function storeFinding(path: string, { damage, lookedThrough }: SqliteInspection): Finding {
  const quoted = shellQuote(path);
  if (damage !== undefined) return damaged(path, damage.replaceAll(/\s+/g, " "));
  if (!isWritable(path)) {
    return STORE.wrong(`this user cannot write to ${path}`, `chmod u+rw ${quoted}, as its owner`);
  }
  const mode = statSync(path).mode & 0o777;
  if ((mode & 0o077) !== 0) {
    return STORE.warning(`other users can read ${path} (${mode.toString(8)})`, `chmod 600 ${quoted}`);
  }
  return STORE.ok(
    lookedThrough
      ? `${path} is intact`
      : `${path} is readable; it is too large to check here, but "askline backup" checks it`,
  );
}

const LARGEST_LOG = 1024 ** 3;

function logFindings({ log: { path, size, damaged } }: SqliteInspection): readonly Finding[] {
  if (damaged) {
    return [
      STORE.wrong(
        `the write-ahead log ${path} is damaged: it has ${size} bytes and no valid entry, so commits that were only in it are lost`,
        "compare the store with your last backup, before the next start replaces the log",
      ),
    ];
  }
  if (size <= LARGEST_LOG) return [];
  const gigabytes = (size / LARGEST_LOG).toFixed(1);
  return [
    STORE.warning(
      `the write-ahead log ${path} has ${gigabytes} GB: a process that reads for a long time keeps it from being written back`,
      `find the processes that have it open with: lsof ${shellQuote(path)}, and restart them`,
    ),
  ];
}

export function migrationFinding(
  path: string,
  { version, known }: Pick<SqliteInspection, "version" | "known">,
): Finding {
  if (version === 0) return MIGRATIONS.ok("no tables yet; the next start creates them");
  if (version === known) return MIGRATIONS.ok(`schema ${version}, the newest`);
  return version > known
    ? MIGRATIONS.ok(`schema ${version}, which this version of Askline (schema ${known}) can still use`)
    : MIGRATIONS.warning(
        `schema ${version}; the next start migrates it to ${known}, and older versions of Askline then refuse it`,
        `make sure the disk has room for a copy, ${path}.before-${known}, which is made first`,
      );
}

function faultFinding(path: string, error: unknown): Finding {
  const code = error instanceof AsklineError ? error.code : undefined;
  switch (code) {
    case "schema_newer":
      return MIGRATIONS.wrong(messageOf(error).split(": ")[0] ?? "", "npm install askline@latest");
    case "store_corrupt":
      return damaged(path, "it is not an SQLite database, or an incomplete one");
    case "store_busy":
      return STORE.wrong(
        `${path} is locked by another process`,
        `find the process with: lsof ${shellQuote(path)}`,
      );
    default: {
      const [what = "", ...how] = messageOf(error).split(": ");
      return STORE.wrong(what, how.join(": ") || "choose another with --db sqlite:PATH");
    }
  }
}

function damaged(path: string, how: string): Finding {
  const quoted = shellQuote(path);
  return STORE.wrong(
    `${path} is damaged: ${how}`,
    `stop the server, move the file away (mv ${quoted} ${shellQuote(`${path}.damaged`)}) and restore a backup`,
  );
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
