import type { Store } from "../../../../src/hub/seam/store.js";
import { postgresStore } from "../../../../src/hub/stores/postgres/index.ts";
import { fakeClock, type StoreHarness } from "../../../../src/testing/index.ts";
import { freshSchema, sharedPostgres } from "../../../support/shared-postgres.ts";

const logger = { warn: () => undefined, error: () => undefined };

/** PostgreSQL stores for the store suite, each in a schema of its own on the server that all tests share. */
export function postgresHarness(): StoreHarness {
  const clock = fakeClock();
  const schemas = new WeakMap<Store, string>();
  const openIn = async (schema: string): Promise<Store> => {
    const store = postgresStore({ url: await sharedPostgres(), schema, clock, pollMs: 50 });
    await store.open({ clock, logger });
    schemas.set(store, schema);
    return store;
  };
  const schemaOf = (store: Store): string => schemas.get(store) ?? freshSchema();
  return {
    clock,
    lacks: { commits: "a PostgreSQL store tells nobody what it wrote: whoever follows reads the log" },
    open: () => openIn(freshSchema()),
    async reopen(store) {
      await store.close();
      return openIn(schemaOf(store));
    },
    second: (store) => openIn(schemaOf(store)),
  };
}
