// The schema, as numbered steps that only go forward. A step that was released is never edited.

export interface Migration {
  readonly version: number;
  /** The lowest version that a program must know to use the file afterwards. */
  readonly requires: number;
  readonly sql: string;
}

export const MIGRATIONS: readonly Migration[] = [
  {
    version: 1,
    requires: 1,
    sql: `
      CREATE TABLE meta (version INTEGER NOT NULL, requires INTEGER NOT NULL);
      INSERT INTO meta (version, requires) VALUES (0, 0);

      -- position is that of the ask's ask.created event: the order of creation, and never used again.
      -- Every index ends with it, as all indexes of SQLite end with the row's key.
      -- content is the ask as it was inserted; what can change has columns.
      CREATE TABLE asks (
        position INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        session TEXT NOT NULL,
        key TEXT,
        agent_id TEXT,
        asker TEXT,
        everyone INTEGER NOT NULL,
        status TEXT NOT NULL,
        created_at INTEGER NOT NULL,
        deadline INTEGER,
        overdue INTEGER NOT NULL,
        settled_at INTEGER,
        leased_until INTEGER NOT NULL,
        settlement_id TEXT,
        content_hash TEXT,
        outcome TEXT,
        content TEXT NOT NULL
      );
      CREATE UNIQUE INDEX asks_by_key ON asks (session, key) WHERE key IS NOT NULL;
      CREATE INDEX asks_by_status ON asks (everyone, status);
      CREATE INDEX asks_by_session ON asks (session, status);
      CREATE INDEX asks_by_agent ON asks (agent_id, status) WHERE agent_id IS NOT NULL;
      CREATE INDEX asks_by_asker ON asks (asker, status) WHERE asker IS NOT NULL;
      CREATE INDEX asks_by_deadline ON asks (deadline)
        WHERE status = 'pending' AND overdue = 0 AND deadline IS NOT NULL;
      CREATE INDEX asks_by_end ON asks (settled_at) WHERE settled_at IS NOT NULL;

      -- Only for asks that name their recipients (everyone = 0).
      CREATE TABLE ask_recipients (
        person TEXT NOT NULL,
        status TEXT NOT NULL,
        position INTEGER NOT NULL,
        PRIMARY KEY (person, status, position)
      ) WITHOUT ROWID;

      CREATE TABLE logs (
        log TEXT PRIMARY KEY,
        first INTEGER NOT NULL,
        head INTEGER NOT NULL
      ) WITHOUT ROWID;
      CREATE TABLE log_entries (
        log TEXT NOT NULL,
        position INTEGER NOT NULL,
        at INTEGER NOT NULL,
        type TEXT NOT NULL,
        subject TEXT,
        data TEXT,
        PRIMARY KEY (log, position)
      ) WITHOUT ROWID;
      CREATE INDEX log_entries_by_subject ON log_entries (subject, log, position) WHERE subject IS NOT NULL;

      CREATE TABLE records (
        namespace TEXT NOT NULL,
        key TEXT NOT NULL,
        value TEXT NOT NULL,
        version INTEGER NOT NULL,
        expires_at INTEGER,
        available_at INTEGER,
        PRIMARY KEY (namespace, key)
      ) WITHOUT ROWID;
      CREATE INDEX records_by_expiry ON records (expires_at) WHERE expires_at IS NOT NULL;
    `,
  },
  {
    // Whether two ask the same is told by what they ask, not by a hash of it.
    version: 2,
    requires: 2,
    sql: `
      ALTER TABLE asks DROP COLUMN content_hash;

      -- What is pending has indexes of its own. They are small and always at hand, whatever they are sorted by, and
      -- an ask comes into the large ones once, when it has ended, instead of being moved about in them.
      DROP INDEX asks_by_status;
      DROP INDEX asks_by_session;
      DROP INDEX asks_by_agent;
      DROP INDEX asks_by_asker;
      CREATE INDEX pending_asks ON asks (everyone, status) WHERE status = 'pending';
      CREATE INDEX pending_asks_by_session ON asks (session, status) WHERE status = 'pending';
      CREATE INDEX pending_asks_by_agent ON asks (agent_id, status)
        WHERE status = 'pending' AND agent_id IS NOT NULL;
      CREATE INDEX pending_asks_by_asker ON asks (asker, status) WHERE status = 'pending' AND asker IS NOT NULL;
      CREATE INDEX ended_asks ON asks (everyone, status) WHERE status <> 'pending';
      CREATE INDEX ended_asks_by_session ON asks (session, status) WHERE status <> 'pending';
      CREATE INDEX ended_asks_by_agent ON asks (agent_id, status)
        WHERE status <> 'pending' AND agent_id IS NOT NULL;
      CREATE INDEX ended_asks_by_asker ON asks (asker, status) WHERE status <> 'pending' AND asker IS NOT NULL;
    `,
  },
  {
    // What never changes about an ask is apart from what does, and asks come into most indexes many at a time: a
    // commit writes whole pages, so it costs less the fewer of them it touches.
    version: 3,
    requires: 3,
    sql: `
      -- Written once. A row of asks is then small, and a page holds many of them.
      CREATE TABLE ask_contents (position INTEGER PRIMARY KEY, content TEXT NOT NULL);
      INSERT INTO ask_contents (position, content) SELECT position, content FROM asks;
      ALTER TABLE asks DROP COLUMN content;

      -- Most indexes are sorted by what asks of the same time do not share. So an ask comes into them, and an ended
      -- one into those of the ended, some time later, with all the others; until then it is in a small one.
      DROP INDEX pending_asks;
      DROP INDEX pending_asks_by_session;
      DROP INDEX pending_asks_by_agent;
      DROP INDEX pending_asks_by_asker;
      DROP INDEX ended_asks;
      DROP INDEX ended_asks_by_session;
      DROP INDEX ended_asks_by_agent;
      DROP INDEX ended_asks_by_asker;
      DROP INDEX asks_by_end;
      ALTER TABLE asks ADD COLUMN filed INTEGER NOT NULL DEFAULT 1;
      -- filed comes last in their conditions: only there SQLite takes it from the index, and not from the row.
      CREATE INDEX unfiled_asks ON asks (status) WHERE filed = 0;
      CREATE INDEX pending_asks ON asks (everyone, status) WHERE status = 'pending' AND filed = 1;
      CREATE INDEX pending_asks_by_session ON asks (session, status) WHERE status = 'pending' AND filed = 1;
      CREATE INDEX pending_asks_by_agent ON asks (agent_id, status)
        WHERE status = 'pending' AND agent_id IS NOT NULL AND filed = 1;
      CREATE INDEX pending_asks_by_asker ON asks (asker, status)
        WHERE status = 'pending' AND asker IS NOT NULL AND filed = 1;
      CREATE INDEX ended_asks ON asks (everyone, status) WHERE status <> 'pending' AND filed = 1;
      CREATE INDEX ended_asks_by_session ON asks (session, status) WHERE status <> 'pending' AND filed = 1;
      CREATE INDEX ended_asks_by_agent ON asks (agent_id, status)
        WHERE status <> 'pending' AND agent_id IS NOT NULL AND filed = 1;
      CREATE INDEX ended_asks_by_asker ON asks (asker, status)
        WHERE status <> 'pending' AND asker IS NOT NULL AND filed = 1;
      CREATE INDEX ended_asks_by_end ON asks (settled_at) WHERE status <> 'pending' AND filed = 1;
    `,
  },
];
