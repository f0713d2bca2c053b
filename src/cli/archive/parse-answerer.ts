import { type Answerer, isRecord, LIMITS } from "../../core/index.js";

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

function isName(value: unknown): value is string {
  return (
    typeof value === "string" && value !== "" && value.length <= LIMITS.idLength && !/\p{Cc}/u.test(value)
  );
}
