import { LIMITS } from "../kit/limits.js";
import { AsklineError } from "../model/error.js";
import { ANSWERER, type Answerer } from "../model/outcome.js";
import { storedVariant } from "../read/stored.js";

type Person = Extract<Answerer, { readonly kind: "person" }>;

export function parsePerson(value: unknown): Person | undefined {
  const answerer = parseAnswerer(value);
  return answerer?.kind === "person" ? answerer : undefined;
}

/** Who ended an ask; undefined for anything else. */
export function parseAnswerer(value: unknown): Answerer | undefined {
  return storedVariant(ANSWERER, value);
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
