// One failed try, and whether another one may help.

import { AsklineError, type ErrorMeaning } from "../core/model/error.js";

export class FailedTry extends Error {
  override readonly name: string = "FailedTry";
  /** What the caller gets if there is no other try. */
  readonly error: AsklineError;
  readonly retry: ErrorMeaning["retry"];
  /** How long the server asked the client to wait before the next try. */
  readonly afterMs: number;
  /** The status was a success, but the body is not what an Askline server sends. */
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

/** A successful response with an invalid body. It may have been cut off, so it is worth another try. */
export function malformed(what: string): FailedTry {
  const message = `the server sent an invalid response: ${what}; check that the url is an Askline server`;
  return new FailedTry(new AsklineError("unreachable", message), "elsewhere", { malformed: true });
}

/** A request that got no response. */
export function unreachable(base: string, cause: unknown): FailedTry {
  return new FailedTry(
    new AsklineError("unreachable", `cannot reach ${base}: ${reasonOf(cause)}`, { cause }),
    "elsewhere",
  );
}

/** Node puts the reason into the cause of "fetch failed"; browsers give none. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  if (!(cause instanceof Error)) return error.message;
  // If several addresses were tried, the outer error has a code and no message.
  const code = "code" in cause && typeof cause.code === "string" ? cause.code : "";
  return cause.message || code || error.message;
}
