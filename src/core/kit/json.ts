/** A value that survives `JSON.stringify` and `JSON.parse` unchanged. */
export type Json = string | number | boolean | null | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: Json;
}

/** A JSON object in the loose sense of a parser: not null, not an array. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Sets a key, even one called `__proto__`. Using `defineProperty` for every key would be five times slower. */
export function setOwn<T>(object: Record<string, T>, key: string, value: T): void {
  if (key !== "__proto__") object[key] = value;
  else Object.defineProperty(object, key, { value, enumerable: true, writable: true, configurable: true });
}

/** Freezes plain data, with everything in it. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  for (const inner of Object.values(value)) deepFreeze(inner);
  return Object.freeze(value);
}

/** `JSON.stringify` with sorted keys, so that equal data gives equal text. */
export function canonicalJson(value: Json): string {
  return JSON.stringify(value, (_key, inner: Json) =>
    isRecord(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
      : inner,
  );
}
