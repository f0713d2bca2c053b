// The persistence seam: asks, logs and records. A store checks only the guards named here, and never acknowledges a
// write that a crash could still lose.
//
// Data is stored as it is at the time of the call. If the caller later changes an object that it passed in or received,
// the stored data does not change. Texts inside JSON may be any string, including NUL and lone surrogates. Ids,
// sessions, keys, persons and the names of logs, types, subjects and namespaces are well-formed Unicode without control
// characters. They are compared exactly, code point by code point.
// `askline/testing` has a case for each sentence of this file.

import type { Clock } from "../../core/kit/clock.js";
import type { Json } from "../../core/kit/json.js";
import type { Logger } from "../../core/kit/logger.js";
import type { Ask } from "../../core/model/ask.js";
import type { AsklineError } from "../../core/model/error.js";
import type { Outcome } from "../../core/model/outcome.js";
import type { AskFilter } from "../../core/model/ports.js";
import type { Asker } from "../../core/model/visibility.js";

export interface StoreContext {
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface Store {
  /** The store's name in messages: `memory`, `sqlite`, `postgres`. */
  readonly name: string;
  readonly asks: AskStore;
  readonly logs: LogStore;
  readonly records: RecordStore;
  /** Opens and migrates the data. Called once, first. Rejects with a coded error that says what to do. */
  open(context: StoreContext): Promise<void>;
  /**
   * Finishes calls in progress, then releases all resources. Later calls reject with `closed`; closing again does
   * nothing.
   */
  close(): Promise<void>;
  /**
   * The store's clock, in milliseconds since the epoch. It never runs backwards while the store is open, and does not
   * jump when the wall clock does.
   */
  now(): number;
  /**
   * Calls `listener` whenever another process may have committed something. Must never miss a commit; spurious calls
   * are fine.
   */
  watch(listener: () => void): () => void;
  /**
   * Calls `listener` with the events of this object's own inserts and changes, in order of position, after their commit
   * and before the calls that made them resolve. It is called for every commit that stores or changes asks: with all
   * events of the commit, or with an empty list if the store does not have them all at hand. The log always has them.
   * Other entries appended to the event log are not reported: their positions are missing from the list. Absent if
   * the store cannot report commits.
   */
  onCommit?(listener: (events: readonly Committed[]) => void): () => void;
  /** Writes a consistent copy while running. Absent if the store does not support this. */
  backup?(path: string): Promise<void>;
  /**
   * Rejects with a coded error if the data cannot be reached, if writes would fail (such as on a nearly full disk), or if this
   * program cannot use the schema, which a newer program may have migrated. Absent if none of this can happen.
   */
  check?(): Promise<void>;
  /**
   * Calls `listener` once, with the reason, when this object can never write again; at once if that has already
   * happened. The only remedy is to open the store again, preferably in a new process. Writes in progress may or may
   * not be stored; no acknowledged write is lost. Absent if this cannot happen.
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

/** An entry of the event log, and its ask as of that event. */
export interface Committed {
  readonly position: number;
  readonly at: number;
  readonly type: string;
  readonly data?: Json;
  readonly ask: Ask;
}

/** How often everything that was issued to a person was revoked. What carries an earlier number no longer counts. */
export const PERSON_EPOCH_NAMESPACE = "person-epoch";

/** The log that every change of an ask is written to, in the same transaction as the change. */
export const EVENT_LOG = "events";

/** The trace context of each ask. Removed when the ask is pruned. */
export const TRACE_NAMESPACE = "trace";

export interface AskStore {
  /**
   * Stores a pending ask and its `ask.created` event, unless its asker, session and key are already in use.
   * A second insert of the same id returns `created`: it is a retry whose first result was lost.
   */
  insert(ask: NewAsk, append?: readonly LogAppend[]): Promise<Inserted>;
  /**
   * Changes a pending ask and writes the change's event (`ask.<outcome kind>`, `ask.extended`,
   * `ask.overdue`, `ask.escalated`), if the guard holds: the ask is pending, and
   *   settle: it has no deadline, or one after `store.now()`; with `when: "due"`, its deadline is not after
   *   `store.now()`; with `when: "anytime"`, its deadline does not matter;
   *   extend: it has a deadline before the new one, and after `store.now()`; with `when: "anytime"`, it may have passed;
   *   overdue: it is not overdue yet, and its deadline is not after `store.now()`;
   *   escalate: it names its recipients, and not all of `to` are among them. They are added to the recipients.
   * An extend ends the lease of a claim, so the ask can be claimed as soon as its new deadline passes.
   * A settle with the `settlementId` that settled the ask returns `applied`: it is a retry of the winning call.
   * Returns undefined if the ask does not exist.
   * `records` are put in the same transaction, if and only if this call makes the change. The versions that they expect
   * are part of the guard: if one does not match, nothing changes, and the ask may still be pending. A change names
   * each record at most once.
   */
  change(
    id: string,
    change: AskChange,
    append?: readonly LogAppend[],
    records?: readonly RecordPut[],
  ): Promise<Changed | undefined>;
  get(id: string): Promise<Ask | undefined>;
  /** The ask that an asker stored in a session with a key. */
  getByKey(key: AskKey): Promise<Ask | undefined>;
  /**
   * Which asks an asker stored with these keys, in any session or in one. At most `limit` for each key. The cost must
   * not grow with the number of stored asks, and the asks themselves are not read.
   */
  findKeys(query: KeyQuery): Promise<readonly KeyUse[]>;
  /**
   * Finds ids that contain a text, in order of id, by an index: the asks themselves are not read. A call looks at a
   * bounded number of ids above `after`; `next` is where to continue, absent at the end.
   */
  findIds(part: string, after: string): Promise<FoundIds>;
  /** Frees the key of an ended ask, so that an insert with it stores a new ask. The ended ask still shows the key. */
  releaseKey(id: string): Promise<void>;
  /**
   * Returns the asks that exist, each once. With `maxSize` they are in the order of `ids` and limited as in
   * {@link PageSize}: ids after the last returned ask were not read, unless the result is empty.
   */
  getMany(ids: readonly string[], size?: PageSize): Promise<readonly Ask[]>;
  /** Lists asks in order of creation. `next` is the cursor of the next page, absent on the last page. */
  list(query: ListQuery): Promise<ListPage>;
  /**
   * Claims up to `limit` pending asks whose deadline is not after now and that are not overdue yet, earliest deadline
   * first. No other caller gets the same ask within `leaseMs`, unless the ask is extended, so several nodes can share
   * the work. A claim never waits for other claims or writes: it may return fewer asks, or later ones.
   */
  claimDue(limit: number, leaseMs: number): Promise<readonly Ask[]>;
  /** The earliest deadline of a pending ask that is not overdue yet. */
  nextDeadline(): Promise<number | undefined>;
  /** How much an asker has stored; `asker` is the result of `askerIdentity`. The cost of this call must not grow with that amount. */
  usage(asker: string): Promise<AskerUsage>;
  /** How much is pending. The cost may grow with the number of pending asks, not with the number of stored asks. */
  pendingSummary(): Promise<PendingSummary>;
  /**
   * Removes up to `limit` asks settled before a time, oldest first, with their events and with the records of
   * `namespaces` whose key starts with the ask's id and a slash. Also removes expired records. Afterwards the event log
   * is complete only above the last removed event; `bounds` returns that position. The key of a removed ask can be used
   * for a new ask.
   */
  prune(settledBefore: number, limit: number, namespaces: readonly string[]): Promise<number>;
  /** How many asks a prune without a limit would remove. */
  countSettled(before: number): Promise<number>;
  /**
   * Stores an ask from another store unchanged, with its events, in one transaction. The events keep their order and
   * times, and get the next positions of this store's log. If the id, or the asker, session and key, already exist,
   * nothing changes. Lists order a restored ask by the time of the restore.
   */
  restore(restored: RestoredAsk): Promise<Restored>;
}

/** Identifies an ask for retries. An ask without an asker was made by the hub's own process. */
export type AskKey = Asker & Pick<Ask, "session"> & { readonly key: string };

/** Finds what was stored by the asker of this owner, and what was stored under its name without an owner. */
export interface KeyQuery {
  readonly asker: string;
  readonly owner?: string;
  readonly keys: readonly string[];
  readonly session?: string | undefined;
  readonly limit: number;
}

export interface FoundIds {
  readonly ids: readonly string[];
  readonly next?: string | undefined;
}

/** How many ids a store looks at in one call of `findIds`: few enough not to hold up other calls. */
export const IDS_LOOKED_AT = 10_000;

/** An ask that was stored with a key that is not released. */
export type KeyUse = Required<Pick<Ask, "id" | "session" | "key">>;

export interface RestoredAsk {
  /** Pending or settled. */
  readonly ask: Ask;
  /** All events of the ask, beginning with `ask.created`. */
  readonly events: readonly RestoredEvent[];
}

export type RestoredEvent = Pick<LogEntry, "at" | "type" | "data">;

export type Restored =
  | { readonly kind: "restored"; readonly ask: Ask }
  /** The id already exists. `ask` is the stored one, which may differ. */
  | { readonly kind: "known"; readonly ask: Ask }
  /** Another ask, with another id, already uses this asker, session and key. */
  | { readonly kind: "taken"; readonly ask: Ask };

export interface AskerUsage {
  /** The number of pending asks. */
  readonly pending: number;
  /** Bytes of all asks of this asker as JSON, pending and ended, without their outcomes. */
  readonly bytes: number;
}

export interface PendingSummary {
  readonly count: number;
  /** When the pending ask that was stored first was created; absent if none is pending. */
  readonly oldestCreatedAt?: number | undefined;
}

export interface NewAsk {
  /** A pending ask without an outcome. */
  readonly ask: Ask;
}

export type Inserted =
  | { readonly kind: "created"; readonly ask: Ask }
  /** The asker, session and key are already in use. `ask` is the stored one, which may have other content. */
  | { readonly kind: "known"; readonly ask: Ask };

export type AskChange =
  | {
      readonly kind: "settle";
      readonly settlementId: string;
      readonly outcome: Outcome;
      readonly when?: "due" | "anytime" | undefined;
    }
  | { readonly kind: "extend"; readonly deadline: number; readonly when?: "anytime" | undefined }
  | { readonly kind: "overdue" }
  | { readonly kind: "escalate"; readonly to: readonly string[] };

export interface Changed {
  /** Whether this change was made, by this call or by an earlier attempt of the same call. */
  readonly applied: boolean;
  /** The ask as it now stands. */
  readonly ask: Ask;
}

/** With `person`, only asks that this person may answer: addressed to them, or to nobody in particular. */
export interface ListQuery extends Omit<AskFilter, "id">, PageSize {
  readonly after?: number | undefined;
  readonly limit: number;
  readonly order?: "oldest" | "newest" | undefined;
}

/** The default size of a page of a list, a replay or a transcript, in characters. A few fit into a small heap. */
export const PAGE_SIZE: number = 8 * 1024 * 1024;

export interface PageSize {
  /**
   * Ends a page before the item that would make it larger than this, in approximate characters of stored JSON. A page
   * has at least one item. Unbounded if omitted.
   */
  readonly maxSize?: number | undefined;
}

export interface ListPage {
  readonly asks: readonly Ask[];
  readonly next?: number | undefined;
}

/** An entry to write to a log. The store assigns its position at the commit. */
export interface LogAppend {
  readonly log: string;
  readonly type: string;
  /** The subject of the entry, such as the id of an ask. */
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
 * Append-only lists. Positions start at 1, rise by one, and are never reused. A reader that continues from its last
 * position misses nothing: an entry never appears below one that was already readable.
 */
export interface LogStore {
  append(entries: readonly LogAppend[]): Promise<readonly number[]>;
  read(log: string, query: LogQuery): Promise<readonly LogEntry[]>;
  bounds(log: string): Promise<LogBounds>;
  /** Lists the logs whose last entry still exists, ordered by name, by code point. */
  list(query: LogListQuery): Promise<readonly LogSummary[]>;
  /**
   * Removes every entry of a log if `head` is its last position. Returns whether it did. The log is then empty, and
   * complete from the next position on. A long log may be removed in several transactions, from its beginning; entries
   * written meanwhile stay.
   */
  remove(log: string, head: number): Promise<boolean>;
  /**
   * Stores entries from another store with their original times, in one transaction, if `head` is the last position of
   * the log. Returns whether it did. The first entry gets the position `first`. If the log was empty, it is complete
   * from there on; otherwise `first` must be the position after its last entry.
   */
  restore(log: string, restored: RestoredEntries): Promise<boolean>;
}

export interface LogListQuery {
  /** Only logs whose name starts with this. */
  readonly prefix: string;
  /** Only logs whose name comes after this one. */
  readonly after?: string | undefined;
  readonly limit: number;
}

export interface LogSummary extends LogBounds {
  readonly log: string;
  /** When the last entry was written. */
  readonly lastAt: number;
}

export interface RestoredEntries {
  /** The expected last position; 0 for a log that was never written to. */
  readonly head: number;
  readonly first: number;
  readonly entries: readonly RestoredEntry[];
}

export type RestoredEntry = Omit<LogEntry, "position">;

/** With `maxSize`, a page of fewer than `limit` entries may not be the last. */
export interface LogQuery extends PageSize {
  /** Entries above this position; 0 for all. */
  readonly after: number;
  readonly limit: number;
  /** Only entries with this subject. */
  readonly subject?: string | undefined;
}

export interface LogBounds {
  /** The log is complete from this position on. 1 if nothing was ever removed. */
  readonly first: number;
  /** The last position written; 0 in an empty log. */
  readonly head: number;
}

export interface StoredRecord {
  readonly key: string;
  readonly value: Json;
  /** 1 when created; each put adds one. */
  readonly version: number;
  readonly expiresAt?: number;
  readonly availableAt?: number;
}

/**
 * Small JSON values by namespace and key. An expired record does not exist: a put creates a new one with version 1. A
 * put replaces the whole record, so a put without `expiresAt` or `availableAt` clears them.
 */
export interface RecordStore {
  get(namespace: string, key: string): Promise<StoredRecord | undefined>;
  put(namespace: string, key: string, value: Json, options?: PutOptions): Promise<Put>;
  /** Deletes a record, if it has the version `expect` (when given). Returns whether it did. */
  delete(
    namespace: string,
    key: string,
    options?: { readonly expect?: number | undefined },
  ): Promise<boolean>;
  /** Lists records ordered by key, by code point. */
  list(namespace: string, query: RecordQuery): Promise<readonly StoredRecord[]>;
  /**
   * Claims up to `limit` records that are available now, ordered by key. No caller can claim them again for `leaseMs`.
   * A claim does not change the version, and never waits for other claims or writes. With a range, only records whose
   * keys are in it.
   */
  claim(
    namespace: string,
    limit: number,
    leaseMs: number,
    range?: KeyRange,
  ): Promise<readonly StoredRecord[]>;
}

/** Keys from `from` on, and below `before`, compared by code point. */
export interface KeyRange {
  readonly from?: string | undefined;
  readonly before?: string | undefined;
}

export interface PutOptions {
  /** Write only if the record has this version; with `null`, only if it does not exist. */
  readonly expect?: number | null | undefined;
  readonly expiresAt?: number | undefined;
  /** The record cannot be claimed before this time. */
  readonly availableAt?: number | undefined;
  /** Log entries to write in the same transaction, if and only if the record is written. */
  readonly append?: readonly LogAppend[] | undefined;
}

/** A record to write together with a change of an ask. */
export interface RecordPut extends Omit<PutOptions, "append"> {
  readonly namespace: string;
  readonly key: string;
  readonly value: Json;
}

export type Put =
  | { readonly ok: true; readonly version: number }
  | { readonly ok: false; readonly current?: StoredRecord | undefined };

export interface RecordQuery {
  readonly prefix?: string | undefined;
  /** Only keys after this one. */
  readonly after?: string | undefined;
  readonly limit: number;
}
