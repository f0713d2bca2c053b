// Asks come into most indexes many at a time. Their entries there are spread over as many pages as there are sessions
// and askers, and a page costs a commit the same for one entry as for twenty; and most asks have ended by the time they
// are filed, and were never in those of the pending.
//
//   unfiled, pending --filed--> in the indexes of the pending --ends--> unfiled, ended
//                    --ends---> unfiled, ended --filed--> in the indexes of the ended

import type { Database } from "./driver.js";

/** Positions of the event log. So there are never more than as many asks that are not filed, and mostly half. */
const EVERY = 512;
export const FILE: string = "UPDATE asks SET filed = 1 WHERE filed = 0";

/**
 * Whether whoever has written this event is to file what is not filed. The position says so, and not a count: there
 * may be many processes, each of which writes only a few.
 */
export function isFilingDue(position: number): boolean {
  return position % EVERY === 0;
}

export function fileAsks(database: Database): void {
  database.sql(FILE).run();
}
