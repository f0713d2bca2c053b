// A schema that is older than today's, with its migration. Plain JavaScript: child processes use it too.

/** Brings a file of today to the older schema. */
export const AGE = "DROP INDEX asks_by_end; UPDATE meta SET version = 6, requires = 6";

export const MIGRATIONS = {
  6: "CREATE INDEX asks_by_end ON asks (settled_at) WHERE settled_at IS NOT NULL",
};
