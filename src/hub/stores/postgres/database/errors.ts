// Maps errors of PostgreSQL and its driver to a retry or to an askline error code.

import { AsklineError, type ErrorCode } from "../../../../core/model/error.js";

/** The statement was rolled back because of a conflict; nothing was written, and a retry can succeed. */
const ROLLED_BACK = new Set([
  "40001", // serialization failure
  "40P01", // deadlock
  "55P03", // lock timeout
]);

/** The connection or the server failed. It is unknown whether the statement was committed. */
const LOST = new Set([
  "57P01", // the administrator ended the connection
  "57P02", // another process of the server crashed
  "57P03", // the server is starting up or shutting down
  "57014", // statement timeout
  "53300", // too many connections
  "25P03", // idle-in-transaction timeout
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "ENOENT", // the socket file does not exist while the server starts
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
]);

/** Messages of driver errors that have no code. */
const LOST_WORDS =
  /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect|Query read timeout|Client was closed|Cannot use a pool after|Client network socket disconnected)/i;

/** Names of constraints in our schema that fail only because of a concurrent writer or an earlier try. */
export const RACED = "raced_with_another_writer";
export const WRITTEN_BEFORE = "log_entries_written_before";

export function isTransient(error: unknown): boolean {
  const { code, constraint } = detailsOf(error);
  return isLost(error) || ROLLED_BACK.has(code) || constraint === RACED || constraint === WRITTEN_BEFORE;
}

/** Whether the connection is unusable. The statement may still have been committed. */
export function isLost(error: unknown): boolean {
  if (error instanceof AsklineError) return false;
  const { code, message } = detailsOf(error);
  return LOST.has(code) || code.startsWith("08") || LOST_WORDS.test(message);
}

/** Whether this is the error of a call that gave up because the server was unreachable for too long. */
export function gaveUp(error: unknown): boolean {
  return error instanceof AsklineError && isLost(error.cause);
}

/** Whether the client stopped waiting. This connection, and others of its pool, may be half open. */
export function isTimeout(error: unknown): boolean {
  return /^(Query read timeout|timeout exceeded|Connection terminated due to connection timeout)/.test(
    detailsOf(error).message,
  );
}

const NEEDS_SESSIONS =
  "a pooler shares the connections to PostgreSQL: connect directly, or through a pooler in session mode";

const CODES: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  "53100": ["store_full", "the disk of PostgreSQL is full"],
  "25006": ["store_readonly", "this PostgreSQL server is read-only, perhaps a standby"],
  "54000": ["too_large", "too large for PostgreSQL to store"],
  "28P01": ["store_unavailable", "PostgreSQL refused the password: check the user and the password"],
  "28000": ["store_unavailable", "PostgreSQL refused the login: check the user and pg_hba.conf"],
  "3D000": ["store_unavailable", "the database does not exist: create it first"],
  "42501": ["store_unavailable", "the PostgreSQL user lacks a permission: grant it the schema"],
  "26000": ["store_unavailable", NEEDS_SESSIONS],
  "42P05": ["store_unavailable", NEEDS_SESSIONS],
  XX001: ["store_corrupt", "PostgreSQL reports damaged data"],
  XX002: ["store_corrupt", "PostgreSQL reports a damaged index"],
  "42P01": ["store_corrupt", "tables of the store are missing: were they removed while it was open?"],
  "3F000": ["store_corrupt", "the schema of the store is missing: was it removed while it was open?"],
};

/** Turns any error into an `AsklineError`. The driver's messages never contain the URL or its password. */
export function toAsklineError(error: unknown): AsklineError {
  if (error instanceof AsklineError) return error;
  const { code, message } = detailsOf(error);
  const [asklineCode, text] = CODES[code] ?? ["store_unavailable", "PostgreSQL refused a statement"];
  return new AsklineError(asklineCode, `${text} (${message}${code === "" ? "" : `, ${code}`})`, {
    cause: error,
  });
}

/** A readable reason why the server cannot be reached. */
export function reasonOf(error: unknown): string {
  const { code, message } = detailsOf(error);
  return message === "" ? code : message;
}

function detailsOf(error: unknown): {
  readonly code: string;
  readonly constraint: string;
  readonly message: string;
} {
  const fields = (typeof error === "object" && error !== null ? error : {}) as Readonly<
    Record<string, unknown>
  >;
  const text = (value: unknown): string => (typeof value === "string" ? value : "");
  // Node tries every address of a host and reports the failures in one AggregateError.
  const [first] = Array.isArray(fields.errors) ? (fields.errors as readonly unknown[]) : [];
  return first !== undefined && text(fields.message) === ""
    ? detailsOf(first)
    : { code: text(fields.code), constraint: text(fields.constraint), message: text(fields.message) };
}
