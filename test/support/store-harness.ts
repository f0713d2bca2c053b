import { memoryStore, type Store } from "../../src/hub/index.ts";
import { fakeClock, type StoreHarness } from "../../src/testing/index.ts";

const logger = { warn: () => undefined, error: () => undefined };

/** The memory store for the store suite. */
export function memoryHarness(create: () => Store = memoryStore): StoreHarness {
  const clock = fakeClock();
  return {
    clock,
    lacks: {
      reopen: "a memory store keeps nothing when it closes",
      second: "a memory store belongs to one process",
    },
    async open() {
      const store = create();
      await store.open({ clock, logger });
      return store;
    },
  };
}
