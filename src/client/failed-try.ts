// One try that did not work, and what may be done about it.

import type { ErrorMeaning } from "../core/error.js";
import { AsklineError } from "../core/index.js";

export class FailedTry extends Error {
  override readonly name: string = "FailedTry";
  /** What the caller gets if there is no other try. */
  readonly error: AsklineError;
  readonly retry: ErrorMeaning["retry"];
  /** The server asked for this much patience. */
  readonly afterMs: number;
  /** It claimed success, but what came is not what an Askline server sends. */
  readonly malformed: boolean;

  constructor(
    error: AsklineError,
    retry: ErrorMeaning["retry"],
    details: { readonly afterMs?: number; readonly malformed?: boolean } = {},
  ) {
    super(error.message);
    this.error = error;
    this.retry = retry;
    this.afterMs = details.afterMs ?? 0;
    this.malformed = details.malformed ?? false;
  }
}

/** What came in a successful response is not what the contract says. Cut off, perhaps: worth another try. */
export function malformed(what: string): FailedTry {
  const message = `the server's response cannot be used: ${what}; is the url that of an Askline server?`;
  return new FailedTry(new AsklineError("unreachable", message), "elsewhere", { malformed: true });
}

/** Whatever kept a request from getting its response. */
export function unreachable(base: string, cause: unknown): FailedTry {
  return new FailedTry(
    new AsklineError("unreachable", `cannot reach ${base}: ${reasonOf(cause)}`, { cause }),
    "elsewhere",
  );
}

/** Node hides the reason in the cause of "fetch failed"; browsers tell none. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  if (!(cause instanceof Error)) return error.message;
  // Where several addresses were tried, the error around them has a code and no message.
  const code = "code" in cause && typeof cause.code === "string" ? cause.code : "";
  return cause.message || code || error.message;
}
