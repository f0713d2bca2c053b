// Checks that the path of a store still leads to the opened file. SQLite continues to write to a file that was removed
// or replaced, and those writes would be lost.

import { type BigIntStats, statSync } from "node:fs";
import { AsklineError } from "../../../../core/model/error.js";

/** How often an idle store checks. A busy store checks after each commit. */
export const LOOK_MS = 500;

/** Returns a function that throws `store_unavailable` if the file was removed or replaced since now. */
export function rememberFile(path: string): () => void {
  const stat = (): BigIntStats | undefined => statSync(path, { bigint: true, throwIfNoEntry: false });
  const opened = stat();
  // SQLite also accepts `file:` URIs, which cannot be checked as paths.
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
