// Whether the path of a store still leads to the file that was opened. SQLite goes on writing to a file that was
// removed or replaced, and nobody would find what it stores.

import { type BigIntStats, statSync } from "node:fs";
import { AsklineError } from "../../../core/model/error.js";

/** How often an idle store looks; a busy one looks after each commit. */
export const LOOK_MS = 500;

/** Returns a function that throws `store_unavailable` if the file was removed or replaced since now. */
export function rememberFile(path: string): () => void {
  const stat = (): BigIntStats | undefined => statSync(path, { bigint: true, throwIfNoEntry: false });
  const opened = stat();
  // SQLite takes `file:` URIs too, which are no paths to look at.
  if (opened === undefined) return () => undefined;
  return () => {
    const found = stat();
    if (found !== undefined && found.ino === opened.ino && found.dev === opened.dev) return;
    throw new AsklineError(
      "store_unavailable",
      `the file ${path} was ${found === undefined ? "removed" : "replaced"} while the store was open: nothing more is stored; put the file back or restore a backup, then start again`,
    );
  };
}
