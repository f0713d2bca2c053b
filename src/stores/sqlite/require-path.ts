import { resolve } from "node:path";
import { AsklineError } from "../../core/error.js";

// Absolute, so that a later change of the folder does not change the file, and so that SQLite does not take
// a path that begins with `file:` for more than a path.
export function requirePath(path: string): string {
  if (path === "" || path === ":memory:") {
    throw new AsklineError(
      "store_unavailable",
      "an SQLite store is a file: give it a path, or use memoryStore() to keep nothing",
    );
  }
  return resolve(path);
}
