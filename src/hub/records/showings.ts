// The surfaces that an ask was sent to, and when. They are records, not events: an event for each surface would add
// writes to the shared log and wake all its readers, and no reader waits for this.

import type { Showing } from "../seam/port.js";
import type { Store } from "../seam/store.js";

export const SHOWN_NAMESPACE = "shown";
// More than any ask is sent to in practice; further surfaces are not listed.
const MAX_LISTED = 500;

export interface Showings {
  /** Records the first time for each surface; later times are ignored. */
  record(askId: string, showing: Showing): Promise<void>;
  list(askId: string): Promise<readonly Showing[]>;
}

export function createShowings({ records }: Pick<Store, "records">): Showings {
  return {
    async record(askId, { at, by: { id, surface } }) {
      await records.put(SHOWN_NAMESPACE, `${askId}/${JSON.stringify([id, surface])}`, at, { expect: null });
    },
    async list(askId) {
      const prefix = `${askId}/`;
      const found = await records.list(SHOWN_NAMESPACE, { prefix, limit: MAX_LISTED });
      return found
        .map(({ key, value }): Showing => {
          // Safe to cast: only `record` writes these keys.
          const [id, surface] = JSON.parse(key.slice(prefix.length)) as [string, string];
          return { at: Number(value), by: { kind: "person", id, surface } };
        })
        .sort((first, second) => first.at - second.at);
    },
  };
}
