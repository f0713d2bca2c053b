export type { PostgresPool } from "./database/driver.js";
export type { PostgresStoreOptions } from "./database/options.js";
export { postgresStore } from "./postgres-store.js";
