// What PostgreSQL and its driver say, and what it means for a call: try again, or one of our codes.

import { AsklineError, type ErrorCode } from "../../../core/index.js";

/** Rolled back for a reason that is gone by the next try; nothing was written. */
const ROLLED_BACK = new Set([
  "40001", // serialization failure
  "40P01", // deadlock
  "55P03", // a lock was not to be had in time
]);

/** The connection or the server went away: whether the statement was committed is unknown. */
const LOST = new Set([
  "57P01", // the administrator ended the connection
  "57P02", // another process of the server crashed
  "57P03", // the server starts up or shuts down
  "57014", // the statement took too long
  "53300", // too many connections
  "25P03", // idle in a transaction for too long
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "ENOENT", // a socket file that is not there while the server starts
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
]);

/** The driver's own words, which have no code. */
const LOST_WORDS =
  /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect|Query read timeout|Client was closed|Cannot use a pool after|Client network socket disconnected)/i;

/** Names that this schema gives to what another writer at the same moment makes fail. */
export const RACED = "raced_with_another_writer";
export const WRITTEN_BEFORE = "log_entries_written_before";

export function isTransient(error: unknown): boolean {
  const { code, constraint } = detailsOf(error);
  return isLost(error) || ROLLED_BACK.has(code) || constraint === RACED || constraint === WRITTEN_BEFORE;
}

/** Whether the connection is of no more use, and the statement may have been committed all the same. */
export function isLost(error: unknown): boolean {
  if (error instanceof AsklineError) return false;
  const { code, message } = detailsOf(error);
  return LOST.has(code) || code.startsWith("08") || LOST_WORDS.test(message);
}

/** Whether an error of ours says that the server was away for longer than we wait for it. */
export function gaveUp(error: unknown): boolean {
  return error instanceof AsklineError && isLost(error.cause);
}

/** Whether the client gave up waiting: the connection may be half open, and so may its neighbours. */
export function isTimeout(error: unknown): boolean {
  return /^(Query read timeout|timeout exceeded|Connection terminated due to connection timeout)/.test(
    detailsOf(error).message,
  );
}

const CODES: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  "53100": ["store_full", "the disk of PostgreSQL is full"],
  "25006": ["store_readonly", "this PostgreSQL server is read-only, perhaps a standby"],
  "54000": ["too_large", "too large for PostgreSQL to store"],
  "28P01": ["store_unavailable", "PostgreSQL refused the password: check the user and the password"],
  "28000": ["store_unavailable", "PostgreSQL refused the login: check the user and pg_hba.conf"],
  "3D000": ["store_unavailable", "the database does not exist: create it first"],
  "42501": ["store_unavailable", "the PostgreSQL user lacks a permission: grant it the schema"],
  XX001: ["store_corrupt", "PostgreSQL reports damaged data"],
  XX002: ["store_corrupt", "PostgreSQL reports a damaged index"],
  "42P01": ["store_corrupt", "tables of the store are missing: were they removed while it was open?"],
  "3F000": ["store_corrupt", "the schema of the store is missing: was it removed while it was open?"],
};

/** Any error as one of ours. The driver's message never holds a password; a URL does, and is not in it. */
export function toAsklineError(error: unknown): AsklineError {
  if (error instanceof AsklineError) return error;
  const { code, message } = detailsOf(error);
  const [ours, text] = CODES[code] ?? ["store_unavailable", "PostgreSQL refused a statement"];
  return new AsklineError(ours, `${text} (${message}${code === "" ? "" : `, ${code}`})`, { cause: error });
}

/** For people: why the server cannot be reached. */
export function reasonOf(error: unknown): string {
  const { code, message } = detailsOf(error);
  return message === "" ? code : message;
}

function detailsOf(error: unknown): {
  readonly code: string;
  readonly constraint: string;
  readonly message: string;
} {
  const given = (typeof error === "object" && error !== null ? error : {}) as Readonly<
    Record<string, unknown>
  >;
  const text = (value: unknown): string => (typeof value === "string" ? value : "");
  // Node tries all addresses of a host and reports their failures together.
  const [first] = Array.isArray(given.errors) ? (given.errors as readonly unknown[]) : [];
  return first !== undefined && text(given.message) === ""
    ? detailsOf(first)
    : { code: text(given.code), constraint: text(given.constraint), message: text(given.message) };
}
