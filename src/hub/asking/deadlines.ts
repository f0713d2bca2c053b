// Applies deadlines. A timer covers the next deadline that this process knows of. A poll of the store every few seconds
// covers the deadlines of other processes, which may have died.

import type { Clock } from "../../core/kit/clock.js";
import type { Logger } from "../../core/kit/logger.js";
import type { Ask } from "../../core/model/ask.js";
import { transition } from "../../core/rules/lifecycle.js";
import { endEntries } from "../records/transcripts.js";
import type { AskChange, Changed, Store } from "../seam/store.js";

const LOOK_EVERY_MS = 5_000;
const LEASE_MS = 30_000;
const CLAIMED_ELSEWHERE_MS = 1_000;
const BATCH = 100;

export interface Deadlines {
  /** An ask with this deadline was stored or extended. */
  add(deadline: number): void;
  close(): void;
}

export function createDeadlines(
  store: Store,
  clock: Clock,
  logger: Logger,
  newSettlementId: () => string,
  onChange: (changed: Changed) => void,
): Deadlines {
  let closed = false;
  let running = false;
  let due = 0;
  let cancel = (): void => undefined;

  const arm = (at: number): void => {
    cancel();
    due = at;
    if (!closed) cancel = clock.schedule(Math.max(0, at - store.now()), () => void run());
  };

  const run = async (): Promise<void> => {
    if (running) return;
    running = true;
    // A deadline that is added while this runs lowers `due` again.
    due = Number.POSITIVE_INFINITY;
    let next = store.now() + LOOK_EVERY_MS;
    try {
      for (let batch = await claim(); batch.length > 0; batch = await claim()) {
        await Promise.all(batch.map(applyDeadline));
      }
      const following = (await store.asks.nextDeadline()) ?? next;
      // A due ask that could not be claimed is leased by another node: check again, but not at once.
      next = Math.min(next, following > store.now() ? following : store.now() + CLAIMED_ELSEWHERE_MS);
    } catch (error) {
      if (!closed) logger.error(`could not process deadlines: ${String(error)}`);
    } finally {
      running = false;
      arm(Math.min(due, next));
    }
  };

  const claim = async (): Promise<readonly Ask[]> => (closed ? [] : store.asks.claimDue(BATCH, LEASE_MS));

  const applyDeadline = async (ask: Ask): Promise<void> => {
    const change = changeAt(ask, store.now(), newSettlementId);
    if (change === undefined) return;
    const entries = change.kind === "settle" ? endEntries(ask, change.outcome) : [];
    const changed = await store.asks.change(ask.id, change, entries);
    if (changed?.applied) onChange(changed);
  };

  arm(store.now());
  return {
    add(deadline) {
      if (deadline < due) {
        if (running) due = deadline;
        else arm(deadline);
      }
    },
    close() {
      closed = true;
      cancel();
    },
  };
}

function changeAt(ask: Ask, now: number, newSettlementId: () => string): AskChange | undefined {
  const step = transition(ask, { type: "deadline" }, now);
  // The store checks again that the ask is due: a draft may have moved the deadline since the claim.
  if (step.kind === "overdue") return { kind: "overdue" };
  if (step.kind !== "settled") return undefined;
  return { kind: "settle", settlementId: newSettlementId(), outcome: step.outcome, when: "due" };
}
