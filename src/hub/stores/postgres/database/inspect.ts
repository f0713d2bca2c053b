// Inspects a database without opening it as a store: nothing is created, migrated or written.

import { AsklineError } from "../../../../core/model/error.js";
import { EVENT_LOG } from "../../../seam/store.js";
import { createDatabase, type Session } from "./database.js";
import { isLost, reasonOf, toAsklineError } from "./errors.js";
import { readOptions } from "./options.js";
import { OLDEST, VERSION } from "./schema.js";

export interface PostgresInspection {
  /** The version as PostgreSQL prints it (`17.2`), and as a number for comparison (170002). */
  readonly server: { readonly name: string; readonly number: number };
  /** The schema's version; 0 if there are no tables yet. */
  readonly version: number;
  /** The schema version that a program must know to use it. */
  readonly requires: number;
  readonly known: number;
  /** The oldest version that askline can migrate. */
  readonly oldest: number;
  /** Privileges that the user needs but lacks, such as `insert on asks`. */
  readonly missingRights: readonly string[];
  /** Whether the server is a standby or refuses writes by default. */
  readonly readOnly: boolean;
  /** Whether a pooler in transaction mode is in between. */
  readonly pooled: boolean;
  /** PostgreSQL's time, and this machine's time at about the same moment. */
  readonly time: { readonly there: number; readonly here: number };
  readonly newestEventAt?: number;
  /** The value of a record, expired or not. */
  record(namespace: string, key: string): Promise<unknown>;
  close(): Promise<void>;
}

const QUERY_MS = 3_000;
const TABLES = ["meta", "logs", "log_entries", "asks", "askers", "ask_recipients", "records"];

export interface InspectOptions {
  readonly url: string;
  readonly schema?: string;
  /** This machine's time. */
  now(): number;
}

/** Rejects with a coded error if the database cannot be reached. */
export async function inspectDatabase({ url, schema, now }: InspectOptions): Promise<PostgresInspection> {
  const settings = readOptions({
    url,
    ...(schema !== undefined && { schema }),
    ...{ maxConnections: 1, openTimeoutMs: QUERY_MS, queryTimeoutMs: QUERY_MS, retryMs: 0 },
  });
  const database = createDatabase(settings);
  await database.open({ warn: () => undefined, error: () => undefined });
  let session: Session | undefined;
  const close = async (): Promise<void> => {
    session?.release(true);
    await database.close();
  };
  try {
    const pooled = await database.isPooled();
    session = await database.session();
    const facts = { pooled, ...(await readFacts(session, settings.schema, now)) };
    const { run } = session;
    return {
      ...facts,
      async record(namespace, key) {
        if (facts.version === 0) return undefined;
        const text = `select value from "${settings.schema}".records where namespace = $1 and key = $2`;
        const [row] = await run<{ readonly value: string | null }>(text, [namespace, key]);
        return typeof row?.value === "string" ? (JSON.parse(row.value) as unknown) : undefined;
      },
      close,
    };
  } catch (error) {
    await close();
    if (!isLost(error)) throw toAsklineError(error);
    throw new AsklineError("store_unavailable", `PostgreSQL cannot be reached (${reasonOf(error)})`, {
      cause: error,
    });
  }
}

async function readFacts(
  { run }: Session,
  schema: string,
  now: () => number,
): Promise<Omit<PostgresInspection, "record" | "close" | "pooled">> {
  await run("begin read only");
  const sent = now();
  const [server] = await run<ServerRow>(SERVER);
  const here = (sent + now()) / 2;
  const [tables] = await run<TablesRow>(SCHEMA, [schema]);
  const rights = tables?.tables
    ? await run<{ readonly missing: string }>(RIGHTS, [schema, TABLES])
    : missingCreateRights(tables);
  const readable = tables?.tables === true && rights.length === 0;
  const [version] = readable
    ? await run<{ readonly version: number; readonly requires: number }>(
        `select version, requires from "${schema}".meta`,
      )
    : [];
  const [newest] = readable
    ? await run<{ readonly at: number }>(
        `select at from "${schema}".log_entries where log = $1 order by position desc limit 1`,
        [EVENT_LOG],
      )
    : [];
  await run("rollback");
  return {
    server: { name: server?.name ?? "", number: Number(server?.number ?? 0) },
    version: version?.version ?? 0,
    requires: version?.requires ?? 0,
    known: VERSION,
    oldest: OLDEST,
    missingRights: rights.map(({ missing }) => missing),
    readOnly: server?.read_only ?? false,
    time: { there: Number(server?.now ?? 0), here },
    ...(newest !== undefined && { newestEventAt: newest.at }),
  };
}

interface ServerRow {
  readonly name: string;
  readonly number: string;
  readonly now: string;
  readonly read_only: boolean;
}

// Reads `default_transaction_read_only`, because `transaction_read_only` is always on in our own transaction.
const SERVER = `
select current_setting('server_version') as name, current_setting('server_version_num') as number,
  (extract(epoch from clock_timestamp()) * 1000)::text as now,
  pg_is_in_recovery() or current_setting('default_transaction_read_only') = 'on' as read_only`;

interface TablesRow {
  readonly present: boolean;
  readonly may_create: boolean;
  readonly tables: boolean;
}

const SCHEMA = `
select exists (select from pg_namespace where nspname = $1) as present,
  case when exists (select from pg_namespace where nspname = $1) then has_schema_privilege(quote_ident($1), 'CREATE')
    else has_database_privilege(current_database(), 'CREATE') end as may_create,
  exists (select from pg_tables where schemaname = $1 and tablename = 'meta') as tables`;

const RIGHTS = `
select lower(wanted) || ' on ' || name as missing
from unnest($2::text[]) as name cross join unnest(array['SELECT', 'INSERT', 'UPDATE', 'DELETE']) as wanted
where not has_schema_privilege(quote_ident($1), 'USAGE')
  or not coalesce(has_table_privilege(to_regclass(quote_ident($1) || '.' || name), wanted), false)
order by name, wanted`;

function missingCreateRights(row: TablesRow | undefined): readonly { readonly missing: string }[] {
  if (row === undefined || row.may_create) return [];
  return [{ missing: row.present ? "create tables in the schema" : "create a schema in the database" }];
}
