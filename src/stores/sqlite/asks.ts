import type { Ask, Outcome } from "../../core/index.js";
import { changeEvent } from "../../hub/change-event.js";
import type { AskChange, AskStore, Changed, Committed, Inserted, LogAppend } from "../../hub/store.js";
import { ASK_COLUMNS, type AskRow, type AskRows, createAskRows, snapshot } from "./ask-rows.js";
import { type Connection, inSnapshot } from "./connection.js";
import type { Database } from "./driver.js";
import { nextDeadline } from "./due.js";
import { listAsks } from "./lists.js";
import { toEntryRows } from "./logs.js";
import type { ChangedRow, ChangeRequest, InsertRequest } from "./operations.js";
import { pendingSummary } from "./pending.js";
import { isLast } from "./prune.js";
import { countSettled, restore } from "./restore.js";

export const BY_ID: string = `SELECT ${ASK_COLUMNS} FROM asks WHERE id = ?`;
const BY_KEY = `SELECT ${ASK_COLUMNS} FROM asks WHERE session = ? AND key = ?`;
const STANDS = `SELECT ${ASK_COLUMNS}, settlement_id FROM asks WHERE id = ?`;

export function createAsks(connection: Connection): AskStore {
  const rows = createAskRows();

  return {
    async insert({ ask: given }, append = []) {
      const json = JSON.stringify(given);
      const ask = snapshot(given, json);
      const request = insertRequest(ask, json, append);
      for (;;) {
        const written = await connection.write("insert", request, ([position, at]) => {
          rows.remember(position, ask, json.length);
          return { position, at, type: "ask.created", ask };
        });
        if (written !== null) return { kind: "created", ask };
        const there = await connection.readOn((database) => present(database, rows, ask));
        // Otherwise it was in the way then, and has been removed since.
        if (there !== undefined) return there;
      }
    },
    async change(id, change, append = []) {
      const { request, outcome, event } = toRequest(id, change, append);
      let ask: Ask | undefined;
      const changed = await connection.write("change", request, (result) => {
        const row = changedRow(request, result);
        ask = connection.readNow((database) => rows.toAsk(database, row, outcome));
        if (outcome !== undefined) rows.ended(id);
        return ask && committed(result, event, ask);
      });
      if (changed === undefined) return undefined;
      if (changed === null) return connection.readOn((database) => asItStands(database, rows, request));
      ask ??= await connection.readOn((database) =>
        rows.toAsk(database, changedRow(request, changed), outcome),
      );
      return ask && { applied: true, ask };
    },
    get: (id) =>
      connection.read((database) => {
        const row = database.sql(BY_ID).get<AskRow>(id);
        return row && rows.toAsk(database, row);
      }),
    getByKey: (session, key) =>
      connection.read((database) => {
        const row = database.sql(BY_KEY).get<AskRow>(session, key);
        return row && rows.toAsk(database, row);
      }),
    getMany: (ids) =>
      connection.read((database) =>
        [...new Set(ids)].flatMap((id) => {
          const row = database.sql(BY_ID).get<AskRow>(id);
          return (row && rows.toAsk(database, row)) ?? [];
        }),
      ),
    list: (query) => connection.read((database) => listAsks(database, rows, query)),
    async claimDue(limit, leaseMs) {
      const due = await connection.write("claimDue", { limit, leaseMs });
      if (due.length === 0) return [];
      return connection.readOn((database) => due.flatMap((row) => rows.toAsk(database, row) ?? []));
    },
    nextDeadline: () => connection.read(nextDeadline),
    pendingSummary: () => connection.read((database) => inSnapshot(database, () => pendingSummary(database))),
    async prune(settledBefore, limit, namespaces) {
      let pruned = 0;
      for (;;) {
        const left = limit - pruned;
        const part = await connection.write("prune", { settledBefore, limit: left, namespaces });
        pruned += part.asks;
        if (isLast(part, left)) return pruned;
      }
    },
    countSettled: (before) => countSettled(connection, before),
    restore: (restored) => restore(connection, rows, restored),
  };
}

function insertRequest(ask: Ask, json: string, append: readonly LogAppend[]): InsertRequest {
  const { id, session, key = null, agentId = null, asker = null, createdAt, deadline = null } = ask;
  const recipients = ask.recipients.length === 0 ? [] : [...new Set(ask.recipients)];
  const overdue = ask.overdue ? 1 : 0;
  const entries = toEntryRows(append);
  return [id, session, key, agentId, asker, createdAt, deadline, overdue, json, recipients, entries];
}

/** What an insert found in its way: the same id first, then the same session and key. */
function present(database: Database, rows: AskRows, ask: Ask): Inserted | undefined {
  const again = database.sql(BY_ID).get<AskRow>(ask.id);
  const stands = again && rows.toAsk(database, again);
  if (stands !== undefined) return { kind: "created", ask: stands };
  const other = database.sql(BY_KEY).get<AskRow>(ask.session, ask.key ?? null);
  const known = other && rows.toAsk(database, other);
  return known && { kind: "known", ask: known };
}

type ChangeEvent = Pick<Committed, "type" | "data">;

/** A change as it is when it is asked for, with what is to be stored as text. */
function toRequest(
  id: string,
  change: AskChange,
  append: readonly LogAppend[],
): { readonly request: ChangeRequest; readonly outcome?: Outcome; readonly event: ChangeEvent } {
  const entries = toEntryRows(append);
  if (change.kind !== "settle") {
    const event = changeEvent(change);
    const deadline = change.kind === "extend" ? change.deadline : null;
    const { type, data } = eventRow(event);
    return {
      request: [id, change.kind, null, false, deadline, "pending", null, type, data, entries],
      event,
    };
  }
  const { kind, settlementId, ifDue = false } = change;
  const json = JSON.stringify(change.outcome);
  const outcome = snapshot(change.outcome, json);
  // Of the snapshot: it is told after the commit, when its owner may have changed the original.
  const event = changeEvent(outcome === change.outcome ? change : { ...change, outcome });
  const { type, data } = eventRow(event);
  return {
    request: [id, kind, settlementId, ifDue, null, outcome.kind, json, type, data, entries],
    outcome,
    event,
  };
}

function eventRow({ type, data }: ChangeEvent): { readonly type: string; readonly data: string | null } {
  return { type, data: data === undefined ? null : JSON.stringify(data) };
}

function committed([, , , position, at]: ChangedRow, { type, data }: ChangeEvent, ask: Ask): Committed {
  return data === undefined ? { position, at, type, ask } : { position, at, type, data, ask };
}

/** The row as the change has left it. */
function changedRow(
  [id, kind, , , , status, json]: ChangeRequest,
  [position, deadline, overdue, , at]: ChangedRow,
): AskRow {
  return {
    id,
    position,
    status,
    deadline,
    overdue,
    settled_at: kind === "settle" ? at : null,
    outcome: json,
  };
}

function asItStands(
  database: Database,
  rows: AskRows,
  [id, kind, settlementId]: ChangeRequest,
): Changed | undefined {
  const row = database.sql(STANDS).get<AskRow & { readonly settlement_id: string | null }>(id);
  const ask = row && rows.toAsk(database, row);
  if (row === undefined || ask === undefined) return undefined;
  return { applied: kind === "settle" && row.settlement_id === settlementId, ask };
}
