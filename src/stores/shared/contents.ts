// The content of an ask never changes, and an ask that was just stored is likely to be read and settled soon,
// by this same node. So the contents used last are kept, and not read, sent and parsed again.

import type { Ask } from "../../core/index.js";

/** What never changes about a stored ask. */
export type Content = Omit<Ask, "status" | "deadline" | "overdue" | "settledAt" | "outcome">;

/** By position: a pruned ask's id may be used again, its position never is. */
export interface KeptContent {
  readonly position: number;
  readonly content: Content;
  /** The length of its JSON. */
  readonly size: number;
}

export interface Contents {
  keep(kept: KeptContent): void;
  /** Those that are kept of these asks, by their ids. */
  of(ids: readonly string[]): ReadonlyMap<string, KeptContent>;
}

const MOST_ASKS = 1_000;
const MOST_SIZE = 8 * 1024 * 1024;

export function createContents(): Contents {
  // A Map keeps the order of insertion: the first is the one that was used least lately.
  const entries = new Map<string, KeptContent>();
  let size = 0;
  const remove = (id: string): void => {
    size -= entries.get(id)?.size ?? 0;
    entries.delete(id);
  };
  const keep = (kept: KeptContent): void => {
    remove(kept.content.id);
    entries.set(kept.content.id, kept);
    size += kept.size;
    for (const id of entries.keys()) {
      if (entries.size <= MOST_ASKS && size <= MOST_SIZE) return;
      remove(id);
    }
  };
  return {
    keep,
    of(ids) {
      const found = new Map<string, KeptContent>();
      for (const id of ids) {
        const kept = entries.get(id);
        if (kept === undefined) continue;
        found.set(id, kept);
        keep(kept);
      }
      return found;
    },
  };
}
