// The persistence seam: asks, logs and records. A store decides nothing about an ask
// except the guards named here, and never acknowledges a write that a crash could still lose.
//
// Data is written as it is when handed in: what a caller does to it afterwards, or to what a store handed
// out, changes nothing that is stored. Texts inside of JSON may be anything that a string can be, NUL and lone
// surrogates included. Ids, sessions, keys, persons and the names of logs, types, subjects and namespaces are
// well-formed Unicode without control characters, compared exactly, code point by code point.
// `askline/testing` has a case for each sentence of this file.

import type { Ask, AskFilter, AsklineError, Clock, Json, Logger, Outcome } from "../../core/index.js";

export interface StoreContext {
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface Store {
  /** Its name in messages: `memory`, `sqlite`, `postgres`. */
  readonly name: string;
  readonly asks: AskStore;
  readonly logs: LogStore;
  readonly records: RecordStore;
  /** Opens and migrates. Called once, before anything else. Rejects with a coded error that says what to do. */
  open(context: StoreContext): Promise<void>;
  /**
   * Finishes what was begun, then lets go of everything. Later calls reject with `closed`;
   * closing again does nothing.
   */
  close(): Promise<void>;
  /**
   * The time by which this store counts, in milliseconds since the epoch. Never runs backwards while the
   * store is open, and does not jump when the wall clock does.
   */
  now(): number;
  /** Calls `listener` whenever another process may have committed something. Must never miss a commit; spurious calls are fine. */
  watch(listener: () => void): () => void;
  /**
   * Calls `listener` with the events of inserts and changes that this object makes, in the order of their
   * positions, after their commit and before the calls that made them resolve. It is called for every commit
   * that stores or changes asks: with all of its events, or with none where the store has not got them all
   * at hand; the log has them. What else is appended to the event log is not told: its position is missing,
   * and whoever appended it knows. Absent where a store cannot say.
   */
  onCommit?(listener: (events: readonly Committed[]) => void): () => void;
  /** Writes a consistent copy while running. Absent where the store has a better way of its own. */
  backup?(path: string): Promise<void>;
  /**
   * Rejects with a coded error unless the data can be reached now, writes do not fail for lack of space or the like,
   * and its schema is one that this program can work on: another one may have migrated it since. Absent where there is nothing that could be away.
   */
  check?(): Promise<void>;
  /**
   * Calls `listener` once with the reason when this object can never write again, whatever is tried: only opening
   * the store anew helps, best in a new process. At once where that is so already. What was under way has been
   * written or not; nothing that was acknowledged is lost. Absent where it cannot come to that.
   */
  onBroken?(listener: (reason: AsklineError) => void): void;
  /** Reports every commit to the observer from now on. Absent if the store does not commit in batches. */
  observe?(observer: StoreObserver): void;
}

/** Receives reports about commits. Must not throw. */
export interface StoreObserver {
  /** `writes` writes became durable together in this time. */
  committed(writes: number, milliseconds: number): void;
}

/** An entry of the event log, and its ask as it then stood. */
export interface Committed {
  readonly position: number;
  readonly at: number;
  readonly type: string;
  readonly data?: Json;
  readonly ask: Ask;
}

/** The log that every change of an ask is written to, in the same transaction as the change. */
export const EVENT_LOG = "events";

/** The records of where an ask was traced; they go when their ask is pruned. */
export const TRACE_NAMESPACE = "trace";

export interface AskStore {
  /**
   * Stores a pending ask and its `ask.created` event, unless its asker, session and key are known.
   * Storing the same id again is acknowledged as created: it is a retry whose first result was lost.
   */
  insert(ask: NewAsk, append?: readonly LogAppend[]): Promise<Inserted>;
  /**
   * Changes a pending ask and writes the change's event (`ask.<outcome kind>`, `ask.extended`,
   * `ask.overdue`), if the guard holds: the ask is pending, and
   *   settle: it has no deadline, or one after `store.now()`; with `when: "due"`, its deadline is not after
   *   `store.now()`; with `when: "anytime"`, its deadline does not matter;
   *   extend: it has a deadline before the new one;
   *   overdue: it is not overdue yet, and its deadline is not after `store.now()`.
   * An extend ends the lease of a claim, so that the ask can be claimed as soon as its new deadline comes.
   * A settle whose `settlementId` is the one that settled the ask is applied: it is a retry of its own win.
   * Undefined where there is no such ask.
   */
  change(id: string, change: AskChange, append?: readonly LogAppend[]): Promise<Changed | undefined>;
  get(id: string): Promise<Ask | undefined>;
  /** The ask that an asker stored with a key in a session. */
  getByKey(key: AskKey): Promise<Ask | undefined>;
  /** Frees the key of an ask that has ended: inserting with it stores a new ask. The ask itself keeps it. */
  releaseKey(id: string): Promise<void>;
  /**
   * Those of the asks that exist, each once. With `maxSize` they come in the order of the ids, and end as {@link PageSize}
   * says: ids after the last ask were not looked at, unless nothing was found at all.
   */
  getMany(ids: readonly string[], size?: PageSize): Promise<readonly Ask[]>;
  /** In order of creation; `next` is the cursor of the page after, absent on the last. */
  list(query: ListQuery): Promise<ListPage>;
  /**
   * Up to `limit` pending asks whose deadline is not after now and that are not overdue yet, the earliest
   * deadline first. No other caller gets the same one within `leaseMs`, unless it is extended meanwhile, so
   * that several nodes share the work.
   * A claim never waits for other claims or writes: it may get fewer asks, or later ones.
   */
  claimDue(limit: number, leaseMs: number): Promise<readonly Ask[]>;
  /** The earliest deadline of a pending ask that is not overdue yet. */
  nextDeadline(): Promise<number | undefined>;
  /** What an asker has stored. Its cost does not depend on how much that is. */
  usage(asker: string): Promise<AskerUsage>;
  /** How much is pending. Its cost grows with what is pending, not with what is stored. */
  pendingSummary(): Promise<PendingSummary>;
  /**
   * Removes up to `limit` asks settled before a time, oldest first, with their events and with the records
   * of the given namespaces whose key starts with the ask's id and a slash. Records that have expired go
   * too. The event log is whole only from above the last removed event: `bounds` says where. The key of a
   * removed ask is free again: asking with them asks anew.
   */
  prune(settledBefore: number, limit: number, namespaces: readonly string[]): Promise<number>;
  /** How many asks were settled before a time, and would be removed by a prune without a limit. */
  countSettled(before: number): Promise<number>;
  /**
   * Stores an ask that another store has kept, as it stood there, with its events: in their order and at the
   * times when they happened, but at the next positions of this store's log. All of it is one transaction.
   * Where the id, or the asker, session and key, are there already, nothing is changed. It is in order of creation by
   * when it was restored.
   */
  restore(restored: RestoredAsk): Promise<Restored>;
}

/** What an ask is found by again. An ask without an asker is one of its own process. */
export type AskKey = Pick<Ask, "asker" | "session"> & { readonly key: string };

export interface RestoredAsk {
  /** Pending or settled. */
  readonly ask: Ask;
  /** All of its events, the first of them `ask.created`. */
  readonly events: readonly RestoredEvent[];
}

export type RestoredEvent = Pick<LogEntry, "at" | "type" | "data">;

export type Restored =
  | { readonly kind: "restored"; readonly ask: Ask }
  /** There is an ask of this id: the ask as it stands, which may not be the same. */
  | { readonly kind: "known"; readonly ask: Ask }
  /** There is an ask of another id under its asker, session and key. */
  | { readonly kind: "taken"; readonly ask: Ask };

export interface AskerUsage {
  /** Asks that are pending. */
  readonly pending: number;
  /** Bytes of the contents of all of its asks as JSON, pending and ended, without their outcomes. */
  readonly bytes: number;
}

export interface PendingSummary {
  readonly count: number;
  /** When the one that was stored first was created; absent where nothing is pending. */
  readonly oldestCreatedAt?: number;
}

export interface NewAsk {
  /** Pending, without outcome. */
  readonly ask: Ask;
}

export type Inserted =
  | { readonly kind: "created"; readonly ask: Ask }
  /** The asker, session and key were there, whatever was asked with them: the ask as it stands. */
  | { readonly kind: "known"; readonly ask: Ask };

export type AskChange =
  | {
      readonly kind: "settle";
      readonly settlementId: string;
      readonly outcome: Outcome;
      readonly when?: "due" | "anytime";
    }
  | { readonly kind: "extend"; readonly deadline: number }
  | { readonly kind: "overdue" };

export interface Changed {
  /** Whether this change was made, by this call or by an earlier try of it. */
  readonly applied: boolean;
  /** The ask as it now stands. */
  readonly ask: Ask;
}

/** With `person`, only asks that this person may answer: addressed to them, or to nobody in particular. */
export interface ListQuery extends AskFilter, PageSize {
  readonly after?: number;
  readonly limit: number;
  readonly order?: "oldest" | "newest";
}

/** What a page of a list, a replay or a transcript may hold, in characters: a few of them fit into a small heap. */
export const PAGE_SIZE: number = 8 * 1024 * 1024;

export interface PageSize {
  /**
   * Ends a page before the item that would make it larger than this, counted in characters of what is stored as JSON
   * or about so. A page has at least one item. No bound where it is not given.
   */
  readonly maxSize?: number;
}

export interface ListPage {
  readonly asks: readonly Ask[];
  readonly next?: number;
}

/** One entry to be written to a log. Positions are given at the commit. */
export interface LogAppend {
  readonly log: string;
  readonly type: string;
  /** What it is about, such as the id of an ask. */
  readonly subject?: string;
  readonly data?: Json;
}

export interface LogEntry {
  readonly position: number;
  readonly at: number;
  readonly type: string;
  readonly subject?: string;
  readonly data?: Json;
}

/**
 * Append-only lists. Positions start at 1, rise by one, and are never used again. Whoever has read up to a
 * position and reads on from there misses nothing: an entry never appears below one that was already read.
 */
export interface LogStore {
  append(entries: readonly LogAppend[]): Promise<readonly number[]>;
  read(log: string, query: LogQuery): Promise<readonly LogEntry[]>;
  bounds(log: string): Promise<LogBounds>;
  /** Logs whose last entry is there, in the order of their names, by code point. */
  list(query: LogListQuery): Promise<readonly LogSummary[]>;
  /**
   * Removes every entry of a log, if `head` is the last position written: whether it was. The log is then empty,
   * and whole from the position after. A long one may go in several transactions, from its beginning; what is
   * written to it meanwhile stays.
   */
  remove(log: string, head: number): Promise<boolean>;
  /**
   * Stores entries that another store has kept, at the times when they were written, in one transaction; if `head`
   * is the last position written: whether it was. The first of them gets the position `first`, and the log is whole
   * from there where it was empty. Where it holds entries, that must be the position after them.
   */
  restore(log: string, restored: RestoredEntries): Promise<boolean>;
}

export interface LogListQuery {
  /** What their names begin with. */
  readonly prefix: string;
  /** Names after this one. */
  readonly after?: string;
  readonly limit: number;
}

export interface LogSummary extends LogBounds {
  readonly log: string;
  /** When the entry at its head was written. */
  readonly lastAt: number;
}

export interface RestoredEntries {
  /** 0 for a log that nobody has written to. */
  readonly head: number;
  readonly first: number;
  readonly entries: readonly RestoredEntry[];
}

export type RestoredEntry = Omit<LogEntry, "position">;

/** With `maxSize`, fewer entries than `limit` do not mean that these are the last. */
export interface LogQuery extends PageSize {
  /** Entries above this position; 0 for all. */
  readonly after: number;
  readonly limit: number;
  /** Only those about this. */
  readonly subject?: string;
}

export interface LogBounds {
  /** From here on the log is whole. 1 while nothing was removed. */
  readonly first: number;
  /** The last position written; 0 in an empty log. */
  readonly head: number;
}

export interface StoredRecord {
  readonly key: string;
  readonly value: Json;
  /** 1 when created, one more with each put. */
  readonly version: number;
  readonly expiresAt?: number;
  readonly availableAt?: number;
}

/**
 * Small JSON values by namespace and key. A record past its expiry is not there: a put makes a new one, of
 * version 1. A put sets all of a record, so one without `expiresAt` or `availableAt` takes them away.
 */
export interface RecordStore {
  get(namespace: string, key: string): Promise<StoredRecord | undefined>;
  put(namespace: string, key: string, value: Json, options?: PutOptions): Promise<Put>;
  /** Whether there was one to delete, of the expected version where one is given. */
  delete(namespace: string, key: string, options?: { readonly expect?: number }): Promise<boolean>;
  /** In the order of their keys, by code point. */
  list(namespace: string, query: RecordQuery): Promise<readonly StoredRecord[]>;
  /**
   * Up to `limit` records that are available now, in the order of their keys; none of them is available to
   * anyone for `leaseMs` from now. Claiming does not change a version. As with asks, a claim waits for nobody.
   */
  claim(namespace: string, limit: number, leaseMs: number): Promise<readonly StoredRecord[]>;
}

export interface PutOptions {
  /** Write only if the record has this version; `null`: only if there is none. */
  readonly expect?: number | null;
  readonly expiresAt?: number;
  /** Not to be claimed before this. */
  readonly availableAt?: number;
  /** Log entries that are written if and only if the record is. */
  readonly append?: readonly LogAppend[];
}

export type Put =
  | { readonly ok: true; readonly version: number }
  | { readonly ok: false; readonly current?: StoredRecord };

export interface RecordQuery {
  readonly prefix?: string;
  /** Keys after this one. */
  readonly after?: string;
  readonly limit: number;
}
