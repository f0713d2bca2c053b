// The rows of one ask written to SQLite by hand: what is left for a durable store to be compared with.
// Two writes a cycle, each with its event: the ask, then its settlement, guarded as ours is. The same
// durability (WAL, synchronous=FULL) and the same group commit, but no savepoint for each write, no parsing,
// no validation and nobody to wake.
import { join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import { runAlone } from "../cycles.mjs";
import { groupCommit } from "../group-commit.mjs";
import { fourQuestions } from "../sample-ask.mjs";
import { temporaryFolder } from "../temporary-folder.mjs";

// The tables and indexes of our own SQLite store: keep them the same, or the comparison is not one.
const SCHEMA = `
  create table asks (
    number integer primary key,
    id text not null unique,
    session text not null,
    key text,
    status text not null,
    created_at integer not null,
    deadline integer,
    settled_at integer,
    settlement_id text,
    content text not null,
    outcome text
  );
  create unique index asks_by_key on asks (session, key) where key is not null;
  create index asks_by_status on asks (status, number);
  create index asks_by_session on asks (session, number);
  create index asks_by_deadline on asks (deadline) where status = 'pending' and deadline is not null;
  create table events (
    position integer primary key autoincrement,
    at integer not null,
    type text not null,
    subject text not null,
    data text
  );
  create index events_by_subject on events (subject, position);
`;

const STATEMENTS = {
  ask: `insert into asks (id, session, key, status, created_at, content) values (?, ?, ?, 'pending', ?, ?)`,
  settle: `update asks set status = 'answered', settled_at = ?, settlement_id = ?, outcome = ?
    where id = ? and status = 'pending'`,
  event: `insert into events (at, type, subject, data) values (?, ?, ?, ?)`,
};

export async function openSqliteByHand(sample = fourQuestions) {
  const folder = temporaryFolder();
  const database = new DatabaseSync(join(folder.path, "by-hand.db"));
  database.exec("pragma journal_mode = wal; pragma synchronous = full");
  database.exec(SCHEMA);
  const ask = database.prepare(STATEMENTS.ask);
  const settle = database.prepare(STATEMENTS.settle);
  const event = database.prepare(STATEMENTS.event);
  const begin = database.prepare("begin immediate");
  const commit = database.prepare("commit");

  const write = groupCommit((writes) => {
    begin.run();
    try {
      for (const one of writes) one();
      commit.run();
    } catch (error) {
      database.exec("rollback");
      throw error;
    }
  });

  function insertAsk(id) {
    const at = Date.now();
    ask.run(id, "bench", id, at, JSON.stringify(sample.ask));
    event.run(at, "ask.created", id, null);
  }

  function settleAsk(id) {
    const at = Date.now();
    const outcome = JSON.stringify({ kind: "answered", answers: sample.answers });
    const { changes } = settle.run(at, `settle-${id}`, outcome, id);
    if (changes !== 1) throw new Error(`${id} was not pending`);
    event.run(at, "ask.answered", id, outcome);
  }

  return {
    async cycle(id) {
      await write(() => insertAsk(id));
      await write(() => settleAsk(id));
    },
    async close() {
      database.close();
      folder.remove();
    },
  };
}

await runAlone(import.meta.url, "SQLite by hand", openSqliteByHand);
