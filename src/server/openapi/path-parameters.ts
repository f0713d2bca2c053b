// The parts of a path, by what stands before them.

import { type JsonObject, LIMITS } from "../../core/index.js";
import { NO_CONTROLS } from "../parameter.js";
import { ASK_ID } from "../routes/require-visible.js";

const ASK = { description: "The id of an ask.", schema: { type: "string", pattern: ASK_ID.source } };

const PARTS: Readonly<Record<string, { readonly description: string; readonly schema: JsonObject }>> = {
  "/v1/asks/{id}": ASK,
  "/asks/{id}": ASK,
  "/v1/sessions/{id}": {
    description: "The id of a session, URL-encoded.",
    schema: { type: "string", minLength: 1, maxLength: LIMITS.sessionLength, pattern: NO_CONTROLS },
  },
  "/a/{link}": { description: "A signed link.", schema: { type: "string" } },
};

export function pathParameters(path: string): readonly JsonObject[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(({ 0: part, 1: name = "", index }) => {
    const known = PARTS[path.slice(0, index) + part];
    if (known === undefined) throw new Error(`${path}: say in path-parameters.ts what ${part} is`);
    return { name, in: "path", required: true, ...known };
  });
}
