// Connections and queries. `query` sends a statement once; `retry` repeats it. Every statement is its own transaction,
// so no connection is ever idle while it holds a lock.

import type { Logger } from "../../../../core/kit/logger.js";
import { AsklineError } from "../../../../core/model/error.js";
import { sha256 } from "../../../seam/sha256.js";
import { loadDriver, type OwnPool, type PostgresClient, type PostgresPool } from "./driver.js";
import { isLost, isTimeout, isTransient, reasonOf, toAsklineError } from "./errors.js";
import type { Settings } from "./options.js";
import { pause } from "./pause.js";
import { isTransactionPooler } from "./pooler.js";

/** A statement that each connection prepares once, unless it is a pooler's. Its name is a hash of its text. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

export function statement(text: string): Statement {
  return { name: `askline_${sha256(text).slice(0, 24)}`, text };
}

/** The columns of an ask. `kept` is an SQL expression: the content is null if the ask's position equals it. */
export function askColumns(table: string, kept?: string): string {
  const columns = ["position", "id", "status", "deadline", "overdue", "settled_at", "outcome", "added"];
  const content =
    kept === undefined
      ? `${table}.content`
      : `case when ${table}.position is distinct from ${kept} then ${table}.content end as content`;
  return [...columns.map((column) => `${table}.${column}`), content].join(", ");
}

export interface Database {
  /** Creates the pool. Does not connect yet. */
  open(logger: Logger): Promise<void>;
  /** Finds out, once, whether the connections are those of a pooler in transaction mode. Call it before any query. */
  isPooled(): Promise<boolean>;
  /** Runs a statement once, without a retry. */
  query<Row>(sql: Statement, values: unknown[]): Promise<readonly Row[]>;
  /**
   * Runs `work`, and repeats it while PostgreSQL is unreachable or another writer conflicts. `again` is true if an
   * earlier try may have been committed although its result was lost.
   */
  retry<T>(work: (again: boolean) => Promise<T>, withinMs?: number): Promise<T>;
  /** Reserves a connection until the caller releases it. */
  session(): Promise<Session>;
  /** Waits for all work in progress, then disconnects. */
  close(): Promise<void>;
}

export interface Session {
  readonly client: PostgresClient;
  run<Row>(text: string, values?: unknown[], timeoutMs?: number): Promise<readonly Row[]>;
  /** Returns the connection to the pool. Pass `destroy` if its state is uncertain. */
  release(destroy: boolean): void;
}

export function createDatabase(settings: Settings): Database {
  const { retryMs, queryTimeoutMs } = settings;
  let closing = new AbortController();
  const inProgress = new Set<Promise<unknown>>();
  let opened: { readonly pools: Pools; readonly logger: Logger } | undefined;
  let pooled: boolean | undefined;
  const current = (): { readonly pools: Pools; readonly logger: Logger } => {
    if (opened === undefined) throw new AsklineError("closed", "the PostgreSQL store is not open");
    return opened;
  };

  const connect = async (): Promise<{ readonly pool: PostgresPool; readonly client: PostgresClient }> => {
    const { pools } = current();
    const pool = pools.current();
    try {
      const client = await pool.connect();
      watchForErrors(client);
      return { pool, client };
    } catch (error) {
      if (isTimeout(error)) pools.renew(pool);
      throw error;
    }
  };

  const attempts = async <T>(work: (again: boolean) => Promise<T>, withinMs: number): Promise<T> => {
    const started = performance.now();
    let again = false;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await work(again);
      } catch (error) {
        if (!isTransient(error)) throw toAsklineError(error);
        again ||= isLost(error);
        const waited = performance.now() - started;
        if (waited >= withinMs || closing.signal.aborted) throw unavailable(error, waited);
        if (attempt === 3 && isLost(error))
          current().logger.warn(`PostgreSQL is unreachable: ${reasonOf(error)}`);
        await pause(Math.min(backoff(attempt), withinMs - waited), closing.signal);
      }
    }
  };

  return {
    async open(logger) {
      const { target } = settings;
      const pools =
        target.pool === undefined
          ? await ownPools(settings, target.url, () => pooled === false)
          : externalPool(target.pool);
      closing = new AbortController();
      opened = { pools, logger };
    },

    async isPooled() {
      pooled ??= await isTransactionPooler(current().pools.current());
      return pooled;
    },

    async query<Row>({ name, text }: Statement, values: unknown[]) {
      const { pool, client } = await connect();
      let failure: unknown;
      try {
        const { rows } = await client.query({
          ...(pooled !== true && { name }),
          ...{ text, values, query_timeout: queryTimeoutMs, types },
        });
        return rows as readonly Row[];
      } catch (error) {
        failure = error;
        throw error;
      } finally {
        client.release(isLost(failure));
        // If one connection went silent, the others probably did too, so the whole pool is replaced.
        if (isTimeout(failure)) opened?.pools.renew(pool);
      }
    },

    retry(work, withinMs = retryMs) {
      const done = attempts(work, withinMs);
      inProgress.add(done);
      const forget = (): void => void inProgress.delete(done);
      done.then(forget, forget);
      return done;
    },

    async session() {
      const { client } = await connect();
      return {
        client,
        async run<Row>(text: string, values: unknown[] = [], timeoutMs = queryTimeoutMs) {
          const { rows } = await client.query({ text, values, query_timeout: timeoutMs, types });
          return rows as readonly Row[];
        },
        release: (destroy) => client.release(destroy),
      };
    },

    async close() {
      await Promise.allSettled(inProgress);
      closing.abort();
      await opened?.pools.end();
      opened = undefined;
    },
  };
}

function unavailable(error: unknown, waited: number): AsklineError {
  const seconds = (waited / 1000).toFixed(1);
  return new AsklineError(
    "store_unavailable",
    `PostgreSQL did not answer for ${seconds} s: ${reasonOf(error)}. Check that it is running and reachable`,
    { cause: error },
  );
}

/** 10 to 20 ms at first, doubling up to a second. Random, so that nodes do not retry in step. */
function backoff(attempt: number): number {
  return Math.min(1_000, 10 * 2 ** attempt) * (0.5 + Math.random() / 2);
}

interface Pools {
  current(): PostgresPool;
  /** Replaces a pool whose connections may be broken, unless it was replaced already. */
  renew(pool: PostgresPool): void;
  end(): Promise<void>;
}

function externalPool(pool: PostgresPool): Pools {
  return { current: () => pool, renew: () => undefined, end: async () => undefined };
}

async function ownPools(settings: Settings, url: string, ownsConnections: () => boolean): Promise<Pools> {
  const createPool = await loadDriver();
  const make = (): OwnPool => {
    const pool = createPool({
      connectionString: url,
      max: settings.maxConnections + 1,
      connectionTimeoutMillis: Math.min(settings.queryTimeoutMs, settings.openTimeoutMs),
      keepAlive: true,
      application_name: "askline",
      onConnect: async (client) => {
        if (ownsConnections()) await client.query(connectionSetup(settings.queryTimeoutMs));
      },
    });
    // An idle connection that breaks is replaced when the next query needs one.
    pool.on("error", () => undefined);
    return pool;
  };
  let current = make();
  const ending = new Set<Promise<void>>();
  return {
    current: () => current,
    renew(pool) {
      if (pool !== current) return;
      const old = current;
      current = make();
      const ended = old.end().catch(() => undefined);
      ending.add(ended);
      void ended.then(() => ending.delete(ended));
    },
    async end() {
      await Promise.all([current.end(), ...ending]);
    },
  };
}

// Our locks must not block other nodes for long, and nothing may be acknowledged before it is on disk. Every query has
// an index; the planner settings force its use, because statistics that lag behind a fast-growing table could make the
// planner scan the whole table.
function connectionSetup(timeoutMs: number): string {
  const name = (setting: string, value: string): string => `set_config('${setting}', '${value}', false)`;
  return `select ${[
    name("statement_timeout", `${timeoutMs}ms`),
    name("lock_timeout", `${Math.ceil(timeoutMs / 2)}ms`),
    name("idle_in_transaction_session_timeout", `${timeoutMs}ms`),
    name("enable_seqscan", "off"),
    name("enable_hashjoin", "off"),
    name("enable_mergejoin", "off"),
    name("jit", "off"),
    name("plan_cache_mode", "force_generic_plan"),
    "case when current_setting('synchronous_commit') = 'off' then set_config('synchronous_commit', 'on', false) end",
  ].join(", ")}`;
}

const watched = new WeakSet<PostgresClient>();

// A connection that breaks rejects its query and also emits "error". Without a listener, that would end the process.
function watchForErrors(client: PostgresClient): void {
  if (watched.has(client)) return;
  watched.add(client);
  client.on("error", () => undefined);
}

const INT8 = 20;
const INT4 = 23;
const BOOLEAN = 16;
const parsers = new Map<number, (value: string) => unknown>([
  [INT8, Number],
  [INT4, Number],
  [BOOLEAN, (value) => value === "t"],
]);
const unchanged = (value: string): string => value;
const types = { getTypeParser: (oid: number): ((value: string) => unknown) => parsers.get(oid) ?? unchanged };
