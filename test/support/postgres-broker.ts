// One PostgreSQL server for a whole run of the tests. Vitest's main process owns it: workers ask here, the
// first to ask starts it, and a run that needs none starts none.

import { createServer } from "node:net";
import type { TestProject } from "vitest/node";
import { type PostgresServer, startPostgres } from "./postgres.ts";

declare module "vitest" {
  interface ProvidedContext {
    readonly postgresBroker: number;
  }
}

export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  let server: Promise<PostgresServer> | undefined;
  const broker = createServer((socket) => {
    // What is acknowledged here need not outlive the run.
    server ??= startPostgres({ settings: { fsync: "off", full_page_writes: "off" } });
    server.then(
      ({ url }) => socket.end(JSON.stringify({ url })),
      (error: unknown) => socket.end(JSON.stringify({ error: String(error) })),
    );
    socket.on("error", () => undefined);
  });
  await new Promise<void>((resolve) => broker.listen(0, "127.0.0.1", resolve));
  const address = broker.address();
  provide("postgresBroker", typeof address === "object" && address !== null ? address.port : 0);
  return async () => {
    broker.close();
    await (await server?.catch(() => undefined))?.remove();
  };
}
