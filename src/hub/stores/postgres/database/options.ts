import type { Clock } from "../../../../core/kit/clock.js";
import { AsklineError } from "../../../../core/model/error.js";
import type { PostgresPool } from "./driver.js";

export type PostgresStoreOptions = PostgresTarget & PostgresSettings;

interface PostgresSettings {
  /** The PostgreSQL schema for the tables. Hubs that use the same schema share their asks. Default: `askline`. */
  readonly schema?: string;
  /** A clock for tests. The default is PostgreSQL's clock, so that all nodes agree on the time. */
  readonly clock?: Clock;
  /** The most connections that the store opens, besides the one that listens. Only used with `url`. Default: 8. */
  readonly maxConnections?: number;
  /** How long `open` waits for a server that does not answer. Default: 10 s. */
  readonly openTimeoutMs?: number;
  /** How long a call retries an unreachable server before it fails with `store_unavailable`. Default: 30 s. */
  readonly retryMs?: number;
  /** How long to wait for a query before its connection is dropped. Default: 10 s. */
  readonly queryTimeoutMs?: number;
  /** How often a watching store polls, in case a notification was lost. Default: 1 s. */
  readonly pollMs?: number;
}

/**
 * Where the data is: a URL, or your own `pg` pool. The store uses your pool but does not close it. The pool needs at
 * least two connections, because one of them listens. The store does not configure your pool's connections: set
 * `lock_timeout` and `statement_timeout` yourself, and keep `synchronous_commit` on, or a crash can undo acknowledged
 * writes.
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

// Uses `URL.canParse`, because the error of `new URL` would contain the whole URL, including the password.
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

// At most 48 characters, so that names derived from the schema fit into PostgreSQL's 63 bytes.
function readSchema(schema: string): string {
  if (!/^[A-Za-z_][A-Za-z0-9_-]{0,47}$/.test(schema) || /^pg_/i.test(schema)) {
    throw new AsklineError(
      "store_unavailable",
      `invalid schema name ${JSON.stringify(schema)}; use up to 48 letters, digits, _ and -, not starting with a digit or pg_`,
    );
  }
  return schema;
}
