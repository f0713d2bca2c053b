// Records which outcomes were delivered to their asker. Only asks with a key and no session need this: many agents
// number their calls from 1, so such a key identifies its ask only until the outcome is delivered. After that, the key
// starts a new ask (docs/decisions/0013-keys-belong-to-an-asker.md).

import type { Logger } from "../../core/kit/logger.js";
import type { Ask } from "../../core/model/ask.js";
import type { Store } from "../seam/store.js";

export const DELIVERED_NAMESPACE = "delivered";

/** A response can be lost in transit, so the same ask within this time is treated as a retry. */
const RETRY_MS = 60_000;

export interface Deliveries {
  /** Marks the outcome as delivered. Returns at once; the mark is stored in the background. */
  mark(ask: Ask): void;
  /** Whether the key of this ask may be used for a new ask. `sameContent`: the new ask has the same content. */
  isOver(ask: Ask, sameContent: boolean): Promise<boolean>;
  /** Whether the outcome was delivered; true if that is not recorded, as for an ask in a session. */
  isDelivered(ask: Ask): Promise<boolean>;
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
    async isDelivered(ask) {
      return !needsMark(ask) || (await store.records.get(DELIVERED_NAMESPACE, keyOf(ask))) !== undefined;
    },
    async close() {
      await Promise.all(writing);
    },
  };
}

/** Marks an outcome as delivered. Exported for archives: the asker of a restored ask is not waiting here. */
export async function recordDelivery(store: Pick<Store, "records">, ask: Ask, at: number): Promise<void> {
  if (needsMark(ask)) await store.records.put(DELIVERED_NAMESPACE, keyOf(ask), at, { expect: null });
}

function needsMark({ key, session, outcome }: Ask): boolean {
  return key !== undefined && session === "" && outcome !== undefined;
}

function keyOf({ id }: Ask): string {
  return `${id}/outcome`;
}
