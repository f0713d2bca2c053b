import type { Store } from "./store.js";

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
