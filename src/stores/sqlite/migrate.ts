import { AsklineError } from "../../core/error.js";
import { inSnapshot } from "./connection.js";
import type { Database } from "./driver.js";
import { MIGRATIONS, type Migration } from "./migrations.js";

// Says in the file's header whose it is ("Askl").
const APPLICATION_ID = 0x41736b6c;

export interface Schema {
  readonly version: number;
  readonly requires: number;
}

/**
 * Brings a file to the schema of this program, in one transaction. Throws where the file is locked: call it
 * again. Of many processes that start at once, one does the work and the others find it done, if they wait for so long. `onOld` is called
 * before what may take long: where there is something in the file.
 */
export function migrate(
  database: Database,
  migrations: readonly Migration[] = MIGRATIONS,
  onOld: (from: number, to: number) => void = () => undefined,
): void {
  const own = latest(migrations);
  if (requireUsable(database, migrations).version >= own) return;
  database.exec("BEGIN IMMEDIATE");
  try {
    // Another process may have been here between the look and the lock.
    const present = requireUsable(database, migrations);
    if (present.version > 0 && present.version < own) onOld(present.version, own);
    for (const { version, requires, sql } of migrations) {
      if (version <= present.version) continue;
      database.exec(sql);
      database.exec(`UPDATE meta SET version = ${version}, requires = ${requires}`);
    }
    database.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
    database.exec("COMMIT");
  } catch (error) {
    if (database.inTransaction) database.exec("ROLLBACK");
    throw error;
  }
}

/** The schema of a file; throws where it is not for this program to touch. Changes nothing. */
export function requireUsable(database: Database, migrations: readonly Migration[] = MIGRATIONS): Schema {
  const schema = readSchema(database);
  const own = latest(migrations);
  if (schema.requires <= own) return schema;
  throw new AsklineError(
    "schema_newer",
    `the store ${database.path} has schema ${schema.version}, which needs an askline that knows schema ` +
      `${schema.requires}; this one knows ${own}: update askline, or choose another path`,
  );
}

function latest(migrations: readonly Migration[]): number {
  return migrations.at(-1)?.version ?? 0;
}

function readSchema(database: Database): Schema {
  // Of one state of the file: another process may be making the tables just now.
  const schema = inSnapshot(database, (): Schema | undefined => {
    const header = database.sql("PRAGMA application_id").get<{ readonly application_id: number }>();
    if (header?.application_id === APPLICATION_ID) {
      return database.sql("SELECT version, requires FROM meta").get<Schema>();
    }
    const isEmpty = database.sql("SELECT 1 FROM sqlite_schema").get() === undefined;
    return isEmpty ? { version: 0, requires: 0 } : undefined;
  });
  if (schema !== undefined) return schema;
  throw new AsklineError(
    "store_unavailable",
    `the file ${database.path} is a database of another program: choose another path`,
  );
}
