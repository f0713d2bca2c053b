import { inSnapshot } from "./connection.js";
import type { Database } from "./driver.js";

const MISSING = `
  SELECT count(*) AS count FROM asks
  WHERE NOT EXISTS (SELECT 1 FROM ask_contents WHERE ask_contents.position = asks.position)`;
const LEFT = `
  SELECT count(*) AS count FROM ask_contents
  WHERE NOT EXISTS (SELECT 1 FROM asks WHERE asks.position = ask_contents.position)`;

/** The version from which the content of an ask is in a table of its own. */
const APART = 3;

export interface CheckedContents {
  /** Asks that have none: SQLite knows nothing of what belongs together, so its own check does not find them. */
  readonly missing: number;
  /** Those of asks that are gone: a program that knows only version 2 and had the file open prunes the asks alone. */
  readonly left: number;
}

/** Goes through all of both tables. */
export function checkContents(database: Database, version: number): CheckedContents {
  if (version < APART) return { missing: 0, left: 0 };
  const count = (sql: string): number => database.sql(sql).get<{ readonly count: number }>()?.count ?? 0;
  return inSnapshot(database, () => ({ missing: count(MISSING), left: count(LEFT) }));
}

/** What is wrong with the file, if anything is. */
export function describeMissing({ missing }: CheckedContents): string | undefined {
  if (missing === 0) return undefined;
  return missing === 1 ? "1 ask has no content" : `${missing.toLocaleString("en")} asks have no content`;
}
