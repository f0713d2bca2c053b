import { AsklineError } from "./error.js";
import { isRecord } from "./json.js";
import { LIMITS } from "./limits.js";
import type { Answerer } from "./model/outcome.js";

type Person = Extract<Answerer, { readonly kind: "person" }>;

export function parsePerson(value: unknown): Person | undefined {
  if (!isRecord(value) || value.kind !== "person") return undefined;
  const { id, surface } = value;
  return isName(id) && isName(surface) ? { kind: "person", id, surface } : undefined;
}

/** Who ended an ask; undefined where it is nobody. */
export function parseAnswerer(value: unknown): Answerer | undefined {
  if (!isRecord(value) || value.kind !== "policy") return parsePerson(value);
  return isName(value.name) ? { kind: "policy", name: value.name } : undefined;
}

/** An answerer is never unknown, whatever a caller without types has left out. */
export function requireAnswerer(value: unknown): Answerer {
  const answerer = parseAnswerer(value);
  if (answerer !== undefined) return answerer;
  throw new AsklineError(
    "invalid_request",
    'say who does this: by is { kind: "person", id, surface } or { kind: "policy", name }, with names of ' +
      `1 to ${LIMITS.idLength} characters`,
  );
}

/** A name of somebody or something: some text of one line, within its bound. */
export function isName(value: unknown, most: number = LIMITS.idLength): value is string {
  return typeof value === "string" && value !== "" && value.length <= most && !/\p{Cc}/u.test(value);
}
