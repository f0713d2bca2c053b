import type { NewEntryRow } from "../../shared/rows.js";
import type { Transaction } from "./transaction.js";

export function appendEntries(transaction: Transaction, entries: readonly NewEntryRow[]): readonly number[] {
  return transaction.append(entries);
}

// Removed in small transactions: one large one would hold up everybody.
const MOST_AT_ONCE = 1_000;

export const LOWEST: string = "SELECT min(position) AS lowest FROM log_entries WHERE log = ?";
export const DELETE_BELOW: string = "DELETE FROM log_entries WHERE log = ? AND position < ?";

export interface RemoveLogRequest {
  readonly log: string;
  readonly head: number;
  /** Whether a part of it has been removed: what was written since does not keep the rest. */
  readonly begun: boolean;
}

/** Removes a part of a log, from its beginning; `other` where it has another head. */
export function removeLog(
  transaction: Transaction,
  { log, head, begun }: RemoveLogRequest,
): "other" | "part" | "whole" {
  const { database } = transaction;
  if (!begun && transaction.bounds(log).head !== head) return "other";
  const found = database.sql(LOWEST).get<{ readonly lowest: number | null }>(log);
  const end = Math.min((found?.lowest ?? head) + MOST_AT_ONCE, head + 1);
  database.sql(DELETE_BELOW).run(log, end);
  transaction.trim(log, end);
  return end > head ? "whole" : "part";
}

export interface RestoreLogRequest {
  readonly log: string;
  readonly head: number;
  readonly first: number;
  readonly entries: readonly NewEntryRow[];
}

/** Whether the entries were stored: not where something else is at the head. */
export function restoreLog(transaction: Transaction, request: RestoreLogRequest): boolean {
  const { log, head, first, entries } = request;
  const bounds = transaction.bounds(log);
  if (bounds.head !== head) return false;
  if (bounds.first > head) transaction.begin(log, first);
  transaction.append(entries);
  return true;
}
