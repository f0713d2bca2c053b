export type { PostgresClient, PostgresNotification, PostgresPool, PostgresQuery } from "./driver.js";
export type { PostgresStoreOptions, PostgresTarget } from "./options.js";
export { postgresStore } from "./postgres-store.js";
