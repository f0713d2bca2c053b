// An SQLite store with many asks in it, written in one go: asking for a million of them would take minutes.
import { openTables } from "./store-tables.mjs";
import { storedRows } from "./stored-rows.mjs";

/**
 * Makes the file of a store that holds `settled` asks that were answered, and after them `pending` ones, all
 * with their events, in the session `filled` under random keys.
 */
export async function fillStore(path, sample, { settled = 0, pending = 0 }) {
  const database = await openTables(path);
  if (settled + pending === 0) return database.close();
  const rows = await storedRows(sample);
  const { content } = rows.asked("bench");
  const { outcome, event } = rows.settled("bench");
  const at = Date.now() - 86_400_000;
  const last = 2 * settled + pending;
  try {
    // A file that is lost when the machine stops is made again.
    database.exec("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -400000; BEGIN");
    // An ask has the position of its first event, and an answered one has two.
    const numbers = `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?)`;
    const id = "'ask_' || printf('%036d', n)";
    const insert = `
      INSERT INTO asks (position, id, session, key, everyone, status, created_at, overdue, settled_at,
        leased_until, settlement_id, outcome, content) ${numbers}`;
    const key = "'key_' || lower(hex(randomblob(16)))";
    if (settled > 0) {
      database
        .prepare(
          `${insert} SELECT 2 * n - 1, ${id}, 'filled', ${key}, 1, 'answered', ?, 0, ? + n / 100, 0,
            'settlement_' || printf('%036d', n), ?, ? FROM numbers`,
        )
        .run(settled, at, at, outcome, content);
    }
    if (pending > 0) {
      database
        .prepare(
          `${insert} SELECT ${2 * settled} + n, 'ask_' || printf('%036d', ${settled} + n), 'filled', ${key}, 1,
            'pending', ?, 0, NULL, 0, NULL, NULL, ? FROM numbers`,
        )
        .run(pending, at, content);
    }
    database
      .prepare(
        `INSERT INTO log_entries (log, position, at, type, subject, data) ${numbers}
        SELECT 'events', n, ?, iif(n <= ${2 * settled} AND n % 2 = 0, 'ask.answered', 'ask.created'),
          'ask_' || printf('%036d', iif(n <= ${2 * settled}, (n + 1) / 2, n - ${settled})),
          iif(n <= ${2 * settled} AND n % 2 = 0, ?, NULL) FROM numbers`,
      )
      .run(last, at, event);
    database.prepare("INSERT OR REPLACE INTO logs (log, first, head) VALUES ('events', 1, ?)").run(last);
    database.exec("COMMIT; PRAGMA journal_mode = WAL");
  } finally {
    database.close();
  }
}
