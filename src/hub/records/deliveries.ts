// Which outcomes were handed to their asker. Only asks with a key and no session need this: many agents count their
// calls from 1, so such a key means its ask until the outcome was delivered, and then a new one
// (docs/decisions/0013-keys-belong-to-an-asker.md).

import type { Ask, Logger } from "../../core/index.js";
import type { Store } from "../seam/store.js";

export const DELIVERED_NAMESPACE = "delivered";

/** A response can be lost on its way: for this long, the same ask again is taken for a retry. */
const RETRY_MS = 60_000;

export interface Deliveries {
  /** The outcome is being handed to the asker. Returns at once; the mark is stored in the background. */
  mark(ask: Ask): void;
  /** Whether the key of this ask may be used for a new one, which asks the same or not. */
  isOver(ask: Ask, sameContent: boolean): Promise<boolean>;
  /** Resolves when all marks are stored. */
  close(): Promise<void>;
}

export function createDeliveries(store: Store, logger: Logger): Deliveries {
  const writing = new Set<Promise<unknown>>();
  return {
    mark(ask) {
      if (!needsMark(ask)) return;
      const write = recordDelivery(store, ask, store.now())
        .catch((error: unknown) => logger.warn(`could not record a delivery: ${String(error)}`))
        .finally(() => writing.delete(write));
      writing.add(write);
    },
    async isOver(ask, sameContent) {
      if (!needsMark(ask)) return false;
      const record = await store.records.get(DELIVERED_NAMESPACE, keyOf(ask));
      return record !== undefined && (!sameContent || store.now() - Number(record.value) >= RETRY_MS);
    },
    async close() {
      await Promise.all(writing);
    },
  };
}

/** For an ask that comes from an archive: its asker is not waiting here. */
export async function recordDelivery(store: Pick<Store, "records">, ask: Ask, at: number): Promise<void> {
  if (needsMark(ask)) await store.records.put(DELIVERED_NAMESPACE, keyOf(ask), at, { expect: null });
}

function needsMark({ key, session, outcome }: Ask): boolean {
  return key !== undefined && session === "" && outcome !== undefined;
}

function keyOf({ id }: Ask): string {
  return `${id}/outcome`;
}
