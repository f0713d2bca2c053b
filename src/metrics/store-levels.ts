// How things stand in the store, looked at for a scrape. The look is bounded, shared and kept for a second: those who
// watch must not be a load, and a store that hangs must not hide the rest of the metrics.

import type { Clock } from "../core/index.js";
import { within } from "../core/kit.js";
import { EVENT_LOG, type Store } from "../hub/store.js";

const KEEP_MS = 1_000;
const ANSWER_WITHIN_MS = 2_000;

export interface StoreLevels {
  readonly pending: number;
  readonly oldestPendingMs: number;
  /** The position of the last event. */
  readonly head: number;
}

/** Undefined where the store does not answer, or not in time. */
export function createStoreLevels(store: Store, clock: Clock): () => Promise<StoreLevels | undefined> {
  let looking: Promise<StoreLevels | undefined> | undefined;
  let kept: { readonly levels: StoreLevels; readonly until: number } | undefined;

  const look = async (): Promise<StoreLevels | undefined> => {
    try {
      const [{ count, oldestCreatedAt }, { head }] = await Promise.all([
        store.asks.pendingSummary(),
        store.logs.bounds(EVENT_LOG),
      ]);
      const age = oldestCreatedAt === undefined ? 0 : Math.max(0, store.now() - oldestCreatedAt);
      const levels = { pending: count, oldestPendingMs: age, head };
      kept = { levels, until: clock.monotonic() + KEEP_MS };
      return levels;
    } catch {
      // What is wrong with the store is told by whoever needed it, and by `/readyz`.
      return undefined;
    } finally {
      looking = undefined;
    }
  };

  return async () => {
    if (kept !== undefined && clock.monotonic() < kept.until) return kept.levels;
    looking ??= look();
    return within(clock, ANSWER_WITHIN_MS, looking, () => undefined);
  };
}
