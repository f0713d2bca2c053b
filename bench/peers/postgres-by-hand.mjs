// The rows of one ask written to PostgreSQL by hand: what is left for a durable store to be compared with.
// The writes of a turn go out as arrays in one statement, so a batch is one round trip and one commit.
// Positions have no gaps and appear in order, so whoever writes locks the log's head first, as ours does. No
// parsing, no validation, nothing read back and nobody to wake.
import pg from "pg";
import { runAlone } from "../cycles.mjs";
import { groupCommit } from "../group-commit.mjs";
import { startPostgres } from "../postgres.mjs";
import { fourQuestions } from "../sample-ask.mjs";
import { storedRows } from "../stored-rows.mjs";

// The tables and indexes of src/hub/stores/postgres/database/schema.ts, except those that no ask of the bench touches.
// Keep them the same, or the comparison is unfair.
const SCHEMA = `
  create table logs (
    log text collate "C" primary key,
    first bigint not null default 1,
    head bigint not null default 0
  );
  insert into logs (log) values ('events');
  create table log_entries (
    log text collate "C" not null,
    position bigint not null,
    at bigint not null,
    type text collate "C" not null,
    subject text collate "C",
    data text,
    write_id text collate "C",
    primary key (log, position)
  );
  create index log_entries_by_subject on log_entries (log, subject, position) where subject is not null;
  create unique index log_entries_by_write on log_entries (write_id, log) where write_id is not null;
  create table asks (
    position bigint primary key,
    id text collate "C" not null unique,
    session text collate "C" not null,
    key text collate "C",
    agent_id text collate "C",
    asker text collate "C",
    everyone boolean not null,
    status text collate "C" not null,
    created_at bigint not null,
    deadline bigint,
    overdue boolean not null default false,
    settled_at bigint,
    leased_until bigint not null default 0,
    settlement_id text collate "C",
    content text not null,
    outcome text
  );
  create unique index asks_by_key on asks (session, key) where key is not null;
  create index asks_by_status on asks (status, position);
  create index asks_for_everyone on asks (status, position) where everyone;
  create index asks_by_session on asks (session, status, position);
  create index asks_by_agent on asks (agent_id, status, position) where agent_id is not null;
  create index asks_by_asker on asks (asker, status, position) where asker is not null;
  create index asks_by_deadline on asks (deadline)
    where deadline is not null and status = 'pending' and not overdue;
  create index asks_by_settlement on asks (settled_at, position) where settled_at is not null;
`;

// An ask and its settlement never meet in one batch: whoever settles has been told that the ask is stored.
// `is true` keeps the guard from any index, so that the update finds its asks by their ids whatever the
// statistics say: planned while the table is small, it would read all that were ever pending.
const WRITE_BATCH = `
  with locked as materialized (
    select head from logs where log = 'events' for update
  ), input as materialized (
    select id, session, key, content, locked.head + number as position
    from unnest($1::text[], $2::text[], $3::text[], $4::text[]) with ordinality
      as input (id, session, key, content, number) cross join locked
  ), asked as (
    insert into asks (position, id, session, key, everyone, status, created_at, content)
    select position, id, session, key, true, 'pending', $9::bigint, content from input
    returning position, id
  ), settled as (
    update asks set status = 'answered', settlement_id = input.settlement_id, settled_at = $9::bigint,
      outcome = input.outcome
    from unnest($5::text[], $6::text[], $7::text[], $8::text[]) with ordinality
      as input (id, settlement_id, outcome, data, number) cross join locked
    where asks.id = input.id and (asks.status = 'pending') is true
    returning locked.head + cardinality($1::text[]) + input.number as position, asks.id, input.data
  ), logged as (
    insert into log_entries (log, position, at, type, subject, data)
    select 'events', position, $9::bigint, 'ask.created', id, null from asked
    union all
    select 'events', position, $9::bigint, 'ask.answered', id, data from settled
  ), moved as (
    update logs set head = head + cardinality($1::text[]) + cardinality($5::text[]) where log = 'events'
  )
  select (select count(*) from asked) + (select count(*) from settled) as written`;

export async function openPostgresByHand(sample = fourQuestions) {
  const rows = await storedRows(sample);
  const server = await startPostgres();
  const client = new pg.Client({ connectionString: server.url });
  try {
    await client.connect();
    await client.query(SCHEMA);
  } catch (error) {
    await server.close();
    throw error;
  }

  const write = groupCommit(async (writes) => {
    const asked = writes.flatMap((write) => write.asked ?? []);
    const settled = writes.flatMap((write) => write.settled ?? []);
    const result = await client.query({
      name: "write-batch",
      text: WRITE_BATCH,
      values: [
        ...columns(asked, ["id", "session", "key", "content"]),
        ...columns(settled, ["id", "settlementId", "outcome", "event"]),
        Date.now(),
      ],
    });
    const missing = writes.length - Number(result.rows[0].written);
    // The gap that this would leave is of no matter: the bench ends here.
    if (missing !== 0) throw new Error(`${missing} asks were not pending`);
  });

  return {
    async cycle(id) {
      await write({ asked: rows.asked(id) });
      await write({ settled: rows.settled(id) });
    },
    async close() {
      await client.end();
      await server.close();
    },
  };
}

function columns(rows, names) {
  return names.map((name) => rows.map((row) => row[name]));
}

await runAlone(import.meta.url, "PostgreSQL by hand", openPostgresByHand);
