// Removes what ended longer ago than it is to be kept, at a start and then again and again.

import type { Clock } from "../../core/kit/clock.js";
import type { Logger } from "../../core/kit/logger.js";
import type { Hub } from "../seam/port.js";

export interface RetentionOptions {
  /** How long ended asks and the transcripts of their sessions are kept. */
  readonly retainMs: number;
  readonly clock: Clock;
  readonly logger: Logger;
}

const LONGEST_PAUSE_MS = 3_600_000;
const SHORTEST_PAUSE_MS = 1_000;
/** Asks that are removed before others get their turn. */
const BATCH = 500;

/** Prunes in the background until the returned function is called; that resolves when nothing is being removed. */
export function startRetention(
  hub: Pick<Hub, "prune" | "now">,
  { retainMs, clock, logger }: RetentionOptions,
): () => Promise<void> {
  const pauseMs = Math.max(SHORTEST_PAUSE_MS, Math.min(LONGEST_PAUSE_MS, retainMs / 2));
  let stopped = false;
  let cancel = (): void => undefined;

  const pruneAll = async (): Promise<void> => {
    const settledBefore = hub.now() - retainMs;
    for (let more = true; more && !stopped; ) {
      const { asks, transcripts } = await hub.prune({ settledBefore, limit: BATCH });
      more = asks >= BATCH || transcripts >= BATCH;
      if (asks + transcripts > 0) logger.event?.("info", "pruned", { asks, transcripts });
    }
  };
  const run = async (): Promise<void> => {
    try {
      await pruneAll();
    } catch (error) {
      if (!stopped)
        logger.error("could not remove what is older than the retention; trying again later", error);
    }
    if (!stopped) {
      cancel = clock.schedule(pauseMs, () => {
        running = run();
      });
    }
  };
  let running = run();

  return () => {
    stopped = true;
    cancel();
    return running;
  };
}
