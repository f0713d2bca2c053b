import pg from "pg";
import { onTestFinished } from "vitest";
import type { Store } from "../../../../src/hub/seam/store.js";
import { type PostgresStoreOptions, postgresStore } from "../../../../src/hub/stores/postgres/index.ts";
import { systemClock } from "../../../../src/index.ts";
import { sharedPostgres } from "../../../support/shared-postgres.ts";

export const quiet = { warn: () => undefined, error: () => undefined };

type Options = Partial<Omit<PostgresStoreOptions, "pool">>;

/** An open store on the shared server, unless `url` names another; closed when the test ends. */
export async function openStore(options: Options = {}): Promise<Store> {
  const store = postgresStore({ ...options, url: options.url ?? (await sharedPostgres()) });
  await store.open({ clock: systemClock, logger: quiet });
  onTestFinished(() => store.close());
  return store;
}

/** A connection of the test's own, past every store. */
export async function connectTo(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => undefined);
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

/** Looks again and again until something is so. */
export async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 5));
}

/** Calls that are counted; `reached` resolves when there were as many. */
export function counter(): { (): void; readonly count: number; reached(count: number): Promise<void> } {
  let count = 0;
  const waiting = new Set<() => void>();
  const call = (): void => {
    count += 1;
    for (const check of waiting) check();
  };
  return Object.defineProperty(
    Object.assign(call, {
      count: 0,
      reached: (wanted: number) =>
        new Promise<void>((resolve) => {
          const check = (): void => {
            if (count >= wanted) resolve();
          };
          waiting.add(check);
          check();
        }),
    }),
    "count",
    { get: () => count },
  );
}
