// A connection pooler in transaction mode, such as PgBouncer, gives each transaction any of its connections to
// PostgreSQL. Nothing that belongs to a connection works there: named statements, settings, LISTEN. Settings would even
// reach the other programs that use the pooler.

import type { PostgresClient, PostgresPool } from "./driver.js";

/** Whether a transaction can run on another connection to PostgreSQL than the one before it. */
export async function isTransactionPooler(pool: PostgresPool): Promise<boolean> {
  const clients: PostgresClient[] = [];
  const connect = async (): Promise<PostgresClient> => {
    const client = await pool.connect();
    clients.push(client);
    return client;
  };
  try {
    const first = await connect();
    // A pooler gives each client a key of its own for cancelling queries, so the process in it is not PostgreSQL's.
    if (typeof first.processID !== "number" || first.processID === (await processOf(first))) return false;
    const second = await connect();
    const seen: { readonly client: PostgresClient; readonly process: unknown }[] = [];
    // The second twice: a pooler that takes its connections in turn could give each client its own again otherwise.
    for (const client of [first, second, second, first]) {
      const process = await processOf(client);
      if (seen.some((entry) => (entry.client === client) !== (entry.process === process))) return true;
      seen.push({ client, process });
    }
    return false;
  } finally {
    // They have no settings: those wait for this answer.
    for (const client of clients) client.release(true);
  }
}

async function processOf(client: PostgresClient): Promise<unknown> {
  const { rows } = await client.query({ text: "select pg_backend_pid() as process" });
  return (rows[0] as { readonly process?: unknown } | undefined)?.process;
}
