import type { PendingSummary } from "../../hub/store.js";
import type { Database } from "./driver.js";

// From the indexes alone, which end with the position: only what is pending is counted through.
const COUNT = "SELECT count(*) AS count, min(position) AS first FROM asks";
export const PENDING: readonly string[] = [
  `${COUNT} WHERE everyone IN (0, 1) AND filed = 1 AND status = 'pending'`,
  `${COUNT} WHERE filed = 0 AND status = 'pending'`,
];
const CREATED_AT = "SELECT created_at AS createdAt FROM asks WHERE position = ?";

interface Counted {
  readonly count: number;
  readonly first: number | null;
}

export function pendingSummary(database: Database): PendingSummary {
  const counted = PENDING.flatMap((sql) => database.sql(sql).get<Counted>() ?? []);
  const count = counted.reduce((sum, part) => sum + part.count, 0);
  if (count === 0) return { count };
  const first = Math.min(...counted.flatMap((part) => part.first ?? []));
  const oldest = database.sql(CREATED_AT).get<{ readonly createdAt: number }>(first);
  return { count, ...(oldest !== undefined && { oldestCreatedAt: oldest.createdAt }) };
}
