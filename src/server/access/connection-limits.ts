import { AsklineError } from "../../core/model/error.js";

export interface ConnectionLimitOptions {
  /** What is counted, in the plural, for messages. */
  readonly what: string;
  /** What a caller is. */
  readonly whose: "token" | "address";
  /** The limit for one caller. */
  readonly each: number;
  /** The limit for all callers together; none if omitted. */
  readonly all?: number;
  /** Called for each refusal, with the limit that was reached. */
  readonly onRefused: (by: LimitScope) => void;
}

/** Whose limit was reached. */
export type LimitScope = "token" | "address" | "server";

/** A bounded number of slots for things that stay open. */
export interface ConnectionLimit {
  /** Takes a slot; the result frees it, once. Throws if there is none. `most` replaces the usual limit of a caller. */
  take(caller: string, most?: number): () => void;
  readonly size: number;
}

/** A guess: nobody knows when a slot becomes free. */
const RETRY_AFTER_MS = 2_000;

export function createConnectionLimit(options: ConnectionLimitOptions): ConnectionLimit {
  const { what, whose, each, all = Number.POSITIVE_INFINITY, onRefused } = options;
  const taken = new Map<string, number>();
  let size = 0;
  return {
    take(caller, most = each) {
      const own = taken.get(caller) ?? 0;
      if (own >= most) {
        onRefused(whose);
        throw new AsklineError(
          "rate_limited",
          `this ${whose} has ${most} ${what} open, which is the limit; close some first`,
          { retryAfterMs: RETRY_AFTER_MS },
        );
      }
      if (size >= all) {
        onRefused("server");
        throw new AsklineError("overloaded", `the server has reached its limit of ${what}; try again`, {
          retryAfterMs: RETRY_AFTER_MS,
        });
      }
      taken.set(caller, own + 1);
      size += 1;
      let freed = false;
      return () => {
        if (freed) return;
        freed = true;
        size -= 1;
        const left = (taken.get(caller) ?? 1) - 1;
        if (left === 0) taken.delete(caller);
        else taken.set(caller, left);
      };
    },
    get size() {
      return size;
    },
  };
}
