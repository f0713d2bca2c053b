import type { PendingSummary } from "../../hub/store.js";
import type { Database } from "./driver.js";

// From the index alone, which ends with the position: only what is pending is counted through.
export const PENDING: string = `
  SELECT count(*) AS count, min(position) AS first FROM asks WHERE everyone IN (0, 1) AND status = 'pending'`;
const CREATED_AT = "SELECT created_at AS createdAt FROM asks WHERE position = ?";

export function pendingSummary(database: Database): PendingSummary {
  const row = database.sql(PENDING).get<{ readonly count: number; readonly first: number | null }>();
  if (row === undefined || row.first === null) return { count: 0 };
  const oldest = database.sql(CREATED_AT).get<{ readonly createdAt: number }>(row.first);
  return { count: row.count, ...(oldest !== undefined && { oldestCreatedAt: oldest.createdAt }) };
}
