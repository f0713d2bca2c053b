import { accessSync, constants, statSync } from "node:fs";
import { AsklineError } from "../../core/index.js";
import { messageOf } from "../../core/kit/tools.js";
import type { SqliteInspection } from "../../stores/sqlite/file/inspect.js";
import { shellQuote } from "../output/answer-hint.js";
import { type ExaminedStore, type Finding, ok, warning, wrong } from "./finding.js";

/** The file of an SQLite store: there or to be made, ours, whole, writable, of a schema that is known. */
export async function checkSqlite(path: string): Promise<ExaminedStore> {
  const found = lookAt(path);
  if (found === "missing") {
    return { findings: [ok("store", `${path} is not there yet; the first "askline serve" makes it`)] };
  }
  if (found !== "file") return { findings: [found] };
  try {
    const { inspectFile } = await import("../../stores/sqlite/file/inspect.js");
    const inspection = await inspectFile(path);
    const findings = [storeFinding(path, inspection), migrationFinding(path, inspection)];
    if (inspection.damage === undefined) return { findings, contents: inspection };
    inspection.close();
    return { findings };
  } catch (error) {
    return { findings: [faultFinding(path, error)] };
  }
}

function lookAt(path: string): "missing" | "file" | Finding {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined) return "missing";
    if (found.isFile()) return "file";
    return wrong("store", `${path} is no file`, "move it away, or choose another with --db sqlite:PATH");
  } catch (error) {
    return wrong(
      "store",
      `${path} cannot be looked at (${messageOf(error)})`,
      "make its folder readable for this user, or choose another with --db sqlite:PATH",
    );
  }
}

function storeFinding(path: string, { damage, lookedThrough }: SqliteInspection): Finding {
  const quoted = shellQuote(path);
  if (damage !== undefined) return damaged(path, damage.replaceAll(/\s+/g, " "));
  if (!isWritable(path)) {
    return wrong("store", `${path} cannot be written by this user`, `chmod u+rw ${quoted}, as its owner`);
  }
  const mode = statSync(path).mode & 0o777;
  if ((mode & 0o077) !== 0) {
    return warning("store", `${path} can be read by others (${mode.toString(8)})`, `chmod 600 ${quoted}`);
  }
  return ok(
    "store",
    lookedThrough ? `${path} is whole` : `${path} is readable; too large to look through: a backup does that`,
  );
}

function migrationFinding(path: string, { version, known }: SqliteInspection): Finding {
  if (version === 0) return ok("migrations", "no tables yet; the next start makes them");
  if (version === known) return ok("migrations", `schema ${version}, the newest`);
  return version > known
    ? ok("migrations", `schema ${version}, which this program (${known}) can still use`)
    : warning(
        "migrations",
        `schema ${version}; the next start migrates it to ${known}, and older programs then refuse it`,
        `leave room on the disk: a copy is made first, ${path}.before-${known}`,
      );
}

function faultFinding(path: string, error: unknown): Finding {
  const code = error instanceof AsklineError ? error.code : undefined;
  switch (code) {
    case "schema_newer":
      return wrong("migrations", messageOf(error).split(": ")[0] ?? "", "npm install askline@latest");
    case "store_corrupt":
      return damaged(path, "it is not an SQLite database, or not a whole one");
    case "store_busy":
      return wrong(
        "store",
        `${path} is locked by another process`,
        `find out who holds it: lsof ${shellQuote(path)}`,
      );
    default: {
      const [what = "", ...how] = messageOf(error).split(": ");
      return wrong("store", what, how.join(": ") || "choose another with --db sqlite:PATH");
    }
  }
}

function damaged(path: string, how: string): Finding {
  const quoted = shellQuote(path);
  return wrong(
    "store",
    `${path} is damaged: ${how}`,
    `stop the server, keep the file aside (mv ${quoted} ${shellQuote(`${path}.damaged`)}) and put a backup in its place`,
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
