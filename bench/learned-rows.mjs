// What our SQLite store writes for an ask and for its answer, learned from the store itself: a hub asks and answers,
// and what that changed in the tables is the pattern. So rows that are written by hand follow every change of the
// schema.
import { importAskline, importDependency } from "./askline.mjs";

const SESSION = "bench";
const by = { kind: "person", id: "ana", surface: "bench" };
const DIGITS = 12;
// Times are milliseconds since the epoch; any other number that differs from ask to ask is a position.
const LEAST_TIME = 1e12;

/**
 * Makes the file of a store at `path` and opens it with the store's own copy of SQLite. Returns the `database`, the
 * last `position` of its log, and the `asked` and `settled` steps, each `{ write, finish }`: `write(values)` writes
 * the rows of one ask, where `values` are `{ n, asked, settled, now }`: a number of its own, the positions of its two
 * events, and the time. `finish(values)` writes what changes once for a whole batch.
 */
export async function learnRows(path, sample) {
  const { createHub } = await importAskline("./hub");
  const { sqliteStore } = await importAskline("./sqlite");
  const { DatabaseSync } = await importDependency("@photostructure/sqlite");
  const hub = await createHub({ store: sqliteStore({ path }) });
  const database = new DatabaseSync(path);
  // The very first ask also makes the rows that all later ones share.
  await observe(1);
  const first = await observe(2);
  const second = await observe(3);
  await hub.close();
  return {
    database,
    position: positionIn(second.settled, second.asked),
    asked: compile("asked"),
    settled: compile("settled"),
  };

  async function observe(n) {
    const key = `key_${String(n).padStart(DIGITS, "0")}`;
    const before = snapshot(database);
    const { id } = await hub.post({ ...sample.ask, session: SESSION, key });
    const between = snapshot(database);
    await hub.answer(id, { answers: sample.answers }, { by });
    return { id, key, asked: changes(before, between), settled: changes(between, snapshot(database)) };
  }

  function compile(step) {
    const own = [];
    const shared = [];
    second[step].forEach((change, index) => {
      const { isInsert, table, row, set, where } = change;
      const earlier = first[step][index];
      if (earlier?.table !== table || earlier.isInsert !== isInsert) {
        throw new Error(`the store wrote other rows for the second ask than for the first: ${table}`);
      }
      const columns = [...set, ...where];
      const values = columns.map((column) => columnValue(row[column], earlier.row[column], step));
      const statement = database.prepare(
        isInsert
          ? `INSERT INTO ${table} (${set.join(", ")}) VALUES (${set.map(() => "?").join(", ")})`
          : `UPDATE ${table} SET ${set.map((column) => `${column} = ?`).join(", ")}
             WHERE ${where.map((column) => `${column} = ?`).join(" AND ")}`,
      );
      // A row that was there before the ask, such as the head of the log, is written once for a whole batch.
      (change.isShared ? shared : own).push((given) => {
        const { changes: changed } = statement.run(...values.map((value) => value(given)));
        if (changed !== 1) throw new Error(`${table}: ${changed} rows were written instead of one`);
      });
    });
    return {
      write: (given) => own.forEach((run) => void run(given)),
      finish: (given) => shared.forEach((run) => void run(given)),
    };
  }

  /** What to write in a column of another ask, from what two asks have there. */
  function columnValue(value, earlier, step) {
    if (typeof value === "number" && value !== earlier) {
      if (value >= LEAST_TIME) return ({ now }) => now;
      const isAsked = step === "asked" || value === positionIn(second.asked, first.asked);
      return isAsked ? ({ asked }) => asked : ({ settled }) => settled;
    }
    if (typeof value === "string" && value !== earlier) {
      const known = [second.id, second.key].find((name) => value.includes(name)) ?? value;
      const parts = value.split(known);
      return ({ n }) => parts.join(numbered(known, n));
    }
    return () => value;
  }
}

/** As long as the original, and rising as ours do. */
function numbered(name, n) {
  return name.slice(0, -DIGITS) + String(n).padStart(DIGITS, "0");
}

/** The largest number in rows that is a position: one that differs from that of another ask and is not a time. */
function positionIn(steps, others) {
  const positions = steps.flatMap(({ row }, index) =>
    Object.entries(row)
      .filter(([column, value]) => typeof value === "number" && value !== others[index]?.row[column])
      .map(([, value]) => value)
      .filter((value) => value < LEAST_TIME),
  );
  return Math.max(...positions);
}

/** Every row of every table, by table and primary key. */
function snapshot(database) {
  const tables = database
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .all();
  return tables.map(({ name }) => {
    const columns = database.prepare(`PRAGMA table_info(${name})`).all();
    const key = columns.filter(({ pk }) => pk > 0).map((column) => column.name);
    const rows = database.prepare(`SELECT * FROM ${name}`).all();
    const identity = (row) => JSON.stringify(key.map((column) => row[column]));
    return { name, key, rows: new Map(rows.map((row) => [identity(row), row])) };
  });
}

/** What was inserted and updated between two snapshots. */
function changes(before, after) {
  return after.flatMap(({ name: table, key, rows }, index) =>
    [...rows].flatMap(([identity, row]) => {
      const earlier = before[index].rows.get(identity);
      const columns = Object.keys(row);
      if (earlier === undefined) return [{ isInsert: true, table, row, set: columns, where: [] }];
      const set = columns.filter((column) => row[column] !== earlier[column]);
      // By its id, as the store finds an ask.
      const where = columns.includes("id") ? ["id"] : key;
      return set.length === 0 ? [] : [{ isInsert: false, isShared: where === key, table, row, set, where }];
    }),
  );
}
