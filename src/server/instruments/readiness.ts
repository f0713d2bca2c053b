// Whether the server should receive requests. The check of the store has a timeout, and at most one runs at a time,
// so that probes do not pile up on a store that hangs.

import type { Clock } from "../../core/kit/clock.js";
import type { Logger } from "../../core/kit/logger.js";
import { within } from "../../core/kit/tools.js";
import { AsklineError } from "../../core/model/error.js";
import type { Hub } from "../../hub/seam/port.js";

const ANSWER_WITHIN_MS = 2_000;

export interface Readiness {
  /** Undefined if ready; otherwise the failed check, in words that anyone may read. */
  failed(): Promise<AsklineError | undefined>;
}

export interface ReadinessOptions {
  readonly hub: Hub;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Whether the server is shutting down: it still answers, but new requests should go elsewhere. */
  readonly isStopping: () => boolean;
}

export function createReadiness({ hub, clock, logger, isStopping }: ReadinessOptions): Readiness {
  let checking: Promise<AsklineError | undefined> | undefined;
  let logged: string | undefined;

  const check = async (): Promise<AsklineError | undefined> => {
    try {
      await hub.check();
      logged = undefined;
      return undefined;
    } catch (error) {
      // Only the log names the cause, once per cause: anyone may call this, as often as they like.
      if (logged !== String(error)) logger.warn("readiness check failed", error);
      logged = String(error);
      switch (error instanceof AsklineError ? error.code : undefined) {
        case "schema_newer":
          return notReady(
            "migrations",
            "the store was written by a newer version of askline; update this server",
          );
        case "store_full":
        case "store_readonly":
          return notReady("store", "the store cannot be written");
        default:
          return notReady("store", "the store does not respond");
      }
    } finally {
      checking = undefined;
    }
  };

  return {
    async failed() {
      if (isStopping())
        return new AsklineError("closed", failure("accepting", "the server is shutting down"));
      checking ??= check();
      return within(clock, ANSWER_WITHIN_MS, checking, () =>
        notReady("store", `the store did not respond within ${ANSWER_WITHIN_MS / 1_000} seconds`),
      );
    },
  };
}

function notReady(check: "store" | "migrations", reason: string): AsklineError {
  return new AsklineError("store_unavailable", failure(check, reason));
}

function failure(check: string, reason: string): string {
  return `not ready: check "${check}" failed: ${reason}`;
}
