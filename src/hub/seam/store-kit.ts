// Helpers for stores and for wrappers of stores.

import type { Clock } from "../../core/kit/clock.js";
import { items } from "../../core/kit/pages.js";
import type { AskChange, LogAppend, RecordStore, Store, StoredRecord } from "./store.js";

/** The event that a store must write in the same transaction as a change. */
export function changeEvent(change: AskChange): Pick<LogAppend, "type" | "data"> {
  switch (change.kind) {
    case "settle": {
      const { outcome } = change;
      const type = `ask.${outcome.kind}`;
      return "by" in outcome ? { type, data: { by: outcome.by } } : { type };
    }
    case "extend":
      return { type: "ask.extended", data: { deadline: change.deadline } };
    case "overdue":
      return { type: "ask.overdue" };
    case "escalate":
      return { type: "ask.escalated", data: { to: change.to } };
  }
}

/** All records of a namespace whose keys start with a prefix, in the order of their keys. */
export function allRecords(
  records: Pick<RecordStore, "list">,
  namespace: string,
  prefix?: string,
): AsyncGenerator<StoredRecord, void, void> {
  return items(
    500,
    ({ key }) => key,
    (after: string | undefined, limit) => records.list(namespace, { prefix, after, limit }),
  );
}

/**
 * Wall-clock time that does not jump: reads the wall clock once, then adds the monotonic clock. Asks do not expire
 * early when an administrator or a time server changes the wall clock.
 */
export function steadyNow(clock: Clock): () => number {
  const wall = clock.now();
  const start = clock.monotonic();
  return () => Math.floor(wall + (clock.monotonic() - start));
}

/**
 * The first string, by code point, after all strings that start with a prefix; undefined if there is no such string.
 * It turns a prefix search into a range search, which can use an index.
 */
export function prefixEnd(prefix: string): string | undefined {
  const points = Array.from(prefix, (character) => character.codePointAt(0) ?? 0);
  for (let last = points.pop(); last !== undefined; last = points.pop()) {
    if (last === 0x10ffff) continue;
    // Well-formed text has no surrogates.
    const next = last === 0xd7ff ? 0xe000 : last + 1;
    return String.fromCodePoint(...points, next);
  }
  return undefined;
}

/** The first items that fit into `maxSize`, but at least one. Reads at most one item beyond the page. */
export function fitPage<T>(
  items: Iterable<T>,
  sizeOf: (item: T) => number,
  maxSize: number = Number.POSITIVE_INFINITY,
): T[] {
  const page: T[] = [];
  let size = 0;
  for (const item of items) {
    size += sizeOf(item);
    if (size > maxSize && page.length > 0) break;
    page.push(item);
  }
  return page;
}

/** The same store with some of its parts replaced. All other members are the store's own. */
export function withParts(store: Store, parts: Partial<Store>): Store {
  const bound = new Map<PropertyKey, unknown>();
  return new Proxy(store, {
    get(_target, name) {
      if (Object.hasOwn(parts, name)) return Reflect.get(parts, name);
      const value: unknown = Reflect.get(store, name, store);
      if (typeof value !== "function") return value;
      const method = bound.get(name) ?? value.bind(store);
      bound.set(name, method);
      return method;
    },
  });
}
