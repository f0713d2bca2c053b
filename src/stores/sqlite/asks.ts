import type { Ask } from "../../core/index.js";
import { changeEvent } from "../../hub/change-event.js";
import { type AskChange, type AskStore, EVENT_LOG, type Inserted, type LogAppend } from "../../hub/store.js";
import { type ChangeRequest, changeAsk } from "./ask-changes.js";
import { ASK_COLUMNS, type AskRow, type AskRows, createAskRows, snapshot } from "./ask-rows.js";
import type { Connection } from "./connection.js";
import { claimDue, nextDeadline } from "./due.js";
import { listAsks } from "./lists.js";
import { toEntryRows } from "./logs.js";
import { prune } from "./prune.js";
import type { EntryRow, Transaction } from "./transaction.js";

const INSERT = `
  INSERT INTO asks (position, id, session, key, agent_id, asker, everyone, status, created_at, deadline, overdue,
    leased_until, content_hash, content)
  VALUES (?, ?, ?, ?, ?, ?, ?, 'pending', ?, ?, ?, 0, ?, ?)
  ON CONFLICT DO NOTHING`;
const INSERT_RECIPIENT = "INSERT INTO ask_recipients (person, status, position) VALUES (?, 'pending', ?)";
export const BY_ID: string = `SELECT ${ASK_COLUMNS} FROM asks WHERE id = ?`;
const BY_KEY = `SELECT ${ASK_COLUMNS}, content_hash FROM asks WHERE session = ? AND key = ?`;

export function createAsks(connection: Connection): AskStore {
  const rows = createAskRows();
  return {
    async insert({ ask: given, contentHash }, append = []) {
      const json = JSON.stringify(given);
      const ask = snapshot(given, json);
      const created: LogAppend = { log: EVENT_LOG, type: "ask.created", subject: ask.id };
      const entries = toEntryRows([created, ...append]);
      const { inserted, position } = await connection.write((transaction) =>
        insert(transaction, rows, ask, contentHash ?? null, json, entries),
      );
      if (position !== undefined) rows.remember(position, ask, json.length);
      return inserted;
    },
    async change(id, change, append = []) {
      const request = toRequest(id, change, append);
      return connection.write((transaction) => changeAsk(transaction, rows, request));
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
    claimDue: (limit, leaseMs) =>
      connection.write((transaction) => claimDue(transaction, rows, limit, leaseMs)),
    nextDeadline: () => connection.read(nextDeadline),
    prune: (settledBefore, limit, namespaces) =>
      prune(connection, rows, { settledBefore, limit, namespaces }),
  };
}

/** With a position where this call stored the ask. */
function insert(
  transaction: Transaction,
  rows: AskRows,
  ask: Ask,
  contentHash: string | null,
  json: string,
  entries: readonly EntryRow[],
): { readonly inserted: Inserted; readonly position?: number } {
  const { database } = transaction;
  const position = transaction.next(EVENT_LOG);
  const recipients = new Set(ask.recipients);
  const stored = database
    .sql(INSERT)
    .run(
      position,
      ask.id,
      ask.session,
      ask.key ?? null,
      ask.agentId ?? null,
      ask.asker ?? null,
      recipients.size === 0 ? 1 : 0,
      ask.createdAt,
      ask.deadline ?? null,
      ask.overdue ? 1 : 0,
      contentHash,
      json,
    );
  if (stored.changes === 0) return { inserted: present(transaction, rows, ask, contentHash) };
  for (const person of recipients) database.sql(INSERT_RECIPIENT).run(person, position);
  transaction.append(entries);
  return { inserted: { kind: "created", ask }, position };
}

/** What an insert found in its way: the same id first, then the same session and key. */
function present({ database }: Transaction, rows: AskRows, ask: Ask, contentHash: string | null): Inserted {
  const again = database.sql(BY_ID).get<AskRow>(ask.id);
  const stands = again && rows.toAsk(database, again);
  if (stands !== undefined) return { kind: "created", ask: stands };
  const known = database
    .sql(BY_KEY)
    .get<AskRow & { readonly content_hash: string | null }>(ask.session, ask.key ?? null);
  const other = known && rows.toAsk(database, known);
  if (known === undefined || other === undefined) {
    throw new Error(`ask ${ask.id} is refused by the store, though neither its id nor its key is known`);
  }
  return { kind: known.content_hash === contentHash ? "known" : "conflict", ask: other };
}

function toRequest(id: string, change: AskChange, append: readonly LogAppend[]): ChangeRequest {
  const entries = toEntryRows([{ log: EVENT_LOG, subject: id, ...changeEvent(change) }, ...append]);
  if (change.kind !== "settle") return { id, change: { ...change }, status: "pending", json: null, entries };
  const { kind, settlementId, ifDue = false } = change;
  const json = JSON.stringify(change.outcome);
  const outcome = snapshot(change.outcome, json);
  return {
    id,
    change: { kind, settlementId, ifDue },
    status: outcome.kind,
    outcome,
    json,
    entries,
  };
}
