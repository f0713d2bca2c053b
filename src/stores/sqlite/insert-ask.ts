import { EVENT_LOG } from "../../hub/store.js";
import { rememberInserted } from "./lately-inserted.js";
import type { InsertRequest, Written } from "./operations.js";
import type { Transaction } from "./transaction.js";

const INSERT = `
  INSERT INTO asks (position, id, session, key, agent_id, asker, everyone, status, created_at, deadline, overdue,
    leased_until, filed)
  VALUES (?, ?, ?, ?, ?, ?, ?, 'pending', ?, ?, ?, 0, 0)
  ON CONFLICT DO NOTHING`;
export const INSERT_CONTENT = "INSERT INTO ask_contents (position, content) VALUES (?, ?)";
const INSERT_RECIPIENT = "INSERT INTO ask_recipients (person, status, position) VALUES (?, 'pending', ?)";

export function insertAsk(transaction: Transaction, request: InsertRequest): Written | null {
  const { database, now } = transaction;
  const [id, session, key, agentId, asker, createdAt, deadline, overdue, json, recipients, entries] = request;
  const position = transaction.next(EVENT_LOG);
  const everyone = recipients.length === 0 ? 1 : 0;
  const stored = database
    .sql(INSERT)
    .run(position, id, session, key, agentId, asker, everyone, createdAt, deadline, overdue);
  if (stored.changes === 0) return null;
  database.sql(INSERT_CONTENT).run(position, json);
  if (everyone === 1 && overdue === 0) rememberInserted(database, id, { position, deadline });
  for (const person of recipients) database.sql(INSERT_RECIPIENT).run(person, position);
  transaction.append([{ log: EVENT_LOG, type: "ask.created", subject: id, data: null }]);
  if (entries.length > 0) transaction.append(entries);
  return [position, now];
}
