import type { AskChange, Changed } from "../../hub/store.js";
import { ASK_COLUMNS, type AskRow, type AskRows } from "./ask-rows.js";
import type { Value } from "./driver.js";
import type { EntryRow, Transaction } from "./transaction.js";

// The guards of the seam, as conditions: of two changes at once only one can find them true.
const SETTLE = `
  UPDATE asks SET status = ?, settled_at = ?, settlement_id = ?, outcome = ?
  WHERE id = ? AND status = 'pending'`;
const RETURNING = ` RETURNING ${ASK_COLUMNS}, everyone`;
const STATEMENTS = {
  settle: SETTLE + RETURNING,
  settleIfDue: `${SETTLE} AND deadline <= ?${RETURNING}`,
  extend: `UPDATE asks SET deadline = ? WHERE id = ? AND status = 'pending' AND deadline < ?${RETURNING}`,
  overdue: `UPDATE asks SET overdue = 1 WHERE id = ? AND status = 'pending' AND overdue = 0${RETURNING}`,
  stands: `SELECT ${ASK_COLUMNS}, settlement_id FROM asks WHERE id = ?`,
  moveRecipient:
    "UPDATE ask_recipients SET status = ? WHERE person = ? AND status = 'pending' AND position = ?",
} as const;

export interface ChangeRequest {
  readonly id: string;
  readonly change: AskChange;
  /** The outcome of a settle as text. */
  readonly outcome: string | null;
  readonly entries: readonly EntryRow[];
}

export function changeAsk(
  transaction: Transaction,
  rows: AskRows,
  request: ChangeRequest,
): Changed | undefined {
  const { database } = transaction;
  const [statement, values] = statementOf(request, transaction.now);
  const row = database.sql(statement).get<AskRow & { readonly everyone: number }>(...values);
  if (row === undefined) return asItStands(transaction, rows, request);
  const ask = rows.toAsk(database, row);
  if (ask === undefined) return undefined;
  if (request.change.kind === "settle" && row.everyone === 0) {
    for (const person of new Set(ask.recipients)) {
      database.sql(STATEMENTS.moveRecipient).run(ask.status, person, row.position);
    }
  }
  transaction.append(request.entries);
  return { applied: true, ask };
}

function statementOf(
  { id, change, outcome }: ChangeRequest,
  now: number,
): readonly [string, readonly Value[]] {
  switch (change.kind) {
    case "settle": {
      const values = [change.outcome.kind, now, change.settlementId, outcome, id];
      return change.ifDue ? [STATEMENTS.settleIfDue, [...values, now]] : [STATEMENTS.settle, values];
    }
    case "extend":
      return [STATEMENTS.extend, [change.deadline, id, change.deadline]];
    case "overdue":
      return [STATEMENTS.overdue, [id]];
  }
}

function asItStands(
  { database }: Transaction,
  rows: AskRows,
  { id, change }: ChangeRequest,
): Changed | undefined {
  const row = database.sql(STATEMENTS.stands).get<AskRow & { readonly settlement_id: string | null }>(id);
  const ask = row && rows.toAsk(database, row);
  if (row === undefined || ask === undefined) return undefined;
  return { applied: change.kind === "settle" && row.settlement_id === change.settlementId, ask };
}
