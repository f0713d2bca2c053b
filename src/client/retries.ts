// When to try again, and where. A failure of one server moves to the next at once; only when all have failed
// in a row does the client wait, each time longer.

import type { Clock, Logger } from "../core/index.js";
import { createBackoff } from "./backoff.js";
import type { Endpoints } from "./endpoints.js";
import type { FailedTry } from "./failed-try.js";
import { sleep } from "./signals.js";

// What is no Askline server today will hardly be one after the third look.
const MOST_MALFORMED = 3;

export interface RetryContext {
  readonly endpoints: Endpoints;
  readonly clock: Clock;
  readonly random: () => number;
  readonly logger: Logger;
}

export interface Retries {
  /** Returns when it is time for the next try; throws the error of this one where there is none. */
  after(failed: FailedTry, base: string, signal: AbortSignal): Promise<void>;
  /** Something worked: counting starts again. `firstMs` is the delay that the server wants. */
  worked(): void;
}

/** `limitMs` bounds the time from the first failure on; without it there is no bound. */
export function createRetries(
  { endpoints, clock, random, logger }: RetryContext,
  limitMs: number = Number.POSITIVE_INFINITY,
): Retries {
  const backoff = createBackoff(random);
  let failures = 0;
  let malformed = 0;
  let failingSince: number | undefined;

  return {
    async after(failed, base, signal) {
      failures += 1;
      failingSince ??= clock.monotonic();
      if (failed.malformed) malformed += 1;
      const isFinal = failed.retry === "never" || failed.retry === "fixed";
      if (isFinal || malformed > MOST_MALFORMED * endpoints.count) throw failed.error;
      if (failed.retry === "elsewhere") {
        endpoints.failed(base);
        if (failures % endpoints.count !== 0) return;
      }
      const delay = Math.max(backoff.next(), failed.afterMs);
      if (clock.monotonic() - failingSince + delay > limitMs) throw failed.error;
      // Once an outage: a single failure may be no more than a connection that was closed while idle.
      if (failures === 2 * endpoints.count) {
        const patience = limitMs === Number.POSITIVE_INFINITY ? " until it works" : "";
        logger.warn(`${failed.message}; trying again${patience}`);
      }
      await sleep(clock, delay, signal);
    },
    worked() {
      failures = 0;
      malformed = 0;
      failingSince = undefined;
      backoff.reset();
    },
  };
}
