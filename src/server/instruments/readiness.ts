// Whether a server should be sent requests. The look at the store is bounded, and there is never more than one: a
// store that hangs is not asked again by everyone who wants to know.

import { AsklineError, type Clock, type Logger } from "../../core/index.js";
import { within } from "../../core/kit/tools.js";
import type { Hub } from "../../hub/index.js";

const ANSWER_WITHIN_MS = 2_000;

export interface Readiness {
  /** Undefined when ready; otherwise which check failed, in words that anyone may read. */
  failed(): Promise<AsklineError | undefined>;
}

export interface ReadinessOptions {
  readonly hub: Hub;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Whether the server is about to stop: it still answers, and others should be asked from now on. */
  readonly isStopping: () => boolean;
}

export function createReadiness({ hub, clock, logger, isStopping }: ReadinessOptions): Readiness {
  let looking: Promise<AsklineError | undefined> | undefined;
  let logged: string | undefined;

  const look = async (): Promise<AsklineError | undefined> => {
    try {
      await hub.check();
      logged = undefined;
      return undefined;
    } catch (error) {
      // Where and what it is stands in the log, and not in what everybody can read. Once for each reason: anybody
      // may look, as often as they like.
      if (logged !== String(error)) logger.warn("a check of readiness failed", error);
      logged = String(error);
      switch (error instanceof AsklineError ? error.code : undefined) {
        case "schema_newer":
          return notReady("migrations", "the store is of a newer askline; update this one");
        case "store_full":
        case "store_readonly":
          return notReady("store", "the store cannot be written to");
        default:
          return notReady("store", "the store does not answer");
      }
    } finally {
      looking = undefined;
    }
  };

  return {
    async failed() {
      if (isStopping()) return new AsklineError("closed", told("accepting", "the server is stopping"));
      looking ??= look();
      return within(clock, ANSWER_WITHIN_MS, looking, () =>
        notReady("store", `the store has not answered within ${ANSWER_WITHIN_MS / 1_000} seconds`),
      );
    },
  };
}

function notReady(check: "store" | "migrations", reason: string): AsklineError {
  return new AsklineError("store_unavailable", told(check, reason));
}

function told(check: string, reason: string): string {
  return `not ready: the check "${check}" failed, because ${reason}`;
}
