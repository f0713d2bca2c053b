import type { LogBounds } from "../../../seam/store.js";
import type { NewEntryRow } from "../../shared/rows.js";
import type { Database } from "../file/driver.js";

/** What the writes of one transaction share. Log heads are cached here until `writeHeads`. */
export interface Transaction {
  readonly database: Database;
  /** The same time for all writes of the transaction. */
  readonly now: number;
  /** The position that the next entry of a log will get. */
  next(log: string): number;
  append(entries: readonly NewEntryRow[]): readonly number[];
  /** Records that entries before `first` may be missing. */
  trim(log: string, first: number): void;
  bounds(log: string): LogBounds;
  /** Makes `first` the position of the next entry. The log must be empty. */
  begin(log: string, first: number): void;
}

interface LogState {
  first: number;
  head: number;
}

/** A transaction as its owner sees it: it can undo a failed write's changes to log heads, and stores the heads. */
export interface OpenTransaction extends Transaction {
  /** Saves the heads. The returned function restores them. */
  mark(): () => void;
  /** Must be called once, before the commit. */
  writeHeads(): void;
}

const INSERT_ENTRY =
  "INSERT INTO log_entries (log, position, at, type, subject, data) VALUES (?, ?, ?, ?, ?, ?)";
const READ_LOG = "SELECT first, head FROM logs WHERE log = ?";
const WRITE_LOG =
  "INSERT INTO logs (log, first, head) VALUES (?, ?, ?) ON CONFLICT (log) DO UPDATE SET first = excluded.first, head = excluded.head";

export function createTransaction(database: Database, now: number): OpenTransaction {
  let logs = new Map<string, LogState>();
  const changed = new Set<string>();
  const stateOf = (log: string): LogState => {
    let state = logs.get(log);
    if (state === undefined) {
      state = { ...readLog(database, log) };
      logs.set(log, state);
    }
    return state;
  };
  return {
    database,
    now,
    next: (log) => stateOf(log).head + 1,
    append(entries) {
      return entries.map(({ log, type, subject, data, at = now }) => {
        const state = stateOf(log);
        database.sql(INSERT_ENTRY).run(log, state.head + 1, at, type, subject, data);
        changed.add(log);
        state.head += 1;
        return state.head;
      });
    },
    trim(log, first) {
      const state = stateOf(log);
      if (first <= state.first) return;
      changed.add(log);
      state.first = first;
    },
    bounds: (log) => ({ ...stateOf(log) }),
    begin(log, first) {
      const state = stateOf(log);
      changed.add(log);
      state.first = first;
      state.head = first - 1;
    },
    mark() {
      const before = new Map(Array.from(logs, ([log, state]) => [log, { ...state }]));
      return () => {
        logs = before;
      };
    },
    writeHeads() {
      for (const log of changed) {
        const { first, head } = stateOf(log);
        database.sql(WRITE_LOG).run(log, first, head);
      }
    },
  };
}

/** The bounds of a log. A log that was never written to counts as empty. */
export function readLog(database: Database, log: string): LogBounds {
  const { first, head } = database.sql(READ_LOG).get<LogBounds>(log) ?? { first: 1, head: 0 };
  return { first, head };
}
