import { changeAsk } from "./change-ask.js";
import { claimDue } from "./due.js";
import { insertAsk } from "./insert-ask.js";
import { removeLog, restoreLog } from "./log-writes.js";
import type { OperationName, Operations } from "./operations.js";
import { prune } from "./prune.js";
import { claimRecords, deleteRecord, putRecord } from "./record-writes.js";
import { restoreAsk } from "./restore-ask.js";
import type { Transaction } from "./transaction.js";

type Perform = {
  readonly [Name in OperationName]: (
    transaction: Transaction,
    request: Operations[Name]["request"],
  ) => Operations[Name]["result"];
};

const PERFORM: Perform = {
  insert: insertAsk,
  change: changeAsk,
  claimDue,
  restore: restoreAsk,
  prune,
  append: (transaction, entries) => transaction.append(entries),
  removeLog,
  restoreLog,
  put: putRecord,
  delete: deleteRecord,
  claim: claimRecords,
};

/** Makes one write. It does nothing but read and write the database: it may have to be made again. */
export function perform<Name extends OperationName>(
  transaction: Transaction,
  name: Name,
  request: Operations[Name]["request"],
): Operations[Name]["result"] {
  return PERFORM[name](transaction, request);
}
