// Whether a response is one that this server may give: a known status, the one shape of an error, and nothing
// that tells of the inside.

import { isRecord } from "../../../src/core/kit/json.ts";
import { meaningOf } from "../../../src/core/model/error.js";
import { ERROR_CODES } from "../../../src/core/model/error.ts";
import type { ErrorCode } from "../../../src/index.ts";

export interface Received {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

const GOOD = new Set([200, 201, 204, 303]);
const INSIDE = /\n\s+at |node_modules|node:internal|\/dist\/|askline-inspected-|\bSQLITE_|file:\/\//;

/** What is wrong with it; undefined where nothing is. */
export function judge({ status, headers, body }: Received, method: string): string | undefined {
  if (INSIDE.test(body)) return `it tells of the inside: ${body.slice(0, 500)}`;
  if (GOOD.has(status)) return judgeGood(headers, body, method);
  // A route that this server does not offer, such as callbacks without a delivery, is the caller's mistake.
  if (status >= 500 && status !== meaningOf("unsupported").status) {
    return `a fault: ${status} ${body.slice(0, 500)}`;
  }
  if (!ERROR_CODES.some((code) => meaningOf(code).status === status))
    return `the server never sends the status ${status}`;
  if (headers["askline-request-id"] === undefined && !isPage(headers))
    return "an error without its request id";
  if (method === "HEAD") return undefined;
  if (isPage(headers))
    return body.startsWith("<!doctype html>") ? undefined : `no page: ${body.slice(0, 200)}`;
  return judgeError(status, body);
}

function judgeGood(headers: Received["headers"], body: string, method: string): string | undefined {
  if (method === "HEAD" || !String(headers["content-type"]).startsWith("application/json")) return undefined;
  return parsed(body) === undefined ? `no JSON: ${body.slice(0, 200)}` : undefined;
}

function judgeError(status: number, body: string): string | undefined {
  const told = parsed(body);
  const error = isRecord(told) ? told.error : undefined;
  if (!isRecord(error)) return `an error of another shape: ${body.slice(0, 500)}`;
  const code = ERROR_CODES.find((known) => known === error.code);
  if (code === undefined) return `an unknown code: ${String(error.code)}`;
  if (meaningOf(code).status !== status) return `${code} with the status ${status}`;
  if (typeof error.message !== "string" || error.message === "") return `${code} says nothing`;
  return undefined;
}

/** An error that came as a frame of a WebSocket. */
export function judgeFrameError(error: unknown): string | undefined {
  if (!isRecord(error)) return "an error frame without an error";
  const code = error.code as ErrorCode;
  if (!ERROR_CODES.includes(code)) return `an unknown code in a frame: ${String(code)}`;
  if (code === "internal" || code.startsWith("store_")) return `a fault in a frame: ${JSON.stringify(error)}`;
  return INSIDE.test(JSON.stringify(error)) ? `it tells of the inside: ${JSON.stringify(error)}` : undefined;
}

function isPage(headers: Received["headers"]): boolean {
  return String(headers["content-type"]).startsWith("text/html");
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
