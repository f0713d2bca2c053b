import { AsklineError } from "../../../core/model/error.js";

/** The last build that migrates all earlier schemas, to those that this one reads. */
export const LAST_MIGRATING_BUILD = "the askline of 18 November 2026 (commit 5fc79a2)";

export function tooOld(store: string, version: number, known: number): AsklineError {
  return new AsklineError(
    "store_unavailable",
    `${store} has schema ${version}, and this askline reads schema ${known} and newer: ` +
      `open it once with ${LAST_MIGRATING_BUILD}, which migrates it, or choose another one`,
  );
}
