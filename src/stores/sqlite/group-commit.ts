// Group commit: the writes that are called in one turn of the event loop become one transaction, and each is
// acknowledged after its commit.
//
//   queued --next turn--> running --commit--> acknowledged
//            running --file locked--> queued, until it has waited too long --> rejected
//            running --a write throws--> all rolled back, run again with a savepoint each:
//                                        those that throw again are rejected, the rest go on
//            running --the transaction itself fails--> queued in halves; alone --> rejected
//
// A write may therefore run more than once. It must do nothing but read and write the database.

import { pauseWhileBusy } from "./busy.js";
import type { Database } from "./driver.js";
import { isBusy, toStoreError } from "./errors.js";
import { createTransaction, type OpenTransaction, type Transaction } from "./transaction.js";
import { nextTurn } from "./turns.js";

// Bounds of one transaction, so that the event loop is not held up by many writes or by large ones.
const MOST_WRITES = 256;
const LONGEST_MS = 15;

export interface GroupCommit {
  /** What `work` returns, once it is committed. Writes are made in the order of the calls. */
  write<T>(work: (transaction: Transaction) => T): Promise<T>;
  /** Resolves when nothing is queued. */
  drained(): Promise<void>;
}

interface Write {
  readonly work: (transaction: Transaction) => unknown;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
  readonly since: number;
}

type Result = { readonly value: unknown } | { readonly error: unknown };

export function createGroupCommit(
  database: Database,
  { now, busyTimeoutMs }: { readonly now: () => number; readonly busyTimeoutMs: number },
): GroupCommit {
  const queue: Write[] = [];
  let running: Promise<void> | undefined;
  let size = MOST_WRITES;
  let busyAttempts = 0;

  async function run(): Promise<void> {
    while (queue.length > 0) {
      await nextTurn();
      const batch = queue.slice(0, size);
      try {
        const results = commit(database, batch, now);
        queue.splice(0, results.length);
        size = Math.min(MOST_WRITES, size * 2);
        busyAttempts = 0;
        for (const [index, result] of results.entries()) settle(batch[index], result);
      } catch (error) {
        if (isBusy(error)) await afterBusy(error);
        else if (batch.length === 1) settle(queue.shift(), { error });
        else size = Math.ceil(batch.length / 2);
      }
    }
    running = undefined;
  }

  async function afterBusy(error: unknown): Promise<void> {
    const latest = performance.now() - busyTimeoutMs;
    let overdue = 0;
    while ((queue[overdue]?.since ?? Number.POSITIVE_INFINITY) <= latest) overdue += 1;
    for (const write of queue.splice(0, overdue)) settle(write, { error });
    busyAttempts += 1;
    if (queue.length > 0) await pauseWhileBusy(busyAttempts);
  }

  function settle(write: Write | undefined, result: Result): void {
    if ("error" in result) write?.reject(toStoreError(result.error, database.path));
    else write?.resolve(result.value);
  }

  return {
    write<T>(work: (transaction: Transaction) => T): Promise<T> {
      return new Promise<T>((resolve, reject) => {
        queue.push({ work, resolve: resolve as Write["resolve"], reject, since: performance.now() });
        running ??= run();
      });
    },
    drained: async () => running,
  };
}

/** Commits a batch, or as much of its beginning as time allows. Throws where nothing was committed. */
function commit(database: Database, batch: readonly Write[], now: () => number): readonly Result[] {
  try {
    return inTransaction(database, now(), (transaction) => runAll(batch, transaction));
  } catch (error) {
    if (!(error instanceof WriteFailed)) throw error;
  }
  return inTransaction(database, now(), (transaction) => runApart(database, batch, transaction));
}

function inTransaction(
  database: Database,
  now: number,
  work: (transaction: OpenTransaction) => readonly Result[],
): readonly Result[] {
  database.sql("BEGIN IMMEDIATE").run();
  try {
    const transaction = createTransaction(database, now);
    const results = work(transaction);
    transaction.writeHeads();
    database.sql("COMMIT").run();
    return results;
  } catch (error) {
    // Some faults have ended the transaction already.
    if (database.inTransaction) database.sql("ROLLBACK").run();
    throw error;
  }
}

/** One of the writes threw: not the fault of the others. */
class WriteFailed extends Error {}

/** The common case: nothing throws, and savepoints would be a third of the work. */
function runAll(batch: readonly Write[], transaction: OpenTransaction): readonly Result[] {
  return untilLate(batch, ({ work }) => {
    try {
      return { value: work(transaction) };
    } catch (error) {
      throw isBusy(error) ? error : new WriteFailed("a write failed", { cause: error });
    }
  });
}

function runApart(
  database: Database,
  batch: readonly Write[],
  transaction: OpenTransaction,
): readonly Result[] {
  return untilLate(batch, ({ work }) => {
    const restoreHeads = transaction.mark();
    database.sql("SAVEPOINT one").run();
    try {
      const value = work(transaction);
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

function untilLate(batch: readonly Write[], run: (write: Write) => Result): readonly Result[] {
  const start = performance.now();
  const results: Result[] = [];
  for (const write of batch) {
    results.push(run(write));
    if (performance.now() - start > LONGEST_MS) break;
  }
  return results;
}
