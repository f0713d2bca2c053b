import type { NewEntryRow } from "../../shared/rows.js";
import type { Transaction } from "./transaction.js";

export function appendEntries(transaction: Transaction, entries: readonly NewEntryRow[]): readonly number[] {
  return transaction.append(entries);
}

// Entries are removed in small transactions, because one large transaction would block all writers.
const MOST_AT_ONCE = 1_000;

export const LOWEST: string = "SELECT min(position) AS lowest FROM log_entries WHERE log = ?";
export const DELETE_BELOW: string = "DELETE FROM log_entries WHERE log = ? AND position < ?";

export interface RemoveLogRequest {
  readonly log: string;
  readonly head: number;
  /** Whether an earlier call removed a part. Entries written since then do not stop the removal. */
  readonly begun: boolean;
}

/** Removes the oldest part of a log. Returns `other`, and removes nothing, if the log has another head. */
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

/** Returns whether the entries were stored. They are not if the log has another head. */
export function restoreLog(transaction: Transaction, request: RestoreLogRequest): boolean {
  const { log, head, first, entries } = request;
  const bounds = transaction.bounds(log);
  if (bounds.head !== head) return false;
  if (bounds.first > head) transaction.begin(log, first);
  transaction.append(entries);
  return true;
}
