import { AsklineError } from "../../core/index.js";

export interface ConnectionLimitOptions {
  /** What takes a place, in the plural. */
  readonly what: string;
  /** By what callers are told apart. */
  readonly whose: "token" | "address";
  /** ConnectionLimit for one caller. */
  readonly each: number;
  /** ConnectionLimit for all; without a bound where it is not given. */
  readonly all?: number;
  /** Told of each that got none: because of its caller, or of all together. */
  readonly onRefused: (by: LimitScope) => void;
}

/** Whose bound it is that leaves no place. */
export type LimitScope = "token" | "address" | "server";

/** A bounded number of things that stay for a while. */
export interface ConnectionLimit {
  /** Takes a place; the result gives it back, once. Throws where there is none. */
  take(caller: string): () => void;
  readonly size: number;
}

/** A place is free when whoever has it is done: a guess is as good as any. */
const RETRY_AFTER_MS = 2_000;

export function createConnectionLimit(options: ConnectionLimitOptions): ConnectionLimit {
  const { what, whose, each, all = Number.POSITIVE_INFINITY, onRefused } = options;
  const taken = new Map<string, number>();
  let size = 0;
  return {
    take(caller) {
      const own = taken.get(caller) ?? 0;
      if (own >= each) {
        onRefused(whose);
        throw new AsklineError(
          "rate_limited",
          `this ${whose} has ${each} ${what} open, and may have no more; end some first`,
          { retryAfterMs: RETRY_AFTER_MS },
        );
      }
      if (size >= all) {
        onRefused("server");
        throw new AsklineError("overloaded", `the server has as many ${what} as it may; try again`, {
          retryAfterMs: RETRY_AFTER_MS,
        });
      }
      taken.set(caller, own + 1);
      size += 1;
      let given = false;
      return () => {
        if (given) return;
        given = true;
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
