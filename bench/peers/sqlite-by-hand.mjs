// The rows of one ask written to SQLite by hand: what is left for a durable store to be compared with.
// Two writes a cycle, each with its event: the ask, then its settlement, guarded as ours is. The same tables,
// indexes, settings and durability (WAL, synchronous=FULL) and the same group commit, but no parsing, no
// validation, nothing read back and nobody to wake.
import { join } from "node:path";
import { runAlone } from "../cycles.mjs";
import { groupCommit } from "../group-commit.mjs";
import { fourQuestions } from "../sample-ask.mjs";
import { openTables } from "../store-tables.mjs";
import { storedRows } from "../stored-rows.mjs";
import { temporaryFolder } from "../temporary-folder.mjs";

// Those of src/stores/sqlite/open-file.ts.
const SETTINGS = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA cache_size = -16000;
  PRAGMA temp_store = MEMORY;
  PRAGMA wal_autocheckpoint = 4000;
  PRAGMA journal_size_limit = 67108864;
`;

// That of src/stores/sqlite/file-asks.ts.
const FILE_EVERY = 512;

const STATEMENTS = {
  begin: "BEGIN IMMEDIATE",
  commit: "COMMIT",
  ask: `INSERT INTO asks (position, id, session, key, everyone, status, created_at, overdue, leased_until, filed)
    VALUES (?, ?, ?, ?, 1, 'pending', ?, 0, 0, 0)`,
  content: "INSERT INTO ask_contents (position, content) VALUES (?, ?)",
  settle: `UPDATE asks SET status = 'answered', settled_at = ?, settlement_id = ?, outcome = ?, filed = 0
    WHERE id = ? AND status = 'pending'`,
  event: "INSERT INTO log_entries (log, position, at, type, subject, data) VALUES ('events', ?, ?, ?, ?, ?)",
  file: "UPDATE asks SET filed = 1 WHERE filed = 0",
  head: "UPDATE logs SET head = ? WHERE log = 'events'",
};

export async function openSqliteByHand(sample = fourQuestions) {
  const rows = await storedRows(sample);
  const folder = temporaryFolder();
  const database = await openTables(join(folder.path, "by-hand.db"));
  database.exec(SETTINGS);
  database.exec("INSERT OR IGNORE INTO logs (log, first, head) VALUES ('events', 1, 0)");
  const { begin, commit, ask, content, settle, event, file, head } = Object.fromEntries(
    Object.entries(STATEMENTS).map(([name, sql]) => [name, database.prepare(sql)]),
  );
  // Nobody else writes here, so the head need not be read.
  let position = 0;
  let filed = 0;

  const write = groupCommit((writes) => {
    begin.run();
    try {
      for (const one of writes) one();
      if (position - filed >= FILE_EVERY) {
        file.run();
        filed = position;
      }
      head.run(position);
      commit.run();
    } catch (error) {
      database.exec("ROLLBACK");
      throw error;
    }
  });

  function insertAsk({ id, session, key, content: text }) {
    const at = Date.now();
    position += 1;
    ask.run(position, id, session, key, at);
    content.run(position, text);
    event.run(position, at, "ask.created", id, null);
  }

  function settleAsk({ id, settlementId, outcome, event: data }) {
    const at = Date.now();
    const { changes } = settle.run(at, settlementId, outcome, id);
    if (changes !== 1) throw new Error(`${id} was not pending`);
    position += 1;
    event.run(position, at, "ask.answered", id, data);
  }

  return {
    async cycle(id) {
      const asked = rows.asked(id);
      await write(() => insertAsk(asked));
      const settled = rows.settled(id);
      await write(() => settleAsk(settled));
    },
    async close() {
      database.close();
      folder.remove();
    },
  };
}

await runAlone(import.meta.url, "SQLite by hand", openSqliteByHand);
