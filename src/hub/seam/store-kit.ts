// What every store needs beside the interface, and what wraps one.

import type { Clock } from "../../core/index.js";
import type { AskChange, LogAppend, Store } from "./store.js";

/** The event that a store writes with a change, in the same transaction. */
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
  }
}

/**
 * Wall-clock time that does not jump: the wall clock is read once, now, and the monotonic clock counts from
 * there. An administrator or a time server that turns the clock makes no ask expire early.
 */
export function steadyNow(clock: Clock): () => number {
  const wall = clock.now();
  const start = clock.monotonic();
  return () => Math.floor(wall + (clock.monotonic() - start));
}

/**
 * The first string, in the order of code points, after all those that start with a prefix; undefined where
 * there is none. With it a prefix is a range, which an index can search.
 */
export function prefixEnd(prefix: string): string | undefined {
  const points = Array.from(prefix, (character) => character.codePointAt(0) ?? 0);
  for (let last = points.pop(); last !== undefined; last = points.pop()) {
    if (last === 0x10ffff) continue;
    // Surrogates are no code points of a well-formed text.
    const next = last === 0xd7ff ? 0xe000 : last + 1;
    return String.fromCodePoint(...points, next);
  }
  return undefined;
}

/** The first items that fit into a page of `maxSize`, and at least one. Items beyond it are not read from the source. */
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

/** The same store with some of its parts replaced. Whatever else it has, now or later, is its own. */
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
