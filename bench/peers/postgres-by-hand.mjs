// The rows of one ask written to PostgreSQL by hand: what is left for a durable store to be compared with.
// The writes of a turn go out as arrays in one statement, so a batch is one round trip and one commit. No
// parsing, no validation and nobody to wake.
import pg from "pg";
import { runAlone } from "../cycles.mjs";
import { groupCommit } from "../group-commit.mjs";
import { startPostgres } from "../postgres.mjs";
import { fourQuestions } from "../sample-ask.mjs";

// The tables and indexes of our own PostgreSQL store: keep them the same, or the comparison is not one.
const SCHEMA = `
  create table asks (
    number bigint generated always as identity primary key,
    id text not null unique,
    session text not null,
    key text,
    status text not null,
    created_at bigint not null,
    deadline bigint,
    settled_at bigint,
    settlement_id text,
    content jsonb not null,
    outcome jsonb
  );
  create unique index asks_by_key on asks (session, key) where key is not null;
  create index asks_by_status on asks (status, number);
  create index asks_by_session on asks (session, number);
  create index asks_by_deadline on asks (deadline) where status = 'pending' and deadline is not null;
  create table events (
    position bigint generated always as identity primary key,
    at bigint not null,
    type text not null,
    subject text not null,
    data jsonb
  );
  create index events_by_subject on events (subject, position);
`;

// An ask and its settlement never meet in one batch: whoever settles has been told that the ask is stored.
//
// The update must find its rows by id whatever the statistics say. A join with unnest does not: planned while
// the table is small it reads the whole table, or all that were ever pending, and slows down as asks pile up.
// Hence `any`, a status that no index can serve, and no sequential scans on this connection.
const WRITE_BATCH = `
  with asked as (
    insert into asks (id, session, key, status, created_at, content)
    select id, 'bench', id, 'pending', at, content
    from unnest($1::text[], $2::bigint[], $3::jsonb[]) as batch (id, at, content)
    returning id, created_at
  ), settled as (
    update asks set status = 'answered', settlement_id = 'settle-' || id,
      settled_at = ($5::bigint[])[array_position($4::text[], id)],
      outcome = ($6::jsonb[])[array_position($4::text[], id)]
    where id = any ($4::text[]) and status || '' = 'pending'
    returning id, settled_at, outcome
  )
  insert into events (at, type, subject, data)
  select created_at, 'ask.created', id, null::jsonb from asked
  union all
  select settled_at, 'ask.answered', id, outcome from settled`;

export async function openPostgresByHand(sample = fourQuestions) {
  const server = await startPostgres();
  const client = new pg.Client({ connectionString: server.url, options: "-c enable_seqscan=off" });
  try {
    await client.connect();
    await client.query(SCHEMA);
  } catch (error) {
    await server.close();
    throw error;
  }

  const write = groupCommit(async (writes) => {
    const asked = writes.filter(({ kind }) => kind === "ask");
    const settled = writes.filter(({ kind }) => kind === "settle");
    const { rowCount } = await client.query({
      name: "write-batch",
      text: WRITE_BATCH,
      values: [...columnsOf(asked), ...columnsOf(settled)],
    });
    if (rowCount !== writes.length) throw new Error(`${writes.length - rowCount} asks were not pending`);
  });

  return {
    async cycle(id) {
      await write({ kind: "ask", id, at: Date.now(), document: JSON.stringify(sample.ask) });
      const outcome = JSON.stringify({ kind: "answered", answers: sample.answers });
      await write({ kind: "settle", id, at: Date.now(), document: outcome });
    },
    async close() {
      await client.end();
      await server.close();
    },
  };
}

function columnsOf(writes) {
  return [writes.map(({ id }) => id), writes.map(({ at }) => at), writes.map(({ document }) => document)];
}

await runAlone(import.meta.url, "PostgreSQL by hand", openPostgresByHand);
