import type { Store } from "../../hub/index.js";
import type { Database } from "./database.js";

/** The store of a database, not yet open. Each is loaded only where it is used. */
export async function createStore(database: Database): Promise<Store> {
  switch (database.kind) {
    case "memory": {
      const { memoryStore } = await import("../../hub/index.js");
      return memoryStore();
    }
    case "sqlite": {
      const { sqliteStore } = await import("../../stores/sqlite/index.js");
      return sqliteStore({ path: database.path });
    }
    case "postgres": {
      const { postgresStore } = await import("../../stores/postgres/index.js");
      return postgresStore({ url: database.url });
    }
  }
}
