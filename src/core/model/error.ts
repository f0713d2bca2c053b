import type { Issue } from "../kit/issue.js";
import type { Outcome } from "./outcome.js";

/** The meaning of an error code. */
export interface ErrorMeaning {
  /** The HTTP status. */
  readonly status: number;
  /** Who has to fix it: the caller, the server's operator, or nobody, because a limit was reached or the server is stopping. */
  readonly fault: "caller" | "server" | "nobody";
  /**
   * Whether a retry can succeed:
   * - `never`: it would fail the same way.
   * - `fixed`: only after the caller fixes what the message names, for example by signing in.
   * - `here`: later, at the same server.
   * - `elsewhere`: at once at another server, if there is one, or later at this one.
   */
  readonly retry: "never" | "fixed" | "here" | "elsewhere";
  /** The exit code of a command for invalid input; 1 for everything else. */
  readonly exit?: 2;
  /**
   * The HTTP operations that can return it: all, those with a credential, those with one or that change something,
   * those with a body, or none. If absent, only operations that list it themselves.
   */
  readonly operations?: "all" | "authorized" | "guarded" | "body" | "none";
}

/** The only list of codes. The enum in the OpenAPI document has the same order. */
const MEANINGS = {
  /** The ask breaks a rule of its fields; `issues` lists every problem. */
  invalid_ask: { status: 422, fault: "caller", retry: "fixed", exit: 2 },
  /** The answer does not fit the ask; `issues` lists every problem. */
  invalid_answer: { status: 422, fault: "caller", retry: "fixed", exit: 2 },
  /** A parameter, header, option or field that is missing, unknown or not valid. */
  invalid_request: { status: 400, fault: "caller", retry: "fixed", exit: 2, operations: "all" },
  /** The body is not JSON. */
  invalid_json: { status: 400, fault: "caller", retry: "fixed", operations: "body" },
  /** The body has another content type than the route takes. */
  unsupported_media_type: { status: 415, fault: "caller", retry: "fixed", operations: "body" },
  /** The path exists, but not with this method; the `Allow` header lists its methods. */
  method_not_allowed: { status: 405, fault: "caller", retry: "fixed", operations: "none" },
  /** No credential, or one that is unknown, expired or revoked. */
  unauthorized: { status: 401, fault: "caller", retry: "fixed", operations: "authorized" },
  /** A one-time code that is unknown, used or expired. */
  invalid_code: { status: 401, fault: "caller", retry: "never" },
  /** A signed link that this server did not make. */
  invalid_link: { status: 401, fault: "caller", retry: "never", operations: "authorized" },
  /** An expired signed link. */
  link_expired: { status: 410, fault: "caller", retry: "never", operations: "authorized" },
  /** The request names a host that this server does not serve; see `publicUrl` and `allowedHosts`. */
  host_not_allowed: { status: 421, fault: "caller", retry: "fixed", operations: "all" },
  /** A page of another origin sent a request that changes something, or one with a sign-in that its browser added. */
  origin_not_allowed: { status: 403, fault: "caller", retry: "fixed", operations: "guarded" },
  /** Answers for an approval, or decisions for questions. */
  wrong_kind: { status: 422, fault: "caller", retry: "never", exit: 2 },
  /** No such route or ask, or the caller may not see it. */
  not_found: { status: 404, fault: "caller", retry: "never", exit: 2 },
  /** The role of the credential does not allow this. */
  forbidden: { status: 403, fault: "caller", retry: "fixed", operations: "authorized" },
  /** The ask has already ended; `outcome` is the one that is stored. */
  already_settled: { status: 409, fault: "caller", retry: "never" },
  /** The key belongs to an ask with other contents. */
  key_conflict: { status: 409, fault: "caller", retry: "fixed" },
  /** The asker has as many pending asks, or as much stored, as it may. */
  quota_exceeded: { status: 403, fault: "caller", retry: "fixed" },
  /** A body, a header or a form above its limit. */
  too_large: { status: 413, fault: "caller", retry: "fixed", exit: 2, operations: "all" },
  /** Too many requests from one token or address. */
  rate_limited: { status: 429, fault: "caller", retry: "here", operations: "all" },
  /** The request took too long to arrive. */
  request_timeout: { status: 408, fault: "caller", retry: "here", operations: "all" },
  /** The position to read from was removed: take a snapshot and continue from its position. */
  position_trimmed: { status: 410, fault: "caller", retry: "fixed" },
  /** The route has been removed; the message says what to use instead. */
  gone: { status: 410, fault: "caller", retry: "never" },
  /** The store or the server does not have this capability. */
  unsupported: { status: 501, fault: "caller", retry: "never" },
  /** No server responded, or the response is not from an Askline server. Raised by clients only. */
  unreachable: { status: 502, fault: "server", retry: "elsewhere", operations: "none" },
  /** A server cannot listen on its address. */
  address_unavailable: { status: 503, fault: "server", retry: "elsewhere", operations: "none" },
  /** The server or the hub is shutting down. */
  closed: { status: 503, fault: "nobody", retry: "elsewhere", operations: "all" },
  /** The server has reached its limit of connections, streams or waiting requests. */
  overloaded: { status: 503, fault: "nobody", retry: "elsewhere", operations: "all" },
  /** Over HTTP: the server ended a wait, and the client asks again. */
  aborted: { status: 503, fault: "nobody", retry: "elsewhere", operations: "all" },
  /** The store does not respond, or its disk fails. */
  store_unavailable: { status: 503, fault: "server", retry: "elsewhere", operations: "all" },
  /** Another process has locked the store for too long. */
  store_busy: { status: 503, fault: "server", retry: "elsewhere", operations: "all" },
  /** The disk of the store has no space left. */
  store_full: { status: 507, fault: "server", retry: "elsewhere", operations: "all" },
  /** The store cannot be written. */
  store_readonly: { status: 503, fault: "server", retry: "elsewhere", operations: "all" },
  /** The store is damaged. */
  store_corrupt: { status: 500, fault: "server", retry: "elsewhere", operations: "all" },
  /** The store was written by a newer version, whose data this version would damage. */
  schema_newer: { status: 500, fault: "server", retry: "elsewhere", operations: "all" },
  /** A bug in Askline; the log has the details. */
  internal: { status: 500, fault: "server", retry: "elsewhere", operations: "all" },
} as const;
export type ErrorCode = keyof typeof MEANINGS;
export const ERROR_CODES: readonly ErrorCode[] = Object.keys(MEANINGS) as ErrorCode[];

export function meaningOf(code: ErrorCode): ErrorMeaning {
  return MEANINGS[code];
}

/** Whether a caller may see the message. The message of a server fault may contain paths and queries, so it is only logged. */
export function isPublic(error: unknown): error is AsklineError {
  return error instanceof AsklineError && meaningOf(error.code).fault !== "server";
}

/** The error that Askline throws: a code for programs, a message for people. */
export class AsklineError extends Error {
  override readonly name: string = "AsklineError";
  readonly code: ErrorCode;
  /** The validation problems, for `invalid_ask` and `invalid_answer`. */
  readonly issues?: readonly Issue[];
  /** The outcome that stands, for `already_settled`. */
  readonly outcome?: Outcome;
  /** How long to wait before a retry, if the server said so. */
  readonly retryAfterMs?: number;

  constructor(
    code: ErrorCode,
    message: string,
    details: {
      readonly issues?: readonly Issue[] | undefined;
      readonly outcome?: Outcome | undefined;
      readonly retryAfterMs?: number | undefined;
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

export function noSuchAsk(id: string): AsklineError {
  return new AsklineError("not_found", `there is no ask ${id}; it may have been pruned`);
}

export function isAlreadySettled(error: unknown): boolean {
  return error instanceof AsklineError && error.code === "already_settled";
}

/** The result of ending an ask; undefined if the ask had already ended. */
export async function unlessSettled<Result>(ending: Promise<Result>): Promise<Result | undefined> {
  try {
    return await ending;
  } catch (error) {
    if (isAlreadySettled(error)) return undefined;
    throw error;
  }
}
