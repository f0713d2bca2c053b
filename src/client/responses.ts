// Reads error responses: the error for the caller, and whether another try may help.

import { ISSUE_CODES, type Issue } from "../core/kit/issue.js";
import { isRecord, jsonOf } from "../core/kit/json.js";
import {
  AsklineError,
  ERROR_CODES,
  type ErrorCode,
  type ErrorMeaning,
  meaningOf,
} from "../core/model/error.js";
import { FailedTry } from "./failed-try.js";
import { isOneOf, readOutcome } from "./wire.js";

// A wrong `Retry-After` must not stop a client for a day.
const LONGEST_RETRY_AFTER_MS = 5 * 60_000;
const MOST_SHOWN = 200;

export interface Refusal {
  /** The server that sent it. */
  readonly base: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The wall clock, for a `Retry-After` that is a date. */
  readonly now: number;
}

export function judgeResponse(refusal: Refusal): FailedTry {
  const { base, status, headers, text } = refusal;
  const afterMs = retryAfterOf(refusal);
  const body = jsonOf(text);
  const reported = isRecord(body) ? body.error : undefined;
  if (!isRecord(reported) || typeof reported.code !== "string") {
    const type = headers.get("content-type") ?? "no content type";
    const shown = text.replaceAll(/\s+/g, " ").trim().slice(0, MOST_SHOWN);
    const message = `${base} returned ${status}, but not from an Askline server (${type}): ${shown || "empty body"}`;
    return new FailedTry(new AsklineError(foreignCode(status), message), retryOf(status), { afterMs });
  }
  const known = isOneOf(ERROR_CODES, reported.code) ? reported.code : undefined;
  const message =
    (typeof reported.message === "string" && reported.message) || `the server returned ${status}`;
  const error = new AsklineError(
    known ?? codeOf(status),
    known === undefined ? `${message} (${reported.code})` : message,
    {
      issues: Array.isArray(reported.issues) ? reported.issues.flatMap(readIssue) : undefined,
      outcome: readOutcome(reported.outcome),
      retryAfterMs: afterMs || undefined,
    },
  );
  const retry = known === undefined ? retryOf(status) : meaningOf(known).retry;
  return new FailedTry(error, retry, { afterMs });
}

/** For a response without a code that this client knows. */
function retryOf(status: number): ErrorMeaning["retry"] {
  if (status === 408 || status === 425 || status === 429) return "here";
  // 501 will not work later either.
  return status >= 500 && status !== 501 ? "elsewhere" : "never";
}

/** For an error of ours whose code is newer than this client. */
function codeOf(status: number): ErrorCode {
  if (status === 401) return "unauthorized";
  if (status === 403) return "forbidden";
  if (status === 404) return "not_found";
  if (status === 413) return "too_large";
  if (status === 429) return "rate_limited";
  return status >= 500 ? "internal" : "invalid_request";
}

/** For a response from a proxy or another program: its 404 says nothing about the ask. */
function foreignCode(status: number): ErrorCode {
  if (status === 401) return "unauthorized";
  if (status === 403) return "forbidden";
  return status === 413 ? "too_large" : "unreachable";
}

function readIssue(value: unknown): readonly Issue[] {
  if (!isRecord(value) || typeof value.message !== "string" || !Array.isArray(value.path)) return [];
  const { code, message } = value;
  const path = value.path.filter((part) => typeof part === "string" || typeof part === "number");
  return [{ code: isOneOf(ISSUE_CODES, code) ? code : "invalid_value", path, message }];
}

/** `Retry-After` is a number of seconds or a date. */
function retryAfterOf({ headers, now }: Refusal): number {
  const text = headers.get("retry-after")?.trim() ?? "";
  const wanted = /^\d{1,9}$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - now;
  return wanted > 0 ? Math.min(wanted, LONGEST_RETRY_AFTER_MS) : 0;
}

const LONGEST = 1_000;

/** A valid header value; anything else would fail on every try, or arrive changed. */
export function headerValue(what: string, value: string): string {
  if (value.length <= LONGEST && /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(value)) return value;
  throw new AsklineError(
    "invalid_request",
    `${what} must be 1 to ${LONGEST} printable ASCII characters, with no space at either end`,
  );
}

/** The text of a response; throws a `RangeError` and stops reading beyond `maxBytes`. */
export async function readBody(response: Response, maxBytes: number): Promise<string> {
  if (response.body === null) return "";
  const reader = response.body.getReader();
  const decoder = new TextDecoder("utf-8");
  let text = "";
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    bytes += value.byteLength;
    if (bytes > maxBytes) {
      // Cancelling may fail on a broken connection; ignore that.
      reader.cancel().catch(() => undefined);
      throw new RangeError(`the response is longer than ${maxBytes} bytes`);
    }
    text += decoder.decode(value, { stream: true });
  }
  return text + decoder.decode();
}
