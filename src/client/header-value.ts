import { AsklineError } from "../core/index.js";

const LONGEST = 1_000;

/** A value that can be sent in a header; anything else would fail on every try, or say something it does not. */
export function headerValue(what: string, value: string): string {
  if (value.length <= LONGEST && /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(value)) return value;
  throw new AsklineError(
    "invalid_request",
    `${what} must be 1 to ${LONGEST} printable ASCII characters without spaces around them`,
  );
}
