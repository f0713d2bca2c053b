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

  const insert = async (request: InsertRequest, ask: Ask): Promise<Inserted> => {
    for (;;) {
      const written = await connection.write("insert", request, ({ position, at }) => {
        rows.remember(position, ask, request.json.length);
        return { position, at, type: "ask.created", ask };
      });
      if (written !== null) return { kind: "created", ask };
      const there = await connection.readOn((database) => present(database, rows, request));
      // Otherwise it was in the way then, and has been removed since.
      if (there !== undefined) return there;
    }
  };

  return {
    async insert({ ask: given }, append = []) {
      const json = JSON.stringify(given);
      const ask = snapshot(given, json);
      return insert(insertRequest(ask, json, append), ask);
    },
    async change(id, change, append = []) {
      const { request, outcome, event } = toRequest(id, change, append);
      let ask: Ask | undefined;
      const changed = await connection.write("change", request, (result) => {
        ask = connection.readNow((database) => rows.toAsk(database, changedRow(request, result), outcome));
        if (outcome !== undefined) rows.ended(id);
        return ask && { position: result.event, at: result.at, ...event, ask };
      });
      if (changed === undefined) return undefined;
      if (changed === null) return connection.readOn((database) => asItStands(database, rows, request));
      const row = changedRow(request, changed);
      ask ??= await connection.readOn((database) => rows.toAsk(database, row, outcome));
      return ask && { applied: true, ask };
    },
    get: (id) =>
      connection.read((database) => {
        const row = database.sql(BY_ID).get<AskRow>(id);
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
  return {
    id: ask.id,
    session: ask.session,
    key: ask.key ?? null,
    agentId: ask.agentId ?? null,
    asker: ask.asker ?? null,
    recipients: ask.recipients.length === 0 ? [] : [...new Set(ask.recipients)],
    createdAt: ask.createdAt,
    deadline: ask.deadline ?? null,
    overdue: ask.overdue ? 1 : 0,
    json,
    entries: toEntryRows(append),
  };
}

/** What an insert found in its way: the same id first, then the same session and key. */
function present(database: Database, rows: AskRows, request: InsertRequest): Inserted | undefined {
  const again = database.sql(BY_ID).get<AskRow>(request.id);
  const stands = again && rows.toAsk(database, again);
  if (stands !== undefined) return { kind: "created", ask: stands };
  const other = database.sql(BY_KEY).get<AskRow>(request.session, request.key);
  const known = other && rows.toAsk(database, other);
  return known && { kind: "known", ask: known };
}

/** A change as it is when it is asked for, with what is to be stored as text. */
function toRequest(
  id: string,
  change: AskChange,
  append: readonly LogAppend[],
): {
  readonly request: ChangeRequest;
  readonly outcome?: Outcome;
  readonly event: Pick<Committed, "type" | "data">;
} {
  if (change.kind !== "settle") {
    const event = changeEvent(change);
    const more = { ...eventRow(event), entries: toEntryRows(append) };
    return { request: { id, change: { ...change }, status: "pending", json: null, ...more }, event };
  }
  const { kind, settlementId, ifDue = false } = change;
  const json = JSON.stringify(change.outcome);
  const outcome = snapshot(change.outcome, json);
  // Of the snapshot: it is told after the commit, when its owner may have changed the original.
  const event = changeEvent({ ...change, outcome });
  const more = { ...eventRow(event), entries: toEntryRows(append) };
  return {
    request: { id, change: { kind, settlementId, ifDue }, status: outcome.kind, json, ...more },
    outcome,
    event,
  };
}

function eventRow({ type, data }: Pick<Committed, "type" | "data">): Pick<ChangeRequest, "type" | "data"> {
  return { type, data: data === undefined ? null : JSON.stringify(data) };
}

/** The row as the change has left it. */
function changedRow({ id, change, status, json }: ChangeRequest, changed: ChangedRow): AskRow {
  return {
    id,
    position: changed.position,
    status,
    deadline: changed.deadline,
    overdue: changed.overdue,
    settled_at: change.kind === "settle" ? changed.at : null,
    outcome: json,
  };
}

function asItStands(database: Database, rows: AskRows, { id, change }: ChangeRequest): Changed | undefined {
  const row = database.sql(STANDS).get<AskRow & { readonly settlement_id: string | null }>(id);
  const ask = row && rows.toAsk(database, row);
  if (row === undefined || ask === undefined) return undefined;
  return { applied: change.kind === "settle" && row.settlement_id === change.settlementId, ask };
}
