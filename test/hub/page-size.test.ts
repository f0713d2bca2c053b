import { describe, expect, it } from "vitest";
import { memoryStore, type Store } from "../../src/hub/index.js";
import { withParts } from "../../src/hub/seam/store-kit.js";
import { openHub, question, take } from "./open-hub.js";

/** About a million characters, the largest ask there is. */
const large = {
  questions: [
    {
      question: "Which?",
      options: Array.from({ length: 15 }, (_, index) => ({
        label: `Option ${index}`,
        preview: "x".repeat(65_000),
      })),
    },
  ],
};
const MOST = 8 * 1024 * 1024;

/** A store that counts the characters of the asks that it gives out at once. */
function measured(): { readonly store: Store; readonly largest: () => number } {
  const store = memoryStore();
  let largest = 0;
  const note = (given: unknown): void => {
    largest = Math.max(largest, JSON.stringify(given).length);
  };
  const parts = {
    get asks() {
      return {
        ...store.asks,
        async list(query: Parameters<Store["asks"]["list"]>[0]) {
          const page = await store.asks.list(query);
          note(page);
          return page;
        },
        async getMany(...given: Parameters<Store["asks"]["getMany"]>) {
          const asks = await store.asks.getMany(...given);
          note(asks);
          return asks;
        },
      };
    },
  };
  return { store: withParts(store, parts), largest: () => largest };
}

describe("what is read at once", () => {
  it("was 500 MB for one page of 500 large asks", async () => {
    const { store, largest } = measured();
    const { hub } = await openHub(store);
    for (let count = 0; count < 20; count += 1) await hub.post(large);
    const sizes: number[] = [];
    for (let next: string | undefined; ; ) {
      const page = await hub.list({}, { limit: 500, ...(next !== undefined && { after: next }) });
      sizes.push(page.asks.length);
      next = page.next;
      if (next === undefined) break;
    }
    expect(sizes).toEqual([8, 8, 4]);
    expect(largest()).toBeLessThan(MOST);
  });

  it("was all that a replay of events had missed", async () => {
    const { store, largest } = measured();
    const { hub } = await openHub(store);
    const ids: string[] = [];
    for (let count = 0; count < 20; count += 1) ids.push((await hub.post(large)).id);
    await hub.post({ questions: [question] });
    for (const id of ids) await hub.withdraw(id);
    const events = await take(hub.events({ after: 0 }), 41);
    expect(events.map(({ position }) => position)).toEqual(Array.from({ length: 41 }, (_, at) => at + 1));
    expect(events.every(({ ask, askId }) => ask?.id === askId)).toBe(true);
    expect(largest()).toBeLessThan(MOST);
  });
});
