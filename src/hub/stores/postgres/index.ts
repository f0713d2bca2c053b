export type { PostgresClient, PostgresNotification, PostgresPool, PostgresQuery } from "./database/driver.js";
export type { PostgresStoreOptions, PostgresTarget } from "./database/options.js";
export { postgresStore } from "./postgres-store.js";
