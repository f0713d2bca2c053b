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

/** The value of a text; undefined if it is not JSON. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Levels of a whole document: more than an ask with arguments of `LIMITS.jsonDepth` levels has. */
export const DOCUMENT_DEPTH = 128;

/**
 * `JSON.parse` for text from outside. Refuses text that is nested too deeply before it is parsed: two megabytes of `[`
 * would hold up everybody for most of a second.
 */
export function parseDocument(text: string): unknown {
  if (isTooDeep(text)) throw new SyntaxError(`more than ${DOCUMENT_DEPTH} levels`);
  return JSON.parse(text);
}

/** One pass over the text, without memory. Text that is not JSON may be judged either way. */
function isTooDeep(text: string): boolean {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (inString) {
      if (code === BACKSLASH) at += 1;
      else if (code === QUOTE) inString = false;
    } else if (code === QUOTE) inString = true;
    else if (code === OPEN_ARRAY || code === OPEN_OBJECT) {
      depth += 1;
      if (depth > DOCUMENT_DEPTH) return true;
    } else if (code === CLOSE_ARRAY || code === CLOSE_OBJECT) depth -= 1;
  }
  return false;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
