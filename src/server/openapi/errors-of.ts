// Which errors an operation can end with: those of its own, and those that come from what all such do.

import { ERROR_CODES, type ErrorCode } from "../../core/index.js";
import type { Operation } from "../operation.js";

/** Where an error comes from. The table is total: a new code has to say. */
const CAUSES: Readonly<Record<ErrorCode, Cause>> = {
  host_not_allowed: "any",
  invalid_request: "any",
  too_large: "any",
  internal: "any",
  closed: "any",
  rate_limited: "any",
  overloaded: "any",
  request_timeout: "any",
  aborted: "any",
  store_unavailable: "any",
  store_busy: "any",
  store_readonly: "any",
  store_full: "any",
  store_corrupt: "any",
  schema_newer: "any",
  unauthorized: "credential",
  forbidden: "credential",
  invalid_link: "credential",
  link_expired: "credential",
  origin_not_allowed: "change",
  invalid_json: "body",
  unsupported_media_type: "body",
  not_found: "own",
  already_settled: "own",
  key_conflict: "own",
  position_trimmed: "own",
  invalid_ask: "own",
  invalid_answer: "own",
  wrong_kind: "own",
  invalid_code: "own",
  unsupported: "own",
  // Of a path and not of an operation: the method is not one of it.
  method_not_allowed: "none",
  // Said by clients and by the command that starts a server, never over HTTP.
  unreachable: "none",
  address_unavailable: "none",
};

type Cause = "any" | "credential" | "change" | "body" | "own" | "none";

export function errorsOf(method: string, { access, body, errors = [] }: Operation): readonly ErrorCode[] {
  const causes: readonly Cause[] = [
    "any",
    ...(access === undefined ? [] : ["credential" as const]),
    ...(method === "GET" ? [] : ["change" as const]),
    ...(body === undefined ? [] : ["body" as const]),
  ];
  return ERROR_CODES.filter((code) => errors.includes(code) || causes.includes(CAUSES[code]));
}
