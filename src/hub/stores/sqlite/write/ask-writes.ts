// Writes to asks. A write transaction holds the only write lock, so a read followed by a write is atomic. Each write
// returns the current row, so that callers need not read it again.

import type { Ask, AskStatus } from "../../../../core/model/ask.js";
import { type AskChange, EVENT_LOG } from "../../../seam/store.js";
import type { ShortAskRow } from "../../shared/contents.js";
import type { AskRow, NewEntryRow } from "../../shared/rows.js";
import type { Database, Value } from "../file/driver.js";
import { matchesRecord, type PutRequest, putRecord } from "./record-writes.js";
import type { Transaction } from "./transaction.js";

const STATE_COLUMNS = "position, id, status, deadline, overdue, settled_at, outcome, added";
export const ASK_COLUMNS: string = `${STATE_COLUMNS}, content`;
/** Leaves out the content of the ask whose position is the first parameter. */
const SHORT_COLUMNS = `${STATE_COLUMNS}, iif(position = ?, NULL, content) AS content`;
// Must equal the expression in asks_by_key, or SQLite does not use that index.
const ASKER = "coalesce(asker, '')";
export const BY_ID: string = `SELECT ${SHORT_COLUMNS} FROM asks WHERE id = ?`;
export const BY_KEY: string = `SELECT ${ASK_COLUMNS} FROM asks WHERE ${ASKER} = ? AND session = ? AND key = ?`;
const KEY_USES = `SELECT id, session, key FROM asks WHERE ${ASKER} = ? AND key = ?`;
export const KEY_USES_ANYWHERE: string = `${KEY_USES} LIMIT ?`;
export const KEY_USES_IN_SESSION: string = `${KEY_USES} AND session = ? LIMIT ?`;

const INSERT = `
  INSERT INTO asks (position, id, session, key, agent_id, asker, everyone, status, created_at, deadline, overdue,
    settled_at, leased_until, outcome, content)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?, ?)
  ON CONFLICT DO NOTHING`;
const INSERT_RECIPIENT = "INSERT INTO ask_recipients (person, status, position) VALUES (?, ?, ?)";

/** An ask that is new to this store: just created, or restored from another store. */
export interface InsertRequest {
  readonly id: string;
  readonly session: string;
  readonly key: string | null;
  readonly agentId: string | null;
  readonly asker: string | null;
  /** Without duplicates. */
  readonly recipients: readonly string[];
  readonly status: AskStatus;
  readonly createdAt: number;
  readonly deadline: number | null;
  readonly overdue: boolean;
  readonly settledAt: number | null;
  readonly outcome: string | null;
  readonly content: string;
  /** The first entry is the ask's `ask.created` event. */
  readonly entries: readonly NewEntryRow[];
}

export type InsertResult =
  /** The position and time of its first event. */
  | { readonly kind: "inserted"; readonly position: number; readonly at: number }
  /** The existing ask with the same id, or else with the same asker, session and key. */
  | { readonly kind: "present"; readonly row: AskRow };

export function insertAsk(transaction: Transaction, ask: InsertRequest): InsertResult {
  const { database, now } = transaction;
  const { id, session, key, status, recipients } = ask;
  const position = transaction.next(EVENT_LOG);
  const stored = database
    .sql(INSERT)
    .run(
      ...[position, id, session, key, ask.agentId, ask.asker, recipients.length === 0 ? 1 : 0, status],
      ...[ask.createdAt, ask.deadline, ask.overdue ? 1 : 0, ask.settledAt, ask.outcome, ask.content],
    );
  if (stored.changes === 0) {
    const row =
      database.sql(BY_ID).get<AskRow>(null, id) ??
      database.sql(BY_KEY).get<AskRow>(ask.asker ?? "", session, key);
    if (row === undefined) throw new Error(`the position ${position} is taken: the event log is not whole`);
    return { kind: "present", row };
  }
  for (const person of recipients) database.sql(INSERT_RECIPIENT).run(person, status, position);
  transaction.append(ask.entries);
  return { kind: "inserted", position, at: now };
}

const RELEASE_KEY = "UPDATE asks SET key = NULL WHERE id = ? AND status <> 'pending'";

export function releaseKey({ database }: Transaction, id: string): void {
  database.sql(RELEASE_KEY).run(id);
}

// The WHERE clauses are the guards that `AskStore.change` promises.
const PENDING = "WHERE id = ? AND status = 'pending'";
const SETTLE = `UPDATE asks SET status = ?, settled_at = ?, settlement_id = ?, outcome = ? ${PENDING}`;
const SETTLE_IN_TIME = `${SETTLE} AND (deadline IS NULL OR deadline > ?)`;
const SETTLE_WHEN_DUE = `${SETTLE} AND deadline <= ?`;
const EXTEND = `UPDATE asks SET deadline = ?, leased_until = 0 ${PENDING} AND deadline < ?`;
const EXTEND_IN_TIME = `${EXTEND} AND deadline > ?`;
const OVERDUE = `UPDATE asks SET overdue = 1 ${PENDING} AND overdue = 0 AND deadline <= ?`;
const CURRENT = `SELECT ${SHORT_COLUMNS}, everyone, settlement_id FROM asks WHERE id = ?`;
const CONTENT = "SELECT content FROM asks WHERE position = ?";
const ADD_RECIPIENTS = `UPDATE asks SET added = ? ${PENDING}`;
const RECIPIENTS = "SELECT position, everyone, added, content FROM asks WHERE id = ? AND status = 'pending'";
const MOVE_RECIPIENT =
  "UPDATE ask_recipients SET status = ? WHERE person = ? AND status = 'pending' AND position = ?";

type Settle = Extract<AskChange, { readonly kind: "settle" }>;

export interface ChangeRequest {
  readonly id: string;
  /** The change, with its outcome as JSON. */
  readonly change:
    | Exclude<AskChange, Settle>
    | (Omit<Settle, "outcome"> & { readonly status: AskStatus; readonly outcome: string });
  /** The position of the content that the caller already has; the result leaves that content out. */
  readonly kept: number | null;
  /** The first entry is the event of the change. */
  readonly entries: readonly NewEntryRow[];
  /** Written with the change. Absent if there are none. */
  readonly records?: readonly PutRequest[];
}

export interface ChangeResult {
  /** Whether this call, or an earlier try of it, made the change. */
  readonly applied: boolean;
  /** The position and time of the event; absent if this call changed nothing. */
  readonly event?: { readonly position: number; readonly at: number };
  readonly row: ShortAskRow;
}

type CurrentRow = ShortAskRow & { readonly everyone: number; readonly settlement_id: string | null };

/** Returns undefined if the ask does not exist. */
export function changeAsk(
  transaction: Transaction,
  { id, change, kept, entries, records = [] }: ChangeRequest,
): ChangeResult | undefined {
  const { database, now } = transaction;
  const made = records.every((put) => matchesRecord(transaction, put)) && apply(transaction, id, change);
  const current = database.sql(CURRENT).get<CurrentRow>(kept, id);
  if (current === undefined) return undefined;
  const { everyone, settlement_id, ...row } = current;
  const isSettle = change.kind === "settle";
  if (!made) return { applied: isSettle && settlement_id === change.settlementId, row };
  if (isSettle && everyone === 0) {
    const { content } = database.sql(CONTENT).get<Pick<AskRow, "content">>(row.position) ?? { content: "{}" };
    for (const person of recipientsIn(content, row.added)) {
      database.sql(MOVE_RECIPIENT).run(row.status, person, row.position);
    }
  }
  for (const put of records) putRecord(transaction, put);
  const [position = 0] = transaction.append(entries);
  return { applied: true, event: { position, at: now }, row };
}

/** Whether the guard held and the change was made. */
function apply({ database, now }: Transaction, id: string, change: ChangeRequest["change"]): boolean {
  const run = (sql: string, ...values: readonly Value[]): boolean =>
    database.sql(sql).run(...values).changes > 0;
  switch (change.kind) {
    case "settle": {
      const values = [change.status, now, change.settlementId, change.outcome, id];
      if (change.when === "anytime") return run(SETTLE, ...values);
      return run(change.when === "due" ? SETTLE_WHEN_DUE : SETTLE_IN_TIME, ...values, now);
    }
    case "extend":
      return change.when === "anytime"
        ? run(EXTEND, change.deadline, id, change.deadline)
        : run(EXTEND_IN_TIME, change.deadline, id, change.deadline, now);
    case "overdue":
      return run(OVERDUE, id, now);
    case "escalate":
      return escalate(database, id, change.to);
  }
}

function escalate(database: Database, id: string, to: readonly string[]): boolean {
  const row = database
    .sql(RECIPIENTS)
    .get<Pick<AskRow, "position" | "added" | "content"> & { readonly everyone: number }>(id);
  if (row === undefined || row.everyone !== 0) return false;
  const known = recipientsIn(row.content, row.added);
  const fresh = [...new Set(to)].filter((person) => !known.has(person));
  if (fresh.length === 0) return false;
  const added = [...(JSON.parse(row.added ?? "[]") as readonly string[]), ...fresh];
  database.sql(ADD_RECIPIENTS).run(JSON.stringify(added), id);
  for (const person of fresh) database.sql(INSERT_RECIPIENT).run(person, "pending", row.position);
  return true;
}

/** The people that an ask names as recipients, and those that were added later. */
export function recipientsIn(content: string, added: string | null): ReadonlySet<string> {
  const { recipients } = JSON.parse(content) as Pick<Ask, "recipients">;
  return new Set([...recipients, ...(JSON.parse(added ?? "[]") as readonly string[])]);
}

// Must equal the condition of asks_by_deadline, or SQLite does not use that index.
const HAS_DEADLINE = "status = 'pending' AND overdue = 0 AND deadline IS NOT NULL";
export const DUE: string = `
  SELECT ${ASK_COLUMNS} FROM asks WHERE ${HAS_DEADLINE} AND deadline <= ? AND leased_until <= ?
  ORDER BY deadline, position LIMIT ?`;
export const NEXT_DEADLINE: string = `SELECT deadline FROM asks WHERE ${HAS_DEADLINE} ORDER BY deadline LIMIT 1`;
const LEASE = "UPDATE asks SET leased_until = ? WHERE position = ?";

export function claimDue(
  { database, now }: Transaction,
  { limit, leaseMs }: { readonly limit: number; readonly leaseMs: number },
): readonly AskRow[] {
  const due = database.sql(DUE).all<AskRow>(now, now, Math.max(0, limit));
  for (const { position } of due) database.sql(LEASE).run(now + leaseMs, position);
  return due;
}
