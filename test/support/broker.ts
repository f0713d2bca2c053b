// One PostgreSQL server and one Chromium for a whole run of the tests. Vitest's main process owns them: workers ask
// here, the first to ask for one starts it, and a run that needs none starts none.

import { createServer } from "node:net";
import type { TestProject } from "vitest/node";
import { launchChromiumServer } from "./chromium-server.ts";
import { startPostgres } from "./postgres.ts";

interface Shared {
  readonly url: string;
  remove(): Promise<void>;
}

const STARTS: Readonly<Record<string, () => Promise<Shared>>> = {
  // What is acknowledged here need not outlive the run.
  postgres: () => startPostgres({ settings: { fsync: "off", full_page_writes: "off" } }),
  chromium: launchChromiumServer,
};

export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const started = new Map<string, Promise<Shared>>();
  const start = (name: string): Promise<Shared> => {
    const shared = started.get(name) ?? STARTS[name]?.() ?? Promise.reject(new Error(`unknown: ${name}`));
    started.set(name, shared);
    return shared;
  };
  const broker = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", (name) => {
      start(name.toString()).then(
        ({ url }) => socket.end(JSON.stringify({ url })),
        (error: unknown) => socket.end(JSON.stringify({ error: String(error) })),
      );
    });
  });
  await new Promise<void>((resolve) => broker.listen(0, "127.0.0.1", resolve));
  const address = broker.address();
  provide("broker", typeof address === "object" && address !== null ? address.port : 0);
  return async () => {
    broker.close();
    for (const shared of started.values()) await (await shared.catch(() => undefined))?.remove();
  };
}
