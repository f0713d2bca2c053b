// Rows of a database of Askline, read by SQL and nothing else.

import { DatabaseSync } from "@photostructure/sqlite";
import pg from "pg";

const PAGE = 5_000;
const ASK = "position, id, session, key, status, deadline, settled_at, outcome, content";
const EVENT = "position, type, subject, data";

/** `{ asks(), events(), close() }`: rows in the order of their positions. A path, or a URL of PostgreSQL. */
export async function openDatabase(name) {
  return name.startsWith("postgres") ? openPostgres(name) : openSqlite(name);
}

function openSqlite(path) {
  const database = new DatabaseSync(path, { readOnly: true });
  return {
    asks: () =>
      pages((after) =>
        database
          .prepare(`SELECT ${ASK} FROM asks WHERE position > ? ORDER BY position LIMIT ${PAGE}`)
          .all(after),
      ),
    events: () =>
      pages((after) =>
        database
          .prepare(
            `SELECT ${EVENT} FROM log_entries WHERE log = 'events' AND position > ? ORDER BY position LIMIT ${PAGE}`,
          )
          .all(after),
      ),
    close: async () => database.close(),
  };
}

async function openPostgres(url) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const query = async (text, after) => (await client.query(text, [after])).rows.map(withNumbers);
  return {
    asks: () =>
      pages((after) =>
        query(`select ${ASK} from askline.asks where position > $1 order by position limit ${PAGE}`, after),
      ),
    events: () =>
      pages((after) =>
        query(
          `select ${EVENT} from askline.log_entries where log = 'events' and position > $1 order by position limit ${PAGE}`,
          after,
        ),
      ),
    close: () => client.end(),
  };
}

/** The driver gives 64-bit numbers as text. */
function withNumbers(row) {
  const number = (value) => (value === null || value === undefined ? value : Number(value));
  return {
    ...row,
    position: Number(row.position),
    deadline: number(row.deadline),
    settled_at: number(row.settled_at),
  };
}

async function* pages(read) {
  for (let after = 0; ; ) {
    const rows = await read(after);
    yield* rows;
    if (rows.length < PAGE) return;
    after = rows.at(-1).position;
  }
}
