// The tables. A new schema gets all of them at once. An older version is migrated in one transaction:
//
//   empty, or older with a migration --> version 5
//   older without one, or a newer one that this program would damage --> refused

import { AsklineError } from "../../../../core/model/error.js";
import { tooOld } from "../../shared/too-old.js";
import type { Database, Session } from "./database.js";
import { RACED, WRITTEN_BEFORE } from "./errors.js";

export const VERSION = 5;
/** The lowest schema version that a program must know to use a schema of this version. */
const REQUIRES = 5;
/** The SQL that brings the tables of an older version to {@link VERSION}, by the older version. */
export type Migrations = Readonly<Record<number, (schema: string) => string>>;
const MIGRATIONS: Migrations = {};
/** The oldest version that askline can use or migrate. */
export const OLDEST: number = Math.min(VERSION, ...Object.keys(MIGRATIONS).map(Number));

interface Version {
  readonly version: number;
  readonly requires: number;
}

/** Creates or migrates the tables. Any number of nodes may call this at once: one does the work, the others wait. */
export async function createTables(
  database: Database,
  schema: string,
  quoted: string,
  migrations: Migrations = MIGRATIONS,
): Promise<void> {
  const session = await database.session();
  let done = false;
  try {
    if ((await stateOf(session, schema, quoted, migrations)) !== "ready") {
      await createLocked(session, schema, quoted, migrations);
    }
    done = true;
  } finally {
    // Destroying the connection ends a failed transaction.
    session.release(!done);
  }
}

/** Rejects unless the schema exists and this program can use it. Changes nothing. */
export async function checkSchema(database: Database, schema: string, quoted: string): Promise<void> {
  const session = await database.session();
  let done = false;
  try {
    const state = await stateOf(session, schema, quoted, MIGRATIONS);
    done = true;
    if (state === "ready") return;
  } finally {
    session.release(!done);
  }
  throw new AsklineError(
    "store_unavailable",
    `the PostgreSQL schema ${schema} does not exist any more: restart askline to create it, or restore a backup`,
  );
}

async function createLocked(
  session: Session,
  schema: string,
  quoted: string,
  migrations: Migrations,
): Promise<void> {
  await session.run("begin");
  await session.run("set local statement_timeout = 0; set local lock_timeout = 0");
  await session.run(
    `select pg_advisory_xact_lock(hashtextextended('askline ${schema}', 0))`,
    [],
    LOCK_TIMEOUT_MS,
  );
  const state = await stateOf(session, schema, quoted, migrations);
  if (typeof state === "function") {
    await session.run(state(quoted), [], LOCK_TIMEOUT_MS);
    await session.run(`update ${quoted}.meta set version = ${VERSION}, requires = ${REQUIRES}`);
  }
  if (state === "absent") {
    // Not `if not exists`: that needs the privilege to create schemas even if the schema exists.
    const found = await session.run("select from pg_namespace where nspname = $1", [schema]);
    if (found.length === 0) await session.run(`create schema ${quoted}`);
    await session.run(tables(quoted));
  }
  await session.run("commit");
}

/** Long, because another node may hold the lock while it creates or migrates the tables. */
const LOCK_TIMEOUT_MS = 600_000;

/** The migration that the tables need, if they need one. Throws if this program cannot use the tables. */
async function stateOf(
  session: Session,
  schema: string,
  quoted: string,
  migrations: Migrations,
): Promise<"absent" | "ready" | Migrations[number]> {
  const [found] = await session.run("select from pg_tables where schemaname = $1 and tablename = 'meta'", [
    schema,
  ]);
  if (found === undefined) return "absent";
  const [row] = await session.run<Version>(`select version, requires from ${quoted}.meta`);
  const { version, requires } = row ?? { version: 0, requires: 0 };
  if (requires > VERSION) {
    throw new AsklineError(
      "schema_newer",
      `the PostgreSQL schema ${schema} is of version ${version}, and this program knows versions up to ${VERSION}: update askline`,
    );
  }
  if (version >= VERSION) return "ready";
  const migration = migrations[version];
  if (migration !== undefined) return migration;
  throw tooOld(`the PostgreSQL schema ${schema}`, version, VERSION);
}

// Usage per asker. Triggers update it in the transaction of each change. Writers already hold the lock on the event
// log's head, so they cannot deadlock on these rows. Names are schema-qualified because a trigger runs with the search
// path of its caller.
function askers(schema: string): string {
  const trigger = (name: string, event: string, tables: string, changes: string): string => `
create function ${schema}.${name}() returns trigger language plpgsql as $$
begin
  insert into ${schema}.askers as askers (asker, pending, bytes)
  select asker, sum(pending), sum(bytes) from (${changes}) as change
  where asker is not null group by asker having sum(pending) <> 0 or sum(bytes) <> 0 order by asker
  on conflict (asker) do update set pending = askers.pending + excluded.pending,
    bytes = askers.bytes + excluded.bytes;
  return null;
end $$;
create trigger ${name} after ${event} on ${schema}.asks referencing ${tables}
  for each statement execute function ${schema}.${name}();`;
  const rows = (table: string, sign: string): string =>
    `select asker, ${sign}(status = 'pending')::int as pending, ${sign}octet_length(content)::bigint as bytes from ${table}`;
  return `
create table ${schema}.askers (
  asker text collate "C" primary key,
  pending bigint not null,
  bytes bigint not null
);
${trigger("asks_added", "insert", "new table as added", rows("added", ""))}
${trigger("asks_changed", "update", "new table as added old table as gone", `${rows("added", "")} union all ${rows("gone", "-")}`)}
${trigger("asks_removed", "delete", "old table as gone", rows("gone", "-"))}`;
}

// Text is compared byte by byte (collate "C"): fast, and the same on every machine. Times are milliseconds since the
// epoch, by the store's clock. JSON is stored as text because jsonb rejects \u0000.
function tables(schema: string): string {
  return `
create table ${schema}.meta (
  singleton boolean primary key default true check (singleton),
  version int not null,
  requires int not null
);
insert into ${schema}.meta (version, requires) values (${VERSION}, ${REQUIRES});

create table ${schema}.logs (
  log text collate "C" primary key,
  first bigint not null default 1,
  head bigint not null default 0,
  constraint ${RACED} check (head >= 0)
);
insert into ${schema}.logs (log) values ('events');

create table ${schema}.log_entries (
  log text collate "C" not null,
  position bigint not null,
  at bigint not null,
  type text collate "C" not null,
  subject text collate "C",
  data text,
  write_id text collate "C",
  primary key (log, position)
);
create index log_entries_by_subject on ${schema}.log_entries (log, subject, position) where subject is not null;
-- On the first entry of an append in each log: an append that is tried again is recognised by it.
create unique index ${WRITTEN_BEFORE} on ${schema}.log_entries (write_id, log) where write_id is not null;

create table ${schema}.asks (
  position bigint primary key,
  id text collate "C" not null unique,
  session text collate "C" not null,
  key text collate "C",
  agent_id text collate "C",
  asker text collate "C",
  everyone boolean not null,
  status text collate "C" not null,
  created_at bigint not null,
  deadline bigint,
  overdue boolean not null default false,
  settled_at bigint,
  leased_until bigint not null default 0,
  settlement_id text collate "C",
  content text not null,
  outcome text,
  added text
);
create unique index asks_by_key on ${schema}.asks (coalesce(asker, ''), key, session) where key is not null;
create index asks_by_status on ${schema}.asks (status, position);
create index asks_for_everyone on ${schema}.asks (status, position) where everyone;
create index asks_by_session on ${schema}.asks (session, status, position);
create index asks_by_agent on ${schema}.asks (agent_id, status, position) where agent_id is not null;
create index asks_by_asker on ${schema}.asks (asker, status, position) where asker is not null;
create index asks_by_deadline on ${schema}.asks (deadline)
  where deadline is not null and status = 'pending' and not overdue;
create index asks_by_settlement on ${schema}.asks (settled_at, position) where settled_at is not null;

${askers(schema)}

create table ${schema}.ask_recipients (
  position bigint not null,
  person text collate "C" not null,
  status text collate "C" not null,
  primary key (position, person)
);
create index ask_recipients_by_person on ${schema}.ask_recipients (person, status, position);

-- A deleted record stays for a while without a value: a delete that is tried again is recognised by it.
create table ${schema}.records (
  namespace text collate "C" not null,
  key text collate "C" not null,
  value text,
  version bigint not null,
  expires_at bigint,
  available_at bigint,
  write_id text collate "C" not null,
  primary key (namespace, key)
);
create index records_by_expiry on ${schema}.records (expires_at) where expires_at is not null;
`;
}
