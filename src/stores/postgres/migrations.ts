// The tables, as numbered steps that only ever go forward. A step that has been released is never changed.
// `requires` is the version that a program must know to work on the result: a program that knows less would
// damage it and must refuse.

import { RACED, WRITTEN_BEFORE } from "./errors.js";

export interface Migration {
  readonly version: number;
  readonly requires: number;
  /** Where `schema` is a quoted identifier. */
  sql(schema: string): string;
}

export const MIGRATIONS: readonly Migration[] = [
  { version: 1, requires: 1, sql: tables },
  // Whether two ask the same is told by what they ask, not by a hash of it.
  {
    version: 2,
    requires: 2,
    sql: (schema) => `alter table ${schema}.asks drop column content_hash`,
  },
];

/** The newest version that this program knows. */
export const LATEST: number = MIGRATIONS.at(-1)?.version ?? 0;

// All text that is compared is compared byte by byte: fast, and the same on every machine.
// Times are milliseconds since the epoch, by the store's clock. JSON is text: jsonb refuses \u0000.
function tables(schema: string): string {
  return `
create table ${schema}.logs (
  log text collate "C" primary key,
  first bigint not null default 1,
  head bigint not null default 0,
  constraint ${RACED} check (head >= 0)
);
insert into ${schema}.logs (log) values ('events');

create table ${schema}.log_entries (
  log text collate "C" not null,
  position bigint not null,
  at bigint not null,
  type text collate "C" not null,
  subject text collate "C",
  data text,
  write_id text collate "C",
  primary key (log, position)
);
create index log_entries_by_subject on ${schema}.log_entries (log, subject, position) where subject is not null;
-- On the first entry of an append in each log: an append that is tried again is recognised by it.
create unique index ${WRITTEN_BEFORE} on ${schema}.log_entries (write_id, log) where write_id is not null;

create table ${schema}.asks (
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
  content_hash text collate "C",
  content text not null,
  outcome text
);
create unique index asks_by_key on ${schema}.asks (session, key) where key is not null;
create index asks_by_status on ${schema}.asks (status, position);
create index asks_for_everyone on ${schema}.asks (status, position) where everyone;
create index asks_by_session on ${schema}.asks (session, status, position);
create index asks_by_agent on ${schema}.asks (agent_id, status, position) where agent_id is not null;
create index asks_by_asker on ${schema}.asks (asker, status, position) where asker is not null;
create index asks_by_deadline on ${schema}.asks (deadline)
  where deadline is not null and status = 'pending' and not overdue;
create index asks_by_settlement on ${schema}.asks (settled_at, position) where settled_at is not null;

create table ${schema}.ask_recipients (
  position bigint not null,
  person text collate "C" not null,
  status text collate "C" not null,
  primary key (position, person)
);
create index ask_recipients_by_person on ${schema}.ask_recipients (person, status, position);

-- A deleted record stays for a while without a value: a delete that is tried again is recognised by it.
create table ${schema}.records (
  namespace text collate "C" not null,
  key text collate "C" not null,
  value text,
  version bigint not null,
  expires_at bigint,
  available_at bigint,
  write_id text collate "C" not null,
  primary key (namespace, key)
);
create index records_by_expiry on ${schema}.records (expires_at) where expires_at is not null;
`;
}
