import type { Issue } from "./issue.js";
import type { Outcome } from "./model/outcome.js";

export const ERROR_CODES = [
  "invalid_ask",
  "invalid_answer",
  "invalid_request",
  "invalid_json",
  "unsupported_media_type",
  "method_not_allowed",
  /** No credential, or one that is unknown, expired or revoked. */
  "unauthorized",
  /** A one-time code or a signed link that was never made here, was used up, or has run out. */
  "invalid_code",
  "invalid_link",
  "link_expired",
  /** The request names a host, or comes from a page, that this server does not serve. */
  "host_not_allowed",
  "origin_not_allowed",
  "wrong_kind",
  "not_found",
  "forbidden",
  "already_settled",
  "key_conflict",
  "too_large",
  /** Too much at once from one token or address: wait as long as it says, then go on. */
  "rate_limited",
  /** The request took too long to come. */
  "request_timeout",
  /** The position to read from was removed: take a snapshot and go on from its position. */
  "position_trimmed",
  "unsupported",
  /** No server could be reached, or what answered was none of ours. */
  "unreachable",
  /** A server cannot listen where it should. */
  "address_unavailable",
  "closed",
  /** The server holds as many connections, streams or waiting requests as it may. */
  "overloaded",
  "aborted",
  "store_unavailable",
  "store_busy",
  "store_full",
  "store_readonly",
  "store_corrupt",
  /** The store was written by a newer program that this one would damage. */
  "schema_newer",
  /** A fault of ours; the log has what it was. */
  "internal",
] as const;
export type ErrorCode = (typeof ERROR_CODES)[number];

/** Every fault that Askline raises: a code for programs, a message for people. */
export class AsklineError extends Error {
  override readonly name: string = "AsklineError";
  readonly code: ErrorCode;
  /** What exactly is wrong, for `invalid_ask` and `invalid_answer`. */
  readonly issues?: readonly Issue[];
  /** The outcome that stands, for `already_settled`. */
  readonly outcome?: Outcome;
  /** How long to wait before another try, where the other side has said so. */
  readonly retryAfterMs?: number;

  constructor(
    code: ErrorCode,
    message: string,
    details: {
      readonly issues?: readonly Issue[];
      readonly outcome?: Outcome;
      readonly retryAfterMs?: number;
      readonly cause?: unknown;
    } = {},
  ) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    if (details.issues !== undefined) this.issues = details.issues;
    if (details.outcome !== undefined) this.outcome = details.outcome;
    if (details.retryAfterMs !== undefined) this.retryAfterMs = details.retryAfterMs;
  }
}
