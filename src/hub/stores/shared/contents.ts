// A cache of the most recently used contents. The content of an ask never changes, and the process that stored an ask
// usually reads and settles it soon. Without the cache, a hub on SQLite handles a third fewer asks
// (docs/decisions/0007).

import { deepFreeze } from "../../../core/kit/json.js";
import type { Ask } from "../../../core/model/ask.js";
import { type AskRow, askOf, type Content } from "./rows.js";

/** Identified by position: the id of a pruned ask may be used again, its position never is. */
export interface KeptContent {
  readonly position: number;
  readonly content: Content;
  /** The length of the content's JSON. */
  readonly size: number;
}

/** A row whose content is null if the row has the position of the kept content. */
export type ShortAskRow = Omit<AskRow, "content"> & { readonly content: string | null };

export interface Contents {
  keep(kept: KeptContent): void;
  of(id: string): KeptContent | undefined;
  /** Builds an ask from a row. `kept` is the content that the query for this row left out, if any. */
  toAsk(row: ShortAskRow, kept: KeptContent | undefined): Ask;
}

const MOST_ASKS = 1_000;
const MOST_SIZE = 8 * 1024 * 1024;

export function createContents(): Contents {
  // A Map keeps the order of insertion, so its first entry is the least recently used.
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
    of(id) {
      const kept = entries.get(id);
      if (kept !== undefined) keep(kept);
      return kept;
    },
    toAsk(row, kept) {
      if (row.content === null) {
        if (kept?.position !== row.position) throw new Error(`the content of ${row.id} was not read`);
        return askOf(kept.content, row);
      }
      const content: Content = deepFreeze(JSON.parse(row.content));
      keep({ position: row.position, content, size: row.content.length });
      return askOf(content, row);
    },
  };
}
