import { AsklineError } from "../../core/index.js";
import type { Database, Session } from "./database.js";
import { LATEST, MIGRATIONS } from "./migrations.js";

interface Version {
  readonly version: number;
  readonly requires: number;
}

/**
 * Brings the schema up to date. Any number of nodes may do this at once: the first does it while the others
 * wait, and then find it done.
 */
export async function migrate(database: Database, schema: string, quoted: string): Promise<void> {
  const session = await database.session();
  let done = false;
  try {
    if ((await readVersion(session, schema, quoted)).version < LATEST) {
      await migrateLocked(session, schema, quoted);
    }
    done = true;
  } finally {
    // A transaction that failed ends with its connection.
    session.release(!done);
  }
}

/** Rejects unless the schema is there, and one that this program can work on. Changes nothing. */
export async function checkSchema(database: Database, schema: string, quoted: string): Promise<void> {
  const session = await database.session();
  let done = false;
  try {
    const { version } = await readVersion(session, schema, quoted);
    done = true;
    if (version >= LATEST) return;
  } finally {
    session.release(!done);
  }
  throw new AsklineError(
    "store_unavailable",
    `the PostgreSQL schema ${schema} is not there any more: restart askline to make it, or restore a backup`,
  );
}

const MIGRATION_TIMEOUT_MS = 600_000;

async function migrateLocked(session: Session, schema: string, quoted: string): Promise<void> {
  const run = (text: string): Promise<unknown> => session.run(text, [], MIGRATION_TIMEOUT_MS);
  await run("begin");
  await run("set local statement_timeout = 0; set local lock_timeout = 0");
  await run(`select pg_advisory_xact_lock(hashtextextended('askline ${schema}', 0))`);
  const { version } = await readVersion(session, schema, quoted);
  for (const migration of MIGRATIONS.filter((one) => one.version > version)) {
    if (migration.version === 1) await createSchema(session, schema, quoted);
    await run(migration.sql(quoted));
    await run(`update ${quoted}.meta set version = ${migration.version}, requires = ${migration.requires}`);
  }
  await run("commit");
}

// Not `if not exists`, which needs the right to create schemas even where there is nothing to create.
async function createSchema(session: Session, schema: string, quoted: string): Promise<void> {
  const found = await session.run("select from pg_namespace where nspname = $1", [schema]);
  if (found.length === 0) await session.run(`create schema ${quoted}`);
  await session.run(`create table ${quoted}.meta (
    singleton boolean primary key default true check (singleton), version int not null, requires int not null)`);
  await session.run(`insert into ${quoted}.meta (version, requires) values (0, 0)`);
}

async function readVersion(session: Session, schema: string, quoted: string): Promise<Version> {
  const [found] = await session.run("select from pg_tables where schemaname = $1 and tablename = 'meta'", [
    schema,
  ]);
  if (found === undefined) return { version: 0, requires: 0 };
  const [row] = await session.run<Version>(`select version, requires from ${quoted}.meta`);
  const { version, requires } = row ?? { version: 0, requires: 0 };
  if (requires > LATEST) {
    throw new AsklineError(
      "schema_newer",
      `the PostgreSQL schema ${schema} is of version ${version}, and this program knows versions up to ${LATEST}: update askline`,
    );
  }
  return { version, requires };
}
