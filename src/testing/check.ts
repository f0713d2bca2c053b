// Assertions of the suites. They work with any test runner, or without one.

import { isRecord } from "../core/kit/json.js";
import { AsklineError, type ErrorCode } from "../core/model/error.js";

/** Thrown by a case when the store or resolver under test breaks its contract. */
export class SuiteFailure extends Error {
  override readonly name: string = "SuiteFailure";
}

export function check(condition: boolean, message: string): asserts condition {
  if (!condition) throw new SuiteFailure(message);
}

/** Checks that two plain values are equal; key order and undefined values do not count. */
export function checkEqual(actual: unknown, expected: unknown, what: string): void {
  const path = difference(actual, expected, "");
  if (path === undefined) return;
  const where = path === "" ? "" : ` (first difference at ${path})`;
  throw new SuiteFailure(`${what}: expected ${show(expected)}, got ${show(actual)}${where}`);
}

/** The error of a rejected promise; it must be an `AsklineError` with this code. */
export async function checkRejects(
  code: ErrorCode,
  promise: Promise<unknown>,
  what: string,
): Promise<AsklineError> {
  let value: unknown;
  try {
    value = await promise;
  } catch (error) {
    if (!(error instanceof AsklineError)) {
      throw new SuiteFailure(`${what}: expected an AsklineError with code ${code}, got ${String(error)}`, {
        cause: error,
      });
    }
    checkEqual(error.code, code, `${what}: the error's code`);
    return error;
  }
  throw new SuiteFailure(`${what}: expected an error with code ${code}, got the result ${show(value)}`);
}

/** A copy that shares nothing with the original. */
export function copyOf<T>(value: T): T {
  return structuredClone(value);
}

/** Overwrites every field of plain data, recursively. Frozen data stays unchanged, which is fine. */
export function vandalise(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    vandalise(inner);
    try {
      (value as Record<string, unknown>)[key] = "vandalised";
    } catch {
      // Frozen.
    }
  }
}

/** The path to the first difference; undefined if the values are equal. */
function difference(actual: unknown, expected: unknown, path: string): string | undefined {
  if (Object.is(actual, expected)) return undefined;
  if (Array.isArray(actual) && Array.isArray(expected)) {
    if (actual.length !== expected.length) return `${path}.length`;
    return firstOf(expected.keys(), (index) =>
      difference(actual[index], expected[index], `${path}[${index}]`),
    );
  }
  if (!isRecord(actual) || !isRecord(expected)) return path;
  const keys = new Set([...Object.keys(actual), ...Object.keys(expected)]);
  return firstOf(keys, (key) => difference(own(actual, key), own(expected, key), `${path}.${key}`));
}

function firstOf<T>(items: Iterable<T>, find: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

function own(value: Readonly<Record<string, unknown>>, key: string): unknown {
  return Object.hasOwn(value, key) ? value[key] : undefined;
}

const MOST_SHOWN = 400;

function show(value: unknown): string {
  const text = value === undefined ? "undefined" : (JSON.stringify(value) ?? String(value));
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}… (${text.length} characters)` : text;
}
