// To whom an ask was sent, and when first: rows, not events. An event for each surface would cost every ask as
// many writes to the one log that all share, and wake everyone who reads it, to say what nobody waits for.

import type { Showing } from "../seam/port.js";
import type { Store } from "../seam/store.js";

export const SHOWN_NAMESPACE = "shown";
// More surfaces than this have never looked at one ask; what is beyond is not told.
const MOST_TOLD = 500;

export interface Showings {
  /** Keeps the first time at each surface. */
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
      const found = await records.list(SHOWN_NAMESPACE, { prefix, limit: MOST_TOLD });
      return found
        .map(({ key, value }): Showing => {
          // Only `record` writes them.
          const [id, surface] = JSON.parse(key.slice(prefix.length)) as [string, string];
          return { at: Number(value), by: { kind: "person", id, surface } };
        })
        .sort((one, other) => one.at - other.at);
    },
  };
}
