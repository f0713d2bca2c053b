import { changeRecordCases } from "./store-suite/change-records.js";
import { closingCases } from "./store-suite/closing.js";
import { commitCases } from "./store-suite/commits.js";
import { contentCases } from "./store-suite/contents.js";
import { deadlineCases } from "./store-suite/deadlines.js";
import { escalationCases } from "./store-suite/escalations.js";
import { eventCases } from "./store-suite/events.js";
import type { StoreCase } from "./store-suite/harness.js";
import { insertCases } from "./store-suite/inserts.js";
import { listCases, pendingCases } from "./store-suite/lists.js";
import { logCases } from "./store-suite/logs.js";
import { pruneCases } from "./store-suite/prune.js";
import { recordListCases } from "./store-suite/record-lists.js";
import { recordCases, recordClaimCases } from "./store-suite/records.js";
import { restoreCases } from "./store-suite/restores.js";
import { settleCases } from "./store-suite/settles.js";
import { sharingCases } from "./store-suite/sharing.js";
import { wholeLogCases } from "./store-suite/whole-logs.js";

/**
 * The contract of a store as test cases. A store must pass every case, except those whose needs it declares in `lacks`.
 *
 * @example
 * console.log(storeSuite.map(({ name }) => name));
 */
export const storeSuite: readonly StoreCase[] = [
  ...insertCases,
  ...settleCases,
  ...changeRecordCases,
  ...deadlineCases,
  ...escalationCases,
  ...eventCases,
  ...commitCases,
  ...logCases,
  ...wholeLogCases,
  ...listCases,
  ...pendingCases,
  ...recordCases,
  ...recordListCases,
  ...recordClaimCases,
  ...pruneCases,
  ...restoreCases,
  ...contentCases,
  ...closingCases,
  ...sharingCases,
];
