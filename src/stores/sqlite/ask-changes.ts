import type { AskStatus, Outcome } from "../../core/index.js";
import type { AskChange, Changed } from "../../hub/store.js";
import { ASK_COLUMNS, type AskRow, type AskRows } from "./ask-rows.js";
import type { Value } from "./driver.js";
import type { EntryRow, Transaction } from "./transaction.js";

// Looking and then writing is one step here, since a write transaction has the file for itself. It is also
// faster than RETURNING, which costs an update its shortest way.
const FIND = "SELECT position, deadline, overdue FROM asks WHERE id = ? AND status = 'pending'";
// The guards of the seam.
const PENDING = "WHERE position = ? AND status = 'pending'";
const SETTLE = `UPDATE asks SET status = ?, settled_at = ?, settlement_id = ?, outcome = ? ${PENDING}`;
const SETTLE_IF_DUE = `${SETTLE} AND deadline <= ?`;
const EXTEND = `UPDATE asks SET deadline = ?, leased_until = 0 ${PENDING} AND deadline < ?`;
const OVERDUE = `UPDATE asks SET overdue = 1 ${PENDING} AND overdue = 0 AND deadline <= ?`;
const MOVE_RECIPIENT =
  "UPDATE ask_recipients SET status = ? WHERE person = ? AND status = 'pending' AND position = ?";
const STANDS = `SELECT ${ASK_COLUMNS}, settlement_id FROM asks WHERE id = ?`;

/** A change as it was when it was asked for, with what is to be stored as text. */
export interface ChangeRequest {
  readonly id: string;
  readonly change:
    | { readonly kind: "settle"; readonly settlementId: string; readonly ifDue: boolean }
    | Exclude<AskChange, { readonly kind: "settle" }>;
  readonly status: AskStatus;
  readonly outcome?: Outcome;
  /** The outcome as text. */
  readonly json: string | null;
  readonly entries: readonly EntryRow[];
}

type Found = Pick<AskRow, "position" | "deadline" | "overdue">;

export function changeAsk(
  transaction: Transaction,
  rows: AskRows,
  request: ChangeRequest,
): Changed | undefined {
  const { database, now } = transaction;
  const { id, change, status, outcome, json, entries } = request;
  const found = database.sql(FIND).get<Found>(id);
  if (found === undefined || !apply(transaction, request, found.position)) {
    return asItStands(transaction, rows, request);
  }
  const row: AskRow = {
    id,
    position: found.position,
    status,
    deadline: change.kind === "extend" ? change.deadline : found.deadline,
    overdue: change.kind === "overdue" ? 1 : found.overdue,
    settled_at: change.kind === "settle" ? now : null,
    outcome: json,
  };
  const ask = rows.toAsk(database, row, outcome);
  if (ask === undefined) return undefined;
  if (change.kind === "settle" && ask.recipients.length > 0) {
    for (const person of new Set(ask.recipients)) {
      database.sql(MOVE_RECIPIENT).run(status, person, found.position);
    }
  }
  transaction.append(entries);
  return { applied: true, ask };
}

/** Whether the guard held and the change was made. */
function apply({ database, now }: Transaction, request: ChangeRequest, position: number): boolean {
  const { change, status, json } = request;
  switch (change.kind) {
    case "settle": {
      const values: readonly Value[] = [status, now, change.settlementId, json, position];
      return change.ifDue
        ? database.sql(SETTLE_IF_DUE).run(...values, now).changes > 0
        : database.sql(SETTLE).run(...values).changes > 0;
    }
    case "extend":
      return database.sql(EXTEND).run(change.deadline, position, change.deadline).changes > 0;
    case "overdue":
      return database.sql(OVERDUE).run(position, now).changes > 0;
  }
}

function asItStands(
  { database }: Transaction,
  rows: AskRows,
  { id, change }: ChangeRequest,
): Changed | undefined {
  const row = database.sql(STANDS).get<AskRow & { readonly settlement_id: string | null }>(id);
  const ask = row && rows.toAsk(database, row);
  if (row === undefined || ask === undefined) return undefined;
  return { applied: change.kind === "settle" && row.settlement_id === change.settlementId, ask };
}
