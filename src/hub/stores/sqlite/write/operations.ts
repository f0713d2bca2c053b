// Every write of the store, by name. A write is plain data that can be sent to another thread. It may run more than
// once, so it must do nothing but read and write the database.

import { changeAsk, claimDue, insertAsk, releaseKey } from "./ask-writes.js";
import { appendEntries, removeLog, restoreLog } from "./log-writes.js";
import { prune } from "./prune.js";
import { claimRecords, deleteRecord, putRecord } from "./record-writes.js";
import type { Transaction } from "./transaction.js";

interface Operations {
  readonly insert: typeof insertAsk;
  readonly change: typeof changeAsk;
  readonly releaseKey: typeof releaseKey;
  readonly claimDue: typeof claimDue;
  readonly prune: typeof prune;
  readonly append: typeof appendEntries;
  readonly removeLog: typeof removeLog;
  readonly restoreLog: typeof restoreLog;
  readonly put: typeof putRecord;
  readonly delete: typeof deleteRecord;
  readonly claim: typeof claimRecords;
}

const OPERATIONS: Operations = {
  insert: insertAsk,
  change: changeAsk,
  releaseKey,
  claimDue,
  prune,
  append: appendEntries,
  removeLog,
  restoreLog,
  put: putRecord,
  delete: deleteRecord,
  claim: claimRecords,
};

export type OperationName = keyof Operations;
export type Request<Name extends OperationName> = Parameters<Operations[Name]>[1];
export type Result<Name extends OperationName> = ReturnType<Operations[Name]>;

export interface Write {
  readonly name: OperationName;
  readonly request: Request<OperationName>;
}

export function perform(transaction: Transaction, { name, request }: Write): unknown {
  const operation: (transaction: Transaction, request: never) => unknown = OPERATIONS[name];
  return operation(transaction, request as never);
}
