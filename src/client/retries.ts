// When and where to retry. After a failure the client uses the next server at once; only when all of them have failed
// in a row does it wait, longer each time.

import type { Clock } from "../core/kit/clock.js";
import type { Logger } from "../core/kit/logger.js";
import { AsklineError } from "../core/model/error.js";
import type { FailedTry } from "./failed-try.js";
import { sleep } from "./signals.js";

// Give up on an address that has sent this many invalid responses: it is not an Askline server.
const MOST_MALFORMED = 3;

export interface RetryContext {
  readonly endpoints: Endpoints;
  readonly clock: Clock;
  readonly random: () => number;
  readonly logger: Logger;
}

export interface Retries {
  /** Resolves when it is time for the next try; throws the error if there is no next try. */
  after(failed: FailedTry, base: string, signal: AbortSignal): Promise<void>;
  /** A try succeeded: start counting again. */
  worked(): void;
}

/** `limitMs` bounds the time since the first failure; unbounded by default. */
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
      // Once per outage: a single failure may only be a connection that was closed while idle.
      if (failures === 2 * endpoints.count) {
        const patience = limitMs === Number.POSITIVE_INFINITY ? " until it works" : "";
        logger.warn(`${failed.message}; retrying${patience}`);
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

// Delays between tries: each about twice the previous one, up to a bound, with jitter, so that clients do not all
// return to a restarted server at once.

const FIRST_MS = 250;
const LONGEST_MS = 15_000;

export interface Backoff {
  /** How long to wait after one more failure. */
  next(): number;
  /** A try succeeded: the next failure counts as the first again. */
  reset(): void;
}

export function createBackoff(random: () => number, firstMs: number = FIRST_MS): Backoff {
  let failures = 0;
  return {
    next() {
      // Bound the exponent: 2 ** 2000 is Infinity.
      const full = Math.min(LONGEST_MS, firstMs * 2 ** Math.min(failures, 16));
      failures += 1;
      return full / 2 + (random() * full) / 2;
    },
    reset() {
      failures = 0;
    },
  };
}

// The servers of a client. All requests go to one of them until it fails; then the client moves to the next one, once,
// however many requests failed together.

export interface Endpoints {
  readonly count: number;
  /** The base URL to use now, without a slash at its end. */
  current(): string;
  /** Moves to the next server, unless another failure already did. */
  failed(url: string): void;
}

const NO_URL =
  'connect needs a url, and a token: "askline token create --role agent" on the server prints one';

export function createEndpoints(urls: readonly (string | URL)[]): Endpoints {
  const bases = urls.map(baseOf);
  let index = 0;
  const current = (): string => {
    const base = bases[index];
    if (base === undefined) throw new AsklineError("invalid_request", NO_URL);
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

function baseOf(input: string | URL): string {
  const url = URL.canParse(String(input)) ? new URL(String(input)) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new AsklineError("invalid_request", "the url must start with http:// or https://");
  }
  // The message does not show these parts: they may hold a secret.
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    throw new AsklineError(
      "invalid_request",
      `the url of ${url.host} must not contain a user, query or fragment; pass the token as an option`,
    );
  }
  return url.origin + url.pathname.replace(/\/+$/, "");
}
