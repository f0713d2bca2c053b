import { ASK_COLUMNS, type AskRow } from "./ask-rows.js";
import type { Database } from "./driver.js";
import type { Operations } from "./operations.js";
import type { Transaction } from "./transaction.js";

// Word for word the condition of the index.
const HAS_DEADLINE = "status = 'pending' AND overdue = 0 AND deadline IS NOT NULL";

export const DUE: string = `
  SELECT ${ASK_COLUMNS} FROM asks WHERE ${HAS_DEADLINE} AND deadline <= ? AND leased_until <= ?
  ORDER BY deadline, position LIMIT ?`;
export const NEXT_DEADLINE: string = `SELECT deadline FROM asks WHERE ${HAS_DEADLINE} ORDER BY deadline LIMIT 1`;
const LEASE = "UPDATE asks SET leased_until = ? WHERE position = ?";

export function claimDue(
  { database, now }: Transaction,
  { limit, leaseMs }: Operations["claimDue"]["request"],
): readonly AskRow[] {
  const due = database.sql(DUE).all<AskRow>(now, now, Math.max(0, limit));
  for (const { position } of due) database.sql(LEASE).run(now + leaseMs, position);
  return due;
}

export function nextDeadline(database: Database): number | undefined {
  return database.sql(NEXT_DEADLINE).get<{ readonly deadline: number }>()?.deadline;
}
