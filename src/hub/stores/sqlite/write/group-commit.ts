// Group commit: all writes of one turn of the event loop become one transaction, and are delivered together after its
// commit.
//
//   queued --next turn--> running --commit--> delivered
//            running --file locked--> queued again; rejected after busyTimeoutMs
//            running --a write throws--> all rolled back, then run again with a savepoint each:
//                                        writes that throw again are rejected, the rest are committed
//            running --the transaction fails--> queued in halves; a single write is rejected
//
// So a write may run more than once. It must do nothing but read and write the database.

import type { StoreObserver } from "../../../seam/store.js";
import type { Database } from "../file/driver.js";
import { isBusy, pauseWhileBusy, toStoreError } from "../file/errors.js";
import { LOOK_MS } from "../file/identity.js";
import { createTransaction, type OpenTransaction, type Transaction } from "./transaction.js";
import { nextTurn } from "./turns.js";

// Bounds of one transaction, so that neither many writes nor large ones block the event loop for long.
const MOST_WRITES = 256;
const LONGEST_MS = 15;

export interface GroupCommit<W> {
  /** Writes run in the order of the calls. `age` is how many milliseconds the write has already waited elsewhere. */
  write(write: W, age?: number): void;
  /** Resolves when nothing is queued. */
  drained(): Promise<void>;
  close(): void;
}

export interface GroupCommitOptions<W> {
  readonly now: () => number;
  readonly busyTimeoutMs: number;
  perform(transaction: Transaction, write: W): unknown;
  /** Receives the results of one committed transaction, or of writes that failed. Must not throw. */
  deliver(writes: readonly W[], results: readonly Outcome[]): void;
  /** Throws if committed data is no longer reachable at the store's path. After that, every write fails. */
  verify?(): void;
  /** Called once with the error that `verify` threw, after all queued writes have failed with it. */
  lost?(error: unknown): void;
  /** Called for each committed transaction, before its results are delivered. */
  readonly committed?: StoreObserver["committed"];
}

export type Outcome = { readonly value: unknown } | { readonly error: unknown };

interface Queued<W> {
  readonly write: W;
  readonly since: number;
}

export function createGroupCommit<W>(database: Database, options: GroupCommitOptions<W>): GroupCommit<W> {
  const { busyTimeoutMs } = options;
  const queue: Queued<W>[] = [];
  let running: Promise<void> | undefined;
  let size = MOST_WRITES;
  let busyAttempts = 0;
  let lost: { readonly error: unknown } | undefined;

  function verify(): void {
    if (lost !== undefined) return;
    try {
      options.verify?.();
    } catch (error) {
      lost = { error };
      clearInterval(timer);
      fail(queue.splice(0), error);
      options.lost?.(error);
    }
  }
  const timer = options.verify && setInterval(verify, LOOK_MS).unref();

  async function run(): Promise<void> {
    while (queue.length > 0) {
      await nextTurn();
      const batch = queue.slice(0, size).map(({ write }) => write);
      let results: readonly Outcome[];
      const start = performance.now();
      try {
        results = commit(database, batch, options);
      } catch (error) {
        if (isBusy(error)) await afterBusy(error);
        else if (batch.length === 1) fail(queue.splice(0, 1), error);
        else size = Math.ceil(batch.length / 2);
        continue;
      }
      verify();
      if (lost !== undefined) break;
      queue.splice(0, results.length);
      size = Math.min(MOST_WRITES, size * 2);
      busyAttempts = 0;
      options.committed?.(results.length, performance.now() - start);
      deliver(batch.slice(0, results.length), results);
    }
    running = undefined;
  }

  async function afterBusy(error: unknown): Promise<void> {
    const latest = performance.now() - busyTimeoutMs;
    let overdue = 0;
    while ((queue[overdue]?.since ?? Number.POSITIVE_INFINITY) <= latest) overdue += 1;
    if (overdue > 0) fail(queue.splice(0, overdue), error);
    busyAttempts += 1;
    if (queue.length > 0) await pauseWhileBusy(busyAttempts);
  }

  function fail(writes: readonly Queued<W>[], error: unknown): void {
    deliver(
      writes.map(({ write }) => write),
      writes.map(() => ({ error })),
    );
  }

  function deliver(writes: readonly W[], results: readonly Outcome[]): void {
    options.deliver(
      writes,
      results.map((result) =>
        "error" in result ? { error: toStoreError(result.error, database.path) } : result,
      ),
    );
  }

  return {
    write(write, age = 0) {
      if (lost !== undefined) return fail([{ write, since: 0 }], lost.error);
      queue.push({ write, since: performance.now() - age });
      running ??= run();
    },
    drained: async () => running,
    close: () => clearInterval(timer),
  };
}

/** Commits a batch, or as many of its first writes as time allows. Throws if nothing was committed. */
function commit<W>(
  database: Database,
  batch: readonly W[],
  { now, perform }: GroupCommitOptions<W>,
): readonly Outcome[] {
  const transact = (work: (transaction: OpenTransaction) => readonly Outcome[]): readonly Outcome[] =>
    inTransaction(database, now(), work);
  try {
    return transact((transaction) => runAll(batch, transaction, perform));
  } catch (error) {
    if (!(error instanceof WriteFailed)) throw error;
  }
  return transact((transaction) => runWithSavepoints(database, batch, transaction, perform));
}

function inTransaction(
  database: Database,
  now: number,
  work: (transaction: OpenTransaction) => readonly Outcome[],
): readonly Outcome[] {
  database.sql("BEGIN IMMEDIATE").run();
  try {
    const transaction = createTransaction(database, now);
    const results = work(transaction);
    transaction.writeHeads();
    database.sql("COMMIT").run();
    return results;
  } catch (error) {
    // Some SQLite errors end the transaction by themselves.
    if (database.inTransaction) database.sql("ROLLBACK").run();
    throw error;
  }
}

/** One write threw; the other writes of the batch may still succeed. */
class WriteFailed extends Error {}

/** The common case, without savepoints: they would take a third of the time. */
function runAll<W>(
  batch: readonly W[],
  transaction: OpenTransaction,
  perform: GroupCommitOptions<W>["perform"],
): readonly Outcome[] {
  return untilLate(batch, (write) => {
    try {
      return { value: perform(transaction, write) };
    } catch (error) {
      throw isBusy(error) ? error : new WriteFailed("a write failed", { cause: error });
    }
  });
}

function runWithSavepoints<W>(
  database: Database,
  batch: readonly W[],
  transaction: OpenTransaction,
  perform: GroupCommitOptions<W>["perform"],
): readonly Outcome[] {
  return untilLate(batch, (write) => {
    const restoreHeads = transaction.mark();
    database.sql("SAVEPOINT one").run();
    try {
      const value = perform(transaction, write);
      database.sql("RELEASE one").run();
      return { value };
    } catch (error) {
      if (isBusy(error) || !database.inTransaction) throw error;
      database.sql("ROLLBACK TO one").run();
      database.sql("RELEASE one").run();
      restoreHeads();
      return { error };
    }
  });
}

function untilLate<W>(batch: readonly W[], run: (write: W) => Outcome): readonly Outcome[] {
  const start = performance.now();
  const results: Outcome[] = [];
  for (const write of batch) {
    results.push(run(write));
    if (performance.now() - start > LONGEST_MS) break;
  }
  return results;
}
