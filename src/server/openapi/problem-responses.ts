// Errors as responses: which codes an operation can end with, by status.

import type { JsonObject } from "../../core/kit/json.js";
import { ERROR_CODES, type ErrorCode, type ErrorMeaning, meaningOf } from "../../core/model/error.js";
import { ref } from "./json-schema.js";
import type { Operation } from "./operation.js";

/** Responses that several operations share, by name; filled while the operations are told. */
export type SharedResponses = Map<string, JsonObject>;

/** The codes that an operation can end with: its own, and those of all operations of its kind. */
export function errorsOf(method: string, { access, body, errors = [] }: Operation): readonly ErrorCode[] {
  const kinds: readonly ErrorMeaning["operations"][] = [
    "all",
    ...(access === undefined ? [] : ["authorized" as const]),
    ...(method === "GET" && access === undefined ? [] : ["guarded" as const]),
    ...(body === undefined ? [] : ["body" as const]),
  ];
  return ERROR_CODES.filter((code) => errors.includes(code) || kinds.includes(meaningOf(code).operations));
}

export function problemResponses(
  codes: readonly ErrorCode[],
  page: boolean,
  shared: SharedResponses,
): JsonObject {
  const statuses = [...new Set(codes.map((code) => meaningOf(code).status))].sort((a, b) => a - b);
  return Object.fromEntries(
    statuses.map((status) => {
      const own = codes.filter((code) => meaningOf(code).status === status);
      const name = [status, ...own, ...(page ? ["page"] : [])].join("-");
      shared.set(name, problemResponse(status, own, page));
      return [String(status), { $ref: `#/components/responses/${name}` }];
    }),
  );
}

function problemResponse(status: number, codes: readonly ErrorCode[], page: boolean): JsonObject {
  const headers = {
    "Askline-Request-Id": "What the server's log knows the request by.",
    ...(status === 401 && { "WWW-Authenticate": "How to send a token." }),
    ...(status === 503 && { "Retry-After": "Seconds to wait." }),
  };
  const narrowed = {
    ...ref("Problem"),
    properties: { error: { properties: { code: { enum: codes, "x-extensible": true } } } },
  };
  return {
    description: codes.join(", "),
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, description]) => [
        name,
        { description, schema: { type: "string" } },
      ]),
    ),
    content: {
      "application/json": { schema: narrowed },
      // To those who accept HTML, a page tells its errors as a page.
      ...(page && { "text/html": { schema: { type: "string" } } }),
    },
  };
}
