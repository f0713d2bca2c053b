import { describe, expect, it } from "vitest";
import { createContentCache } from "../../../src/stores/sqlite/content-cache.ts";
import { newAsk } from "./open-sqlite.ts";

const contentOf = (id: string) => newAsk({ id }).ask;

describe("the cache of contents", () => {
  it("keeps what was used last, up to a number of asks", () => {
    const cache = createContentCache(2, 1_000);
    cache.set(1, contentOf("a"), 10);
    cache.set(2, contentOf("b"), 10);
    expect(cache.get("a", 1)?.id).toBe("a");
    cache.set(3, contentOf("c"), 10);
    expect(cache.get("b", 2)).toBeUndefined();
    expect(cache.get("a", 1)?.id).toBe("a");
    expect(cache.get("c", 3)?.id).toBe("c");
  });

  it("keeps no more than a size in all", () => {
    const cache = createContentCache(100, 100);
    for (let position = 1; position <= 10; position += 1) cache.set(position, contentOf(`${position}`), 30);
    const kept = Array.from({ length: 10 }, (_, index) => cache.get(`${index + 1}`, index + 1)?.id);
    expect(kept.filter((id) => id !== undefined)).toEqual(["8", "9", "10"]);
    cache.set(11, contentOf("too large"), 101);
    expect(cache.get("too large", 11)).toBeUndefined();
    expect(cache.get("10", 10)?.id).toBe("10");
  });

  it("replaces an ask without counting it twice", () => {
    const cache = createContentCache(100, 100);
    for (let position = 1; position <= 10; position += 1) cache.set(position, contentOf("same"), 60);
    expect(cache.get("same", 10)?.id).toBe("same");
    cache.set(11, contentOf("other"), 40);
    expect(cache.get("same", 10)?.id).toBe("same");
  });

  it("tells an ask from another of the same id by its position", () => {
    const cache = createContentCache();
    cache.set(1, contentOf("a"), 10);
    expect(cache.get("a", 2)).toBeUndefined();
  });
});
