import type { Issue } from "../kit/issue.js";
import type { Outcome } from "./outcome.js";

/** What a code means. */
export interface ErrorMeaning {
  /** How HTTP says it. */
  readonly status: number;
  /** What is wrong is the request, or the server or its store, or neither: a limit was reached, or the server stops. */
  readonly fault: "caller" | "server" | "nobody";
  /**
   * Whether another try may work:
   * - `never`: it would fail the same way.
   * - `fixed`: only after the caller has fixed what the message names, such as by signing in.
   * - `here`: at the same server, later.
   * - `elsewhere`: at another server at once, if there is one, and at this one later.
   */
  readonly retry: "never" | "fixed" | "here" | "elsewhere";
  /** The exit code of a command: 2 where its input cannot be used, 1 for everything else. */
  readonly exit: 1 | 2;
  /**
   * The HTTP operations that can end with it: all of them, those that need a credential, change something or have
   * a body, only operations that name it themselves, or none.
   */
  readonly operations: "all" | "authorized" | "changing" | "body" | "own" | "none";
}

/** The one statement of every code. Its order is that of the enum in the API's document. */
const MEANINGS = {
  invalid_ask: { status: 422, fault: "caller", retry: "fixed", exit: 2, operations: "own" },
  invalid_answer: { status: 422, fault: "caller", retry: "fixed", exit: 2, operations: "own" },
  invalid_request: { status: 400, fault: "caller", retry: "fixed", exit: 2, operations: "all" },
  invalid_json: { status: 400, fault: "caller", retry: "fixed", exit: 1, operations: "body" },
  unsupported_media_type: { status: 415, fault: "caller", retry: "fixed", exit: 1, operations: "body" },
  /** Said of a path, not of an operation. */
  method_not_allowed: { status: 405, fault: "caller", retry: "fixed", exit: 1, operations: "none" },
  /** No credential, or one that is unknown, expired or revoked. */
  unauthorized: { status: 401, fault: "caller", retry: "fixed", exit: 1, operations: "authorized" },
  /** A one-time code that was never made here, was used already, or has expired. */
  invalid_code: { status: 401, fault: "caller", retry: "never", exit: 1, operations: "own" },
  /** A signed link that was never made here. */
  invalid_link: { status: 401, fault: "caller", retry: "never", exit: 1, operations: "authorized" },
  link_expired: { status: 410, fault: "caller", retry: "never", exit: 1, operations: "authorized" },
  /** The request names a host, or comes from a page, that this server does not serve. */
  host_not_allowed: { status: 421, fault: "caller", retry: "fixed", exit: 1, operations: "all" },
  origin_not_allowed: { status: 403, fault: "caller", retry: "fixed", exit: 1, operations: "changing" },
  wrong_kind: { status: 422, fault: "caller", retry: "never", exit: 2, operations: "own" },
  not_found: { status: 404, fault: "caller", retry: "never", exit: 2, operations: "own" },
  forbidden: { status: 403, fault: "caller", retry: "fixed", exit: 1, operations: "authorized" },
  already_settled: { status: 409, fault: "caller", retry: "never", exit: 1, operations: "own" },
  key_conflict: { status: 409, fault: "caller", retry: "fixed", exit: 1, operations: "own" },
  too_large: { status: 413, fault: "caller", retry: "fixed", exit: 2, operations: "all" },
  /** Too much at once from one token or address. */
  rate_limited: { status: 429, fault: "caller", retry: "here", exit: 1, operations: "all" },
  /** The request took too long to arrive. */
  request_timeout: { status: 408, fault: "caller", retry: "here", exit: 1, operations: "all" },
  /** The position to read from was removed: take a snapshot and go on from its position. */
  position_trimmed: { status: 410, fault: "caller", retry: "fixed", exit: 1, operations: "own" },
  unsupported: { status: 501, fault: "caller", retry: "never", exit: 1, operations: "own" },
  /** No server could be reached, or what answered is not an Askline server. Said by clients only. */
  unreachable: { status: 502, fault: "server", retry: "elsewhere", exit: 1, operations: "none" },
  /** A server cannot listen where it should. */
  address_unavailable: { status: 503, fault: "server", retry: "elsewhere", exit: 1, operations: "none" },
  closed: { status: 503, fault: "nobody", retry: "elsewhere", exit: 1, operations: "all" },
  /** The server holds as many connections, streams or waiting requests as it may. */
  overloaded: { status: 503, fault: "nobody", retry: "elsewhere", exit: 1, operations: "all" },
  /** Over HTTP: the server gave up a wait, and the client comes again. */
  aborted: { status: 503, fault: "nobody", retry: "elsewhere", exit: 1, operations: "all" },
  store_unavailable: { status: 503, fault: "server", retry: "elsewhere", exit: 1, operations: "all" },
  store_busy: { status: 503, fault: "server", retry: "elsewhere", exit: 1, operations: "all" },
  store_full: { status: 507, fault: "server", retry: "elsewhere", exit: 1, operations: "all" },
  store_readonly: { status: 503, fault: "server", retry: "elsewhere", exit: 1, operations: "all" },
  store_corrupt: { status: 500, fault: "server", retry: "elsewhere", exit: 1, operations: "all" },
  /** The store was written by a newer program that this one would damage. */
  schema_newer: { status: 500, fault: "server", retry: "elsewhere", exit: 1, operations: "all" },
  /** A mistake of ours; the log has what it was. */
  internal: { status: 500, fault: "server", retry: "elsewhere", exit: 1, operations: "all" },
} as const;
export type ErrorCode = keyof typeof MEANINGS;
export const ERROR_CODES: readonly ErrorCode[] = Object.keys(MEANINGS) as ErrorCode[];

export function meaningOf(code: ErrorCode): ErrorMeaning {
  return MEANINGS[code];
}

/** Whether a caller may read the message. That of a server's fault may name paths and queries: it is for the log. */
export function isPublic(error: unknown): error is AsklineError {
  return error instanceof AsklineError && meaningOf(error.code).fault !== "server";
}

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
