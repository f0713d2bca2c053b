import { messageOf } from "../../core/kit/tools.js";
import type { PostgresInspection } from "../../hub/stores/postgres/database/inspect.js";
import { LAST_MIGRATING_BUILD } from "../../hub/stores/shared/too-old.js";
import { describeDatabase } from "../settings/database.js";
import type { World } from "../world/world.js";
import { type ExaminedStore, type Finding, findings } from "./finding.js";

const STORE = findings("store");
const MIGRATIONS = findings("migrations");

const OLDEST_SERVER = 130_000;

/** Checks that PostgreSQL is reachable and new enough, and has a known schema and the needed privileges. */
export async function checkPostgres(url: string, world: World): Promise<ExaminedStore> {
  const name = describeDatabase({ kind: "postgres", url });
  try {
    const { inspectDatabase } = await import("../../hub/stores/postgres/database/inspect.js");
    const inspection = await inspectDatabase({ url, now: () => world.clock.now() });
    const { server, missingRights, readOnly, pooled } = inspection;
    const findings: Finding[] = [];
    if (server.number < OLDEST_SERVER) {
      findings.push(STORE.wrong(`${name} is PostgreSQL ${server.name}`, "use PostgreSQL 13 or newer"));
    } else if (readOnly) {
      findings.push(
        STORE.wrong(`${name} is read-only; it may be a standby`, "give the primary server in --db"),
      );
    } else if (missingRights.length > 0) {
      findings.push(
        STORE.wrong(
          `${name}: this user may not ${missingRights.slice(0, 3).join(", ")}${missingRights.length > 3 ? " …" : ""}`,
          "as the owner, run: grant create on database NAME to USER; or: create schema askline authorization USER",
        ),
      );
    } else if (pooled) {
      findings.push(
        STORE.warning(
          `${name}, PostgreSQL ${server.name} through a pooler in transaction mode: changes by other nodes are noticed within a second, not at once`,
          "give the address of PostgreSQL itself in --db, or of a pooler in session mode",
        ),
      );
    } else findings.push(STORE.ok(`${name}, PostgreSQL ${server.name}`));
    findings.push(migrationFinding(inspection));
    return { findings, contents: inspection };
  } catch (error) {
    return {
      findings: [
        STORE.wrong(
          `${name}: ${messageOf(error)}`,
          "start PostgreSQL, and check host, port, user and password in --db or ASKLINE_DB",
        ),
      ],
    };
  }
}

function migrationFinding({ version, requires, known, oldest }: PostgresInspection): Finding {
  if (version === 0) return MIGRATIONS.ok("no tables yet; the next start creates them");
  if (requires > known) {
    return MIGRATIONS.wrong(
      `the database has schema ${version}, but this version of Askline knows only up to ${known}`,
      "npm install askline@latest",
    );
  }
  if (version < oldest) {
    return MIGRATIONS.wrong(
      `the database has schema ${version}, but this version of Askline reads ${oldest} and newer`,
      `open it once with ${LAST_MIGRATING_BUILD}, which migrates it`,
    );
  }
  if (version < known) {
    return MIGRATIONS.warning(
      `schema ${version}; the next start migrates it to ${known}, and older versions of Askline then refuse it`,
      "make a dump first: pg_dump --schema=askline",
    );
  }
  return MIGRATIONS.ok(version === known ? `schema ${version}, the newest` : `schema ${version}`);
}
