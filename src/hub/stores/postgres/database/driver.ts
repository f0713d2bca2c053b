// The part of `pg` that the store uses, as our own types: `pg` may not be installed, so its types must not appear in
// ours.

import { fileURLToPath } from "node:url";
import { AsklineError } from "../../../../core/model/error.js";

/** The part of a `pg` pool that the store uses. */
export interface PostgresPool {
  connect(): Promise<PostgresClient>;
  readonly options?: { readonly max?: number | undefined };
}

export interface PostgresClient {
  /** The process that serves this connection, as the server or a pooler reported it. */
  readonly processID?: number | null;
  query(config: PostgresQuery): Promise<{ readonly rows: readonly unknown[] }>;
  release(destroy?: boolean): void;
  on(event: "error", listener: (error: Error) => void): unknown;
  on(event: "end", listener: () => void): unknown;
  on(event: "notification", listener: (message: PostgresNotification) => void): unknown;
}

export interface PostgresQuery {
  readonly text: string;
  readonly name?: string;
  readonly values?: unknown[];
  readonly query_timeout?: number;
  readonly types?: { getTypeParser(oid: number): (value: string) => unknown };
}

export interface PostgresNotification {
  readonly channel: string;
  readonly payload?: string | undefined;
}

export interface OwnPool extends PostgresPool {
  end(): Promise<void>;
  on(event: "error", listener: (error: Error) => void): unknown;
}

export interface OwnPoolOptions {
  readonly connectionString: string;
  readonly max: number;
  readonly connectionTimeoutMillis: number;
  readonly keepAlive: boolean;
  readonly application_name: string;
  readonly onConnect: (client: { query(text: string): Promise<unknown> }) => Promise<void>;
}

/** An askline that is installed globally finds only packages that are, too. */
export const INSTALL_PG: string = /[\\/](lib|npm)[\\/]node_modules[\\/]askline[\\/]/.test(
  fileURLToPath(import.meta.url),
)
  ? "npm install -g pg"
  : "npm install pg";

/** Loads `pg`, an optional dependency. */
export async function loadDriver(): Promise<(options: OwnPoolOptions) => OwnPool> {
  try {
    const { default: pg } = await import("pg");
    return (options) => new pg.Pool(options);
  } catch (error) {
    throw new AsklineError(
      "store_unavailable",
      `the PostgreSQL store needs the package pg, which is not installed: ${INSTALL_PG}`,
      { cause: error },
    );
  }
}
