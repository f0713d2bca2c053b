import { AsklineError } from "../../../core/index.js";

// PostgreSQL's text has no NUL, and half of a surrogate pair has no UTF-8: the driver would turn two names
// that differ into the same. JSON escapes both, so this is about names only.
const UNSTORABLE = /\0|\p{Surrogate}/u;

/** Whether PostgreSQL could give a name back as it is. What is not storable is not there. */
export function isStorable(name: string): boolean {
  return !UNSTORABLE.test(name);
}

/** Refuses to store a name that PostgreSQL could not give back as it is. */
export function requireStorable(...names: readonly (string | undefined)[]): void {
  for (const name of names) {
    if (name === undefined || isStorable(name)) continue;
    throw new AsklineError(
      "unsupported",
      `PostgreSQL cannot store this name: ${JSON.stringify(name)} holds a NUL or half of a character`,
    );
  }
}
