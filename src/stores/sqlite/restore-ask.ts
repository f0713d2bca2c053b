import { EVENT_LOG } from "../../hub/store.js";
import { INSERT_CONTENT } from "./insert-ask.js";
import type { RestoreRequest } from "./operations.js";
import type { Transaction } from "./transaction.js";

const INSERT = `
  INSERT INTO asks (position, id, session, key, agent_id, asker, everyone, status, created_at, deadline, overdue,
    settled_at, leased_until, outcome, filed)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?, 1)
  ON CONFLICT DO NOTHING`;
const INSERT_RECIPIENT = "INSERT INTO ask_recipients (person, status, position) VALUES (?, ?, ?)";

/** Whether it was stored: not where its id, or its session and key, are there already. */
export function restoreAsk(transaction: Transaction, ask: RestoreRequest): boolean {
  const { database } = transaction;
  const position = transaction.next(EVENT_LOG);
  const stored = database
    .sql(INSERT)
    .run(
      ...[position, ask.id, ask.session, ask.key, ask.agentId, ask.asker],
      ...[ask.recipients.length === 0 ? 1 : 0, ask.status, ask.createdAt, ask.deadline, ask.overdue],
      ...[ask.settledAt, ask.outcome],
    );
  if (stored.changes === 0) return false;
  database.sql(INSERT_CONTENT).run(position, ask.content);
  for (const person of ask.recipients) database.sql(INSERT_RECIPIENT).run(person, ask.status, position);
  transaction.append(ask.entries);
  return true;
}
