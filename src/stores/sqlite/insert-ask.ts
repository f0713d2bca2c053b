import { EVENT_LOG } from "../../hub/store.js";
import type { InsertRequest, Written } from "./operations.js";
import type { Transaction } from "./transaction.js";

const INSERT = `
  INSERT INTO asks (position, id, session, key, agent_id, asker, everyone, status, created_at, deadline, overdue,
    leased_until, content)
  VALUES (?, ?, ?, ?, ?, ?, ?, 'pending', ?, ?, ?, 0, ?)
  ON CONFLICT DO NOTHING`;
const INSERT_RECIPIENT = "INSERT INTO ask_recipients (person, status, position) VALUES (?, 'pending', ?)";

export function insertAsk(transaction: Transaction, ask: InsertRequest): Written | null {
  const { database, now } = transaction;
  const position = transaction.next(EVENT_LOG);
  const stored = database
    .sql(INSERT)
    .run(
      position,
      ask.id,
      ask.session,
      ask.key,
      ask.agentId,
      ask.asker,
      ask.recipients.length === 0 ? 1 : 0,
      ask.createdAt,
      ask.deadline,
      ask.overdue,
      ask.json,
    );
  if (stored.changes === 0) return null;
  for (const person of ask.recipients) database.sql(INSERT_RECIPIENT).run(person, position);
  transaction.append([{ log: EVENT_LOG, type: "ask.created", subject: ask.id, data: null }]);
  if (ask.entries.length > 0) transaction.append(ask.entries);
  return { position, at: now };
}
