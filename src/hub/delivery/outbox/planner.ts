// Turns events into entries of the outbox. One node at a time does, by a lease on the record that holds its position:
//
//   free --claim--> leading: read the log from the position on, add entries, then move the position
//        <--lease ends, or given back at close--
//
// The position moves only after the entries of its events are stored, so no event is skipped. After a crash, the next
// leader plans the last events again: entries that exist, or were delivered a moment ago, are not added twice.

import type { Clock } from "../../../core/kit/clock.js";
import type { Logger } from "../../../core/kit/logger.js";
import { holdLease, messageOf } from "../../../core/kit/tools.js";
import { AsklineError } from "../../../core/model/error.js";
import type { AskEvent } from "../../../core/model/event.js";
import type { Hub } from "../../seam/port.js";
import { EVENT_LOG, type Store } from "../../seam/store.js";

const NAMESPACE = "outbox-planner";
const KEY = "position";
const LEASE_MS = 6_000;
const RENEW_MS = 2_000;
const LOOK_EVERY_MS = 1_000;

export interface Planner {
  /** Whether events up to this position are planned for good. */
  isPlanned(position: number): Promise<boolean>;
  close(): Promise<void>;
}

export interface PlannerContext {
  readonly hub: Hub;
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * `plan` stores the entries of some events; `again` says that they may have been planned before. What it returns is
 * called when the position has moved beyond them.
 */
export async function startPlanner(
  { hub, store, clock, logger }: PlannerContext,
  plan: (events: readonly AskEvent[], again: boolean) => Promise<(() => void) | undefined>,
): Promise<Planner> {
  const { records } = store;
  const stop = new AbortController();
  let planned = 0;
  let cancel = (): void => undefined;
  let leading: Promise<void> = Promise.resolve();

  // What happened before the first start is not delivered.
  const { head } = await store.logs.bounds(EVENT_LOG);
  await records.put(NAMESPACE, KEY, head, { expect: null });

  const look = async (): Promise<void> => {
    try {
      const [record] = await records.claim(NAMESPACE, 1, LEASE_MS);
      if (record !== undefined) await lead(Number(record.value), record.version);
    } catch (error) {
      if (!stop.signal.aborted) logger.warn(`could not plan deliveries: ${messageOf(error)}`);
    }
    if (stop.signal.aborted) return;
    cancel = clock.schedule(LOOK_EVERY_MS, () => {
      leading = look();
    });
  };

  /** Rejects, or ends, when another node may lead. */
  const lead = async (from: number, firstVersion: number): Promise<void> => {
    let position = from;
    let version = firstVersion;
    let again = true;
    planned = Math.max(planned, from);
    const term = new AbortController();
    const signal = AbortSignal.any([stop.signal, term.signal]);
    // One write at a time: each needs the version of the one before.
    let saving: Promise<void> = Promise.resolve();
    const save = (availableAt: number): Promise<void> => {
      saving = saving.then(async () => {
        if (term.signal.aborted) return;
        const wanted = position;
        const put = await records.put(NAMESPACE, KEY, wanted, { expect: version, availableAt });
        if (!put.ok) return term.abort();
        version = put.version;
        planned = Math.max(planned, wanted);
      });
      return saving;
    };
    const stopRenewing = holdLease(
      clock,
      RENEW_MS,
      () => save(store.now() + LEASE_MS),
      () => term.abort(),
    );
    try {
      for await (const events of hub.eventBatches({ after: position, signal })) {
        const deliver = await plan(events, again);
        again = false;
        position = events.at(-1)?.position ?? position;
        // The position of events that need no delivery is saved with the next renewal.
        if (deliver === undefined) continue;
        await save(store.now() + LEASE_MS);
        deliver();
      }
    } catch (error) {
      if (!(error instanceof AsklineError && error.code === "position_trimmed")) throw error;
      const { first } = await store.logs.bounds(EVENT_LOG);
      logger.error(`events up to ${first - 1} were pruned before they were delivered; going on after them`);
      position = Math.max(position, first - 1);
    } finally {
      stopRenewing();
      // Another node can go on at once.
      await save(store.now()).catch(() => undefined);
    }
  };

  leading = look();
  return {
    async isPlanned(position) {
      if (position <= planned) return true;
      const record = await records.get(NAMESPACE, KEY);
      planned = Math.max(planned, Number(record?.value ?? 0));
      return position <= planned;
    },
    async close() {
      stop.abort();
      cancel();
      await leading.catch(() => undefined);
    },
  };
}
