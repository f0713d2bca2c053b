// When to try again, and where. A failure of one server moves to the next at once; only when all have failed
// in a row does the client wait, each time longer.

import { AsklineError, type Clock, type Logger } from "../core/index.js";
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

// Delays between tries: each about twice the one before, up to a bound, and never the same for two clients,
// so that a server that comes back is not met by all of them at once.

const FIRST_MS = 250;
const LONGEST_MS = 15_000;

export interface Backoff {
  /** How long to wait after one more failure. */
  next(): number;
  /** Something worked: the next failure is a first one again. */
  reset(): void;
}

export function createBackoff(random: () => number, firstMs: number = FIRST_MS): Backoff {
  let failures = 0;
  return {
    next() {
      // Bounded before it is raised: 2 ** 2000 is no number to wait for.
      const full = Math.min(LONGEST_MS, firstMs * 2 ** Math.min(failures, 16));
      failures += 1;
      return full / 2 + (random() * full) / 2;
    },
    reset() {
      failures = 0;
    },
  };
}

// The servers that a client may use. All requests go to one of them while it is good; a failure moves on to
// the next, once, however many requests failed with it.

export interface Endpoints {
  readonly count: number;
  /** The base URL to use now, without a slash at its end. */
  current(): string;
  /** This one failed: the next is used, unless somebody has moved on already. */
  failed(url: string): void;
}

export function createEndpoints(urls: readonly (string | URL)[]): Endpoints {
  const bases = urls.map(baseOf);
  let index = 0;
  const current = (): string => {
    const base = bases[index];
    if (base === undefined) throw new AsklineError("invalid_request", "connect needs a url");
    return base;
  };
  current();
  return {
    count: bases.length,
    current,
    failed(url) {
      if (url === current()) index = (index + 1) % bases.length;
    },
  };
}

function baseOf(given: string | URL): string {
  const url = URL.canParse(String(given)) ? new URL(String(given)) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new AsklineError("invalid_request", "a url must be absolute and start with http:// or https://");
  }
  // Not shown: what stands there is a secret in the wrong place.
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    throw new AsklineError(
      "invalid_request",
      `the url of ${url.host} must hold no user, query or fragment; give the token as token`,
    );
  }
  return url.origin + url.pathname.replace(/\/+$/, "");
}
