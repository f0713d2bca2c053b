import { EVENT_LOG } from "../../hub/store.js";
import { type AskRow, recipientsAt } from "./ask-rows.js";
import type { Value } from "./driver.js";
import { type InsertedAsk, recallInserted } from "./lately-inserted.js";
import type { ChangedRow, ChangeRequest } from "./operations.js";
import type { Transaction } from "./transaction.js";

// Looking and then writing is one step here, since a write transaction has the file for itself. It is also
// faster than RETURNING, which costs an update its shortest way.
const FIND = "SELECT position, everyone, deadline, overdue FROM asks WHERE id = ? AND status = 'pending'";
const EXISTS = "SELECT 1 FROM asks WHERE id = ?";
// The guards of the seam.
const PENDING = "WHERE position = ? AND status = 'pending'";
const SETTLE = `UPDATE asks SET status = ?, settled_at = ?, settlement_id = ?, outcome = ?, filed = 0 ${PENDING}`;
/** As {@link SETTLE}, of a row that is as it was inserted: for everyone, not overdue, with the same deadline. */
const SETTLE_UNCHANGED = `${SETTLE} AND id = ? AND everyone = 1 AND overdue = 0 AND deadline IS ?`;
const SETTLE_IF_DUE = `${SETTLE} AND deadline <= ?`;
const EXTEND = `UPDATE asks SET deadline = ?, leased_until = 0 ${PENDING} AND deadline < ?`;
const OVERDUE = `UPDATE asks SET overdue = 1 ${PENDING} AND overdue = 0 AND deadline <= ?`;
const MOVE_RECIPIENT =
  "UPDATE ask_recipients SET status = ? WHERE person = ? AND status = 'pending' AND position = ?";

type Found = Pick<AskRow, "position" | "deadline" | "overdue"> & { readonly everyone: number };

export function changeAsk(transaction: Transaction, request: ChangeRequest): ChangedRow | null | undefined {
  const { database, now } = transaction;
  const [id, kind, , , deadline, status] = request;
  const settled = settleUnchanged(transaction, request);
  if (settled !== undefined)
    return [settled.position, settled.deadline, 0, append(transaction, request), now];
  const found = database.sql(FIND).get<Found>(id);
  // Said now: an ask that is inserted right after, in the same commit, is there for whoever looks later.
  if (found === undefined) return database.sql(EXISTS).get(id) === undefined ? undefined : null;
  const { position, everyone } = found;
  if (!apply(transaction, request, position)) return null;
  if (kind === "settle" && everyone === 0) {
    for (const person of recipientsAt(database, position)) {
      database.sql(MOVE_RECIPIENT).run(status, person, position);
    }
  }
  return [
    position,
    kind === "extend" ? deadline : found.deadline,
    kind === "overdue" ? 1 : found.overdue,
    append(transaction, request),
    now,
  ];
}

/** Settles an ask that was inserted here lately; undefined where there is no such one, or it has changed since. */
function settleUnchanged({ database, now }: Transaction, request: ChangeRequest): InsertedAsk | undefined {
  const [id, kind, settlementId, ifDue, , status, json] = request;
  const ask = recallInserted(database, id);
  if (ask === undefined || kind !== "settle" || ifDue) return undefined;
  const { position, deadline } = ask;
  const { changes } = database
    .sql(SETTLE_UNCHANGED)
    .run(status, now, settlementId, json, position, id, deadline);
  return changes > 0 ? ask : undefined;
}

/** Writes the event, and what else is to be told; the event's position is the result. */
function append(transaction: Transaction, [id, , , , , , , type, data, entries]: ChangeRequest): number {
  const [event = 0] = transaction.append([{ log: EVENT_LOG, type, subject: id, data }]);
  if (entries.length > 0) transaction.append(entries);
  return event;
}

/** Whether the guard held and the change was made. */
function apply({ database, now }: Transaction, request: ChangeRequest, position: number): boolean {
  const [, kind, settlementId, ifDue, deadline, status, json] = request;
  switch (kind) {
    case "settle": {
      const values: readonly Value[] = [status, now, settlementId, json, position];
      return ifDue
        ? database.sql(SETTLE_IF_DUE).run(...values, now).changes > 0
        : database.sql(SETTLE).run(...values).changes > 0;
    }
    case "extend":
      return database.sql(EXTEND).run(deadline, position, deadline).changes > 0;
    case "overdue":
      return database.sql(OVERDUE).run(position, now).changes > 0;
  }
}
