// What a response that is no success means: whose fault it is, and whether another try may help.

import { ERROR_CODES, type ErrorCode, type ErrorMeaning, meaningOf } from "../core/error.js";
import { AsklineError, ISSUE_CODES, type Issue, isRecord } from "../core/index.js";
import { FailedTry } from "./failed-try.js";
import { isOneOf, readOutcome } from "./wire.js";

// A longer wish is no wish to be asked again, and a wrong one must not stop a client for a day.
const LONGEST_PATIENCE_MS = 5 * 60_000;
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
  const afterMs = patienceOf(refusal);
  const body = jsonOf(text);
  const said = isRecord(body) ? body.error : undefined;
  if (!isRecord(said) || typeof said.code !== "string") {
    const type = headers.get("content-type") ?? "no content type";
    const shown = text.replaceAll(/\s+/g, " ").trim().slice(0, MOST_SHOWN);
    const message = `${base} answered ${status} with something that is not Askline's (${type}): ${shown || "nothing"}`;
    return new FailedTry(new AsklineError(strangerCode(status), message), retryOf(status), { afterMs });
  }
  const known = isOneOf(ERROR_CODES, said.code) ? said.code : undefined;
  const message = (typeof said.message === "string" && said.message) || `the server answered ${status}`;
  const outcome = readOutcome(said.outcome);
  const error = new AsklineError(
    known ?? codeOf(status),
    known === undefined ? `${message} (${said.code})` : message,
    {
      ...(Array.isArray(said.issues) && { issues: said.issues.flatMap(readIssue) }),
      ...(outcome !== undefined && { outcome }),
      ...(afterMs > 0 && { retryAfterMs: afterMs }),
    },
  );
  const retry = known === undefined ? retryOf(status) : meaningOf(known).retry;
  return new FailedTry(error, retry, { afterMs });
}

/** For a response without a code that this client knows. */
function retryOf(status: number): ErrorMeaning["retry"] {
  if (status === 408 || status === 425 || status === 429) return "here";
  // 501 is a promise that it will not work later either.
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

/** For what a proxy or another program says. That it knows no such page says nothing about the ask. */
function strangerCode(status: number): ErrorCode {
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
function patienceOf({ headers, now }: Refusal): number {
  const given = headers.get("retry-after")?.trim() ?? "";
  const wanted = /^\d{1,9}$/.test(given) ? Number(given) * 1_000 : Date.parse(given) - now;
  return wanted > 0 ? Math.min(wanted, LONGEST_PATIENCE_MS) : 0;
}

const LONGEST = 1_000;

/** A value that can be sent in a header; anything else would fail on every try, or say something it does not. */
export function headerValue(what: string, value: string): string {
  if (value.length <= LONGEST && /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(value)) return value;
  throw new AsklineError(
    "invalid_request",
    `${what} must be 1 to ${LONGEST} printable ASCII characters without spaces around them`,
  );
}

/** The text of a response; a `RangeError` where it is longer than `maxBytes`, which then is not read on. */
export async function readBody(response: Response, maxBytes: number): Promise<string> {
  if (response.body === null) return "";
  const reader = response.body.getReader();
  const decoder = new TextDecoder("utf-8");
  const parts: string[] = [];
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    bytes += value.byteLength;
    if (bytes > maxBytes) {
      // Cancelling may fail on a broken connection; there is nothing left to do then.
      reader.cancel().catch(() => undefined);
      throw new RangeError(`the response is longer than ${maxBytes} bytes`);
    }
    parts.push(decoder.decode(value, { stream: true }));
  }
  parts.push(decoder.decode());
  return parts.join("");
}

/** The value that a text holds as JSON; undefined where it holds none. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
