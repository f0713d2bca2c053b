import { AsklineError } from "../../../../core/model/error.js";

// PostgreSQL text cannot hold NUL. A lone surrogate has no UTF-8 form, so the driver could turn two different names
// into the same one. JSON escapes both, so only names need this check.
const UNSTORABLE = /\0|\p{Surrogate}/u;

/** Whether PostgreSQL can store a name unchanged. A lookup of any other name finds nothing. */
export function isStorable(name: string): boolean {
  return !UNSTORABLE.test(name);
}

/** Throws if PostgreSQL cannot store a name unchanged. */
export function requireStorable(...names: readonly (string | undefined)[]): void {
  for (const name of names) {
    if (name === undefined || isStorable(name)) continue;
    throw new AsklineError(
      "unsupported",
      `PostgreSQL cannot store this name: ${JSON.stringify(name)} holds a NUL or half of a character`,
    );
  }
}
