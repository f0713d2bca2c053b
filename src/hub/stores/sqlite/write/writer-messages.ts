// Messages between the store and its writer thread.

import { messageOf } from "../../../../core/kit/tools.js";
import { AsklineError, type ErrorCode } from "../../../../core/model/error.js";
import type { Outcome } from "./group-commit.js";
import type { Write } from "./operations.js";

export interface WriterData {
  readonly path: string;
  readonly busyTimeoutMs: number;
}

export type ToWriter =
  /** Writes, in order. `now` is the store's time. */
  | { readonly kind: "write"; readonly now: number; readonly writes: readonly SentWrite[] }
  | { readonly kind: "watch"; readonly on: boolean }
  | { readonly kind: "close" };

export interface SentWrite extends Write {
  /** How many milliseconds it waited to be sent. Not a time, because each thread has its own `performance.now()`. */
  readonly age: number;
}

export type FromWriter =
  | { readonly kind: "ready" }
  /** The results of the next writes, in the order in which they were sent. */
  | {
      readonly kind: "written";
      /** One for each write; undefined for a write that failed. */
      readonly values: readonly unknown[];
      /** Each with the index of its write in `values`. */
      readonly errors: readonly (readonly [place: number, error: SentError])[];
      /** How long the commit took; absent if there was no commit. */
      readonly tookMs?: number;
    }
  | { readonly kind: "changed" };

export interface SentError {
  readonly code?: ErrorCode;
  readonly message: string;
}

/** Converts results for sending. Coded errors keep their code; structured cloning would drop it. */
export function sentOutcomes(
  outcomes: readonly Outcome[],
): Pick<Extract<FromWriter, { readonly kind: "written" }>, "values" | "errors"> {
  const errors: [number, SentError][] = [];
  const values = outcomes.map((outcome, place) => {
    if (!("error" in outcome)) return outcome.value;
    errors.push([place, sentError(outcome.error)]);
    return undefined;
  });
  return { values, errors };
}

export function receivedOutcomes({ values, errors }: ReturnType<typeof sentOutcomes>): readonly Outcome[] {
  const outcomes: Outcome[] = values.map((value) => ({ value }));
  for (const [place, error] of errors) outcomes[place] = { error: receivedError(error) };
  return outcomes;
}

function sentError(error: unknown): SentError {
  if (error instanceof AsklineError) return { code: error.code, message: error.message };
  return { message: messageOf(error) };
}

function receivedError({ code, message }: SentError): Error {
  return code === undefined ? new Error(message) : new AsklineError(code, message);
}
