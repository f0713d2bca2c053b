// What the thread that writes and the one that asks it to say to each other.

import { AsklineError, type ErrorCode } from "../../core/error.js";
import { messageOf } from "../../core/kit.js";
import type { Result } from "./group-commit.js";
import type { OperationName } from "./operations.js";

export interface WriterData {
  readonly path: string;
  readonly busyTimeoutMs: number;
}

export type ToWriter =
  /** Writes, in order. `now` is the time by which the store counts. */
  | { readonly kind: "write"; readonly now: number; readonly writes: readonly SentWrite[] }
  | { readonly kind: "watch"; readonly on: boolean }
  | { readonly kind: "close" };

export type SentWrite = readonly [
  name: OperationName,
  request: unknown,
  /** For how many milliseconds it has waited to be sent: each thread counts time from its own beginning. */
  age: number,
];

export type FromWriter =
  | { readonly kind: "ready" }
  /** What became of the next writes, in the order in which they were sent. */
  | {
      readonly kind: "written";
      /** One for each write; of one that failed, nothing. */
      readonly values: readonly unknown[];
      /** By the place of the write. */
      readonly errors: readonly (readonly [place: number, error: SentError])[];
      /** How long their commit took; absent where there was none. */
      readonly tookMs?: number;
    }
  | { readonly kind: "changed" };

export interface SentError {
  readonly code?: ErrorCode;
  readonly message: string;
}

/** Results as they are sent. A coded error keeps its code, which the copy that threads make of one does not. */
export function sentResults(
  results: readonly Result[],
): Pick<Extract<FromWriter, { readonly kind: "written" }>, "values" | "errors"> {
  const errors: [number, SentError][] = [];
  const values = results.map((result, place) => {
    if (!("error" in result)) return result.value;
    errors.push([place, sentError(result.error)]);
    return undefined;
  });
  return { values, errors };
}

export function receivedResults({ values, errors }: ReturnType<typeof sentResults>): readonly Result[] {
  const results: Result[] = values.map((value) => ({ value }));
  for (const [place, error] of errors) results[place] = { error: receivedError(error) };
  return results;
}

function sentError(error: unknown): SentError {
  if (error instanceof AsklineError) return { code: error.code, message: error.message };
  return { message: messageOf(error) };
}

function receivedError({ code, message }: SentError): Error {
  return code === undefined ? new Error(message) : new AsklineError(code, message);
}
