import { randomUUID } from "node:crypto";
import { AsklineError } from "../../../core/model/error.js";
import type { Store, StoreContext, StoreObserver } from "../../seam/store.js";
import { steadyNow } from "../../seam/store-kit.js";
import { createContents } from "../shared/contents.js";
import type { Context } from "./database/context.js";
import { createDatabase, type Database, statement } from "./database/database.js";
import { createDatabaseClock, type DatabaseClock } from "./database/database-clock.js";
import { type PostgresStoreOptions, readOptions, type Settings } from "./database/options.js";
import { pause } from "./database/pause.js";
import { checkSchema, createTables } from "./database/schema.js";
import { createWatcher } from "./database/watcher.js";
import { createAsks } from "./ports/asks.js";
import { createLogs, createRequireLogs } from "./ports/logs.js";
import { createRecords } from "./ports/records.js";
import { forgetDeletedSql, TOMBSTONE_MS } from "./write/records-sql.js";

/**
 * A store in PostgreSQL 13 or newer, for nodes that share their asks. Needs the package `pg`.
 *
 * @example
 * const store = postgresStore({ url: "postgres://user:password@localhost:5432/askline" });
 * console.log(store.name); // and then: createHub({ store })
 */
export function postgresStore(options: PostgresStoreOptions): Store {
  const settings = readOptions(options);
  const database = createDatabase(settings);
  const schema = `"${settings.schema}"`;
  let clock: DatabaseClock | undefined;
  let maintenance: { stop(): Promise<void> } | undefined;
  const opened = (): DatabaseClock => {
    if (clock === undefined) throw new AsklineError("closed", "the PostgreSQL store is not open");
    return clock;
  };

  // Kept after `close`, because calls that started before it still need the time.
  let now = (): number => 0;
  let observer: StoreObserver | undefined;
  const context: Context = {
    database,
    schema,
    channel: `askline_${settings.schema}`,
    node: randomUUID(),
    contents: createContents(),
    now: () => now(),
    committed: (...batch) => observer?.committed(...batch),
    requireLogs: createRequireLogs({ database, schema }),
  };
  const asks = createAsks(context);
  const logs = createLogs(context);
  const records = createRecords(context);
  const watcher = createWatcher(context, settings);
  return {
    name: "postgres",
    asks: whileOpen(asks.port, opened),
    logs: whileOpen(logs.port, opened),
    records: whileOpen(records.port, opened),
    async open(storeContext) {
      await database.open(storeContext.logger);
      try {
        const ready = await connect(database, settings, storeContext);
        now = ready.now;
        maintenance = createMaintenance(context, ready);
        clock = ready;
      } catch (error) {
        await database.close();
        throw error;
      }
    },
    async close() {
      if (clock === undefined) return;
      clock = undefined;
      await Promise.all([
        maintenance?.stop(),
        watcher.close(),
        asks.drained(),
        logs.drained(),
        records.drained(),
      ]);
      await database.close();
    },
    now: () => opened().now(),
    watch(listener) {
      opened();
      return watcher.watch(listener);
    },
    async check() {
      opened();
      await checkSchema(database, settings.schema, schema);
    },
    observe(newObserver) {
      observer = newObserver;
    },
  };
}

async function connect(
  database: Database,
  settings: Settings,
  { clock, logger }: StoreContext,
): Promise<DatabaseClock> {
  const { openTimeoutMs, schema } = settings;
  return database.retry(async () => {
    if (await database.isPooled()) logger.warn(POOLED);
    await createTables(database, schema, `"${schema}"`);
    return settings.clock === undefined
      ? createDatabaseClock(database, clock, logger)
      : { now: steadyNow(settings.clock), adjust: async () => undefined };
  }, openTimeoutMs);
}

const POOLED =
  "connected to PostgreSQL through a pooler in transaction mode: changes by other nodes are noticed within a second, " +
  "not at once, and settings are those of the role. Connect directly if you can (docs/deploy.md, Poolers)";

/** Wraps each method so that it rejects if the store is not open. */
function whileOpen<Port extends object>(port: Port, requireOpen: () => unknown): Port {
  const guarded = Object.entries(port).map(([name, method]: [string, (...args: unknown[]) => unknown]) => [
    name,
    async (...args: unknown[]) => {
      requireOpen();
      return method(...args);
    },
  ]);
  return Object.fromEntries(guarded) as Port;
}

const MAINTENANCE_MS = 60_000;

/** Once a minute, adjusts the clock and removes the tombstones of deleted records. */
function createMaintenance(
  { database, schema, now }: Context,
  clock: DatabaseClock,
): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const forgetDeleted = statement(forgetDeletedSql(schema));
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await pause(MAINTENANCE_MS, stopping.signal, { idle: true });
      if (stopping.signal.aborted) return;
      // A failed task is tried again a minute later. If the database is down, the store's calls report it.
      await clock.adjust().catch(() => undefined);
      await database.query(forgetDeleted, [now() - TOMBSTONE_MS]).catch(() => undefined);
    }
  };
  const running = run();
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
