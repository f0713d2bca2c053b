import { LIMITS } from "../kit/limits.js";
import { AsklineError } from "../model/error.js";
import { ANSWERER, type Answerer } from "../model/outcome.js";
import { storedVariant } from "../read/stored.js";

type Person = Extract<Answerer, { readonly kind: "person" }>;

export function parsePerson(value: unknown): Person | undefined {
  const answerer = parseAnswerer(value);
  return answerer?.kind === "person" ? answerer : undefined;
}

/** Undefined for anything that is not an answerer. */
export function parseAnswerer(value: unknown): Answerer | undefined {
  return storedVariant(ANSWERER, value);
}

/** Throws if a caller without types omitted the answerer. */
export function requireAnswerer(value: unknown): Answerer {
  const answerer = parseAnswerer(value);
  if (answerer !== undefined) return answerer;
  throw new AsklineError(
    "invalid_request",
    'by is missing or invalid: it must be { kind: "person", id, surface } or { kind: "policy", name }, ' +
      `each value 1 to ${LIMITS.idLength} characters`,
  );
}
