// The tables. A new file gets all of them at once. A file of an older schema is copied, then migrated:
//
//   empty -----------------------> version 7
//   older, with a migration -----> copied to <file>.before-7 --> version 7
//   older, without one, or a newer one that this program would damage --> refused

import type { Logger } from "../../../../core/kit/logger.js";
import { AsklineError } from "../../../../core/model/error.js";
import { tooOld } from "../../shared/too-old.js";
import { copyBeforeMigration } from "./backup.js";
import { type Database, inSnapshot } from "./driver.js";
import { unlessBusy } from "./errors.js";

export const VERSION = 7;
/** The lowest schema version that a program must know to use a file of this version. */
const REQUIRES = 7;
/** The SQL that brings an older schema to {@link VERSION}, by the older version. */
export type Migrations = Readonly<Record<number, string>>;
const MIGRATIONS: Migrations = {};

// Marks the file's header as ours ("Askl").
const APPLICATION_ID = 0x41736b6c;

// position is the position of the ask.created event: it gives the order of creation and is never used again. SQLite
// appends the row key to every index, so every index ends with it. content is the part of an ask that never changes.
// It comes after the others, so that SQLite can read them without it; `added` (people added to the recipients) is nearly
// always NULL, which takes no room behind the content. Triggers update the usage per asker in the transaction of each
// change.
const TABLES = `
  CREATE TABLE meta (version INTEGER NOT NULL, requires INTEGER NOT NULL);
  INSERT INTO meta (version, requires) VALUES (${VERSION}, ${REQUIRES});
  PRAGMA application_id = ${APPLICATION_ID};
  CREATE TABLE asks (
    position INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    session TEXT NOT NULL,
    key TEXT,
    agent_id TEXT,
    asker TEXT,
    everyone INTEGER NOT NULL,
    status TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    deadline INTEGER,
    overdue INTEGER NOT NULL,
    settled_at INTEGER,
    leased_until INTEGER NOT NULL,
    settlement_id TEXT,
    outcome TEXT,
    content TEXT NOT NULL,
    added TEXT
  );
  CREATE UNIQUE INDEX asks_by_key ON asks (coalesce(asker, ''), key, session) WHERE key IS NOT NULL;
  CREATE INDEX asks_by_status ON asks (everyone, status);
  CREATE INDEX asks_by_session ON asks (session, status);
  CREATE INDEX asks_by_agent ON asks (agent_id, status) WHERE agent_id IS NOT NULL;
  CREATE INDEX asks_by_asker ON asks (asker, status) WHERE asker IS NOT NULL;
  CREATE INDEX asks_by_deadline ON asks (deadline)
    WHERE status = 'pending' AND overdue = 0 AND deadline IS NOT NULL;
  CREATE INDEX asks_by_end ON asks (settled_at) WHERE settled_at IS NOT NULL;
  CREATE TABLE askers (
    asker TEXT PRIMARY KEY,
    pending INTEGER NOT NULL,
    bytes INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE TRIGGER ask_added AFTER INSERT ON asks WHEN NEW.asker IS NOT NULL BEGIN
    INSERT INTO askers (asker, pending, bytes)
      VALUES (NEW.asker, NEW.status = 'pending', octet_length(NEW.content))
      ON CONFLICT (asker) DO UPDATE SET pending = pending + excluded.pending, bytes = bytes + excluded.bytes;
  END;
  CREATE TRIGGER ask_ended AFTER UPDATE OF status ON asks WHEN NEW.asker IS NOT NULL BEGIN
    UPDATE askers SET pending = pending + (NEW.status = 'pending') - (OLD.status = 'pending')
      WHERE asker = NEW.asker;
  END;
  CREATE TRIGGER ask_removed AFTER DELETE ON asks WHEN OLD.asker IS NOT NULL BEGIN
    UPDATE askers SET pending = pending - (OLD.status = 'pending'), bytes = bytes - octet_length(OLD.content)
      WHERE asker = OLD.asker;
    DELETE FROM askers WHERE asker = OLD.asker AND bytes = 0;
  END;
  -- Only for asks that name their recipients (everyone = 0).
  CREATE TABLE ask_recipients (
    person TEXT NOT NULL,
    status TEXT NOT NULL,
    position INTEGER NOT NULL,
    PRIMARY KEY (person, status, position)
  ) WITHOUT ROWID;
  CREATE TABLE logs (
    log TEXT PRIMARY KEY,
    first INTEGER NOT NULL,
    head INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE TABLE log_entries (
    log TEXT NOT NULL,
    position INTEGER NOT NULL,
    at INTEGER NOT NULL,
    type TEXT NOT NULL,
    subject TEXT,
    data TEXT,
    PRIMARY KEY (log, position)
  ) WITHOUT ROWID;
  CREATE INDEX log_entries_by_subject ON log_entries (subject, log, position) WHERE subject IS NOT NULL;
  CREATE TABLE records (
    namespace TEXT NOT NULL,
    key TEXT NOT NULL,
    value TEXT NOT NULL,
    version INTEGER NOT NULL,
    expires_at INTEGER,
    available_at INTEGER,
    PRIMARY KEY (namespace, key)
  ) WITHOUT ROWID;
  CREATE INDEX records_by_expiry ON records (expires_at) WHERE expires_at IS NOT NULL;`;

export interface Schema {
  readonly version: number;
  readonly requires: number;
}

/** Creates the tables of an empty file. Throws if the file is locked; the caller retries. */
export function createTables(database: Database, migrations?: Migrations): void {
  if (requireUsable(database, migrations).version > 0) return;
  database.exec("BEGIN IMMEDIATE");
  try {
    // Another process may have created the tables between the check and the lock.
    if (requireUsable(database, migrations).version === 0) database.exec(TABLES);
    database.exec("COMMIT");
  } finally {
    if (database.inTransaction) database.exec("ROLLBACK");
  }
}

/**
 * Migrates an older file in one transaction, so no other process can write between the copy and the commit. If many
 * processes start at once, one migrates; the others wait up to `busyTimeoutMs` and find it done.
 */
export async function migrate(
  database: Database,
  busyTimeoutMs: number,
  logger: Logger,
  migrations?: Migrations,
): Promise<void> {
  if (migrationOf(database, migrations) === undefined) return;
  const { path } = database;
  await unlessBusy(path, busyTimeoutMs, () => database.exec("BEGIN IMMEDIATE"));
  try {
    const migration = migrationOf(database, migrations);
    if (migration !== undefined) {
      const copy = `${path}.before-${VERSION}`;
      logger.warn(
        `migrating the store ${path} from schema ${migration.from} to ${VERSION}, which takes a while with many asks; it is copied first to ${copy}`,
      );
      await copyBeforeMigration(path, copy, busyTimeoutMs);
      database.exec(migration.sql);
      database.exec(`UPDATE meta SET version = ${VERSION}, requires = ${REQUIRES}`);
    }
    database.exec("COMMIT");
  } finally {
    if (database.inTransaction) database.exec("ROLLBACK");
  }
}

function migrationOf(
  database: Database,
  migrations: Migrations = MIGRATIONS,
): { readonly from: number; readonly sql: string } | undefined {
  const { version } = requireUsable(database, migrations);
  const sql = migrations[version];
  return sql === undefined ? undefined : { from: version, sql };
}

/** Reads the schema of a file; version 0 if it is empty. Throws if this program cannot use it. */
export function requireUsable(database: Database, migrations: Migrations = MIGRATIONS): Schema {
  const schema = readSchema(database);
  const { version, requires } = schema;
  if (requires > VERSION) {
    throw new AsklineError(
      "schema_newer",
      `the store ${database.path} has schema ${version}, which needs an askline that knows schema ` +
        `${requires}; this one knows ${VERSION}: update askline, or choose another path`,
    );
  }
  if (version > 0 && version < VERSION && migrations[version] === undefined) {
    throw tooOld(`the store ${database.path}`, version, VERSION);
  }
  return schema;
}

function readSchema(database: Database): Schema {
  // One snapshot, because another process may be creating the tables at this moment.
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
    `the file ${database.path} belongs to another program: choose another path`,
  );
}
