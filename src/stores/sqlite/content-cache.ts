import type { Ask } from "../../core/index.js";

/**
 * Asks that were used lately, parsed, as they were inserted. What can change about an ask is taken from its
 * row whenever it is read, so nothing in here can be stale.
 */
export interface ContentCache {
  /** The position tells an ask from one of the same id that was rolled back, or removed before. */
  get(id: string, position: number): Ask | undefined;
  /** `size` is that of its JSON, in characters. */
  set(position: number, content: Ask, size: number): void;
  /** The ask has ended: it may be looked at once more, and then hardly ever. */
  ended(id: string): void;
}

interface Entry {
  readonly position: number;
  readonly content: Ask;
  readonly size: number;
}

const MOST_ASKS = 1_000;
/** Of those that have ended. What is let go at once never gets to where the collector has to look for it. */
const MOST_ENDED = 32;
const LARGEST_SIZE = 8 * 1024 * 1024;

export function createContentCache(
  mostAsks: number = MOST_ASKS,
  largestSize: number = LARGEST_SIZE,
): ContentCache {
  // A Map keeps the order of insertion: the first is the one that was not used for longest.
  const entries = new Map<string, Entry>();
  const ended: string[] = [];
  let total = 0;
  const remove = (id: string): Entry | undefined => {
    const entry = entries.get(id);
    if (entry === undefined) return undefined;
    entries.delete(id);
    total -= entry.size;
    return entry;
  };
  const add = (entry: Entry): void => {
    entries.set(entry.content.id, entry);
    total += entry.size;
    for (const id of entries.keys()) {
      if (entries.size <= mostAsks && total <= largestSize) return;
      remove(id);
    }
  };
  return {
    get(id, position) {
      const entry = remove(id);
      if (entry?.position !== position) return undefined;
      add(entry);
      return entry.content;
    },
    set(position, content, size) {
      remove(content.id);
      if (size <= largestSize) add({ position, content, size });
    },
    ended(id) {
      ended.push(id);
      const oldest = ended.length > MOST_ENDED ? ended.shift() : undefined;
      if (oldest !== undefined) remove(oldest);
    },
  };
}
