import { AsklineError, type Clock } from "../../../core/index.js";
import type { PostgresPool } from "./driver.js";

export type PostgresStoreOptions = PostgresTarget & {
  /** The PostgreSQL schema that holds the tables. Several hubs share asks by sharing it. */
  readonly schema?: string;
  /** Time for tests. Without it PostgreSQL's clock counts, so that all nodes agree. */
  readonly clock?: Clock;
  /** How many connections the store opens at most, besides the one that listens. For `url` only. */
  readonly maxConnections?: number;
  /** How long `open` waits for a server that does not answer. */
  readonly openTimeoutMs?: number;
  /** How long a call is tried again while the server is away, before it ends as `store_unavailable`. */
  readonly retryMs?: number;
  /** When a query without an answer is given up, and its connection with it. */
  readonly queryTimeoutMs?: number;
  /** How often a watching store looks for itself, should a notification be lost. */
  readonly pollMs?: number;
};

/**
 * Where the data is: a URL, or a pool of yours (of `pg`), which the store uses and does not close. It needs at
 * least two connections, as one listens. The store sets timeouts on its own connections only; on yours, a
 * `lock_timeout` and a `statement_timeout` are yours to set, and `synchronous_commit` must not be off, or a
 * crash takes back what was acknowledged.
 */
export type PostgresTarget =
  | { readonly url: string; readonly pool?: never }
  | { readonly pool: PostgresPool; readonly url?: never };

export interface Settings {
  readonly target: PostgresTarget;
  readonly schema: string;
  readonly clock: Clock | undefined;
  readonly maxConnections: number;
  readonly openTimeoutMs: number;
  readonly retryMs: number;
  readonly queryTimeoutMs: number;
  readonly pollMs: number;
}

export function readOptions(options: PostgresStoreOptions): Settings {
  return {
    target: readTarget(options),
    schema: readSchema(options.schema ?? "askline"),
    clock: options.clock,
    maxConnections: options.maxConnections ?? 8,
    openTimeoutMs: options.openTimeoutMs ?? 10_000,
    retryMs: options.retryMs ?? 30_000,
    queryTimeoutMs: options.queryTimeoutMs ?? 10_000,
    pollMs: options.pollMs ?? 1_000,
  };
}

// The error of `new URL` would carry the whole text, password included: it goes no further.
function readTarget({ url, pool }: PostgresTarget): PostgresTarget {
  if (pool?.options?.max === 1) {
    throw new AsklineError(
      "store_unavailable",
      "the PostgreSQL store needs a pool of at least two connections: one of them listens",
    );
  }
  if (pool !== undefined) return { pool };
  const protocol = typeof url === "string" && URL.canParse(url) ? new URL(url).protocol : undefined;
  if (url === undefined || (protocol !== "postgres:" && protocol !== "postgresql:")) {
    throw new AsklineError(
      "store_unavailable",
      "invalid PostgreSQL URL: use postgres://user:password@host:5432/database",
    );
  }
  return { url };
}

// Short enough that the names made from it stay within PostgreSQL's 63 bytes.
function readSchema(schema: string): string {
  if (!/^[A-Za-z_][A-Za-z0-9_-]{0,47}$/.test(schema) || /^pg_/i.test(schema)) {
    throw new AsklineError(
      "store_unavailable",
      `invalid schema name ${JSON.stringify(schema)}; use up to 48 letters, digits, _ and -, not starting with a digit or pg_`,
    );
  }
  return schema;
}
