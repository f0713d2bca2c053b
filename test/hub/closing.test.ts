import { describe, expect, it } from "vitest";
import { createHub, memoryStore, type Store } from "../../src/hub/index.js";
import { AsklineError } from "../../src/index.js";
import { fakeClock } from "../../src/testing/fake-clock.js";
import { codeOf, openHub, question } from "./open-hub.js";

const request = { questions: [question], session: "s1", key: "call_1" };

describe("a hub that closes", () => {
  it("rejects an agent who finds its ask just then, though others are still being let go", async () => {
    const inner = memoryStore();
    let deleted = (): void => undefined;
    const store: Store = {
      ...inner,
      records: {
        ...inner.records,
        delete: () =>
          new Promise((resolve) => {
            deleted = () => resolve(true);
          }),
      },
    };
    const { hub } = await openHub(store);
    await hub.post(request);
    hub.presence.connect("ana", "web");
    const asked = codeOf(hub.ask(request));
    const closing = hub.close();
    // The ask is found while the store is still open.
    await new Promise(setImmediate);
    deleted();
    await closing;
    expect(await asked).toBe("closed");
  });

  it("is closed for everyone who closes it, and not before", async () => {
    const inner = memoryStore();
    let closed = 0;
    const store: Store = {
      ...inner,
      async close() {
        await new Promise(setImmediate);
        closed += 1;
        await inner.close();
      },
    };
    const { hub } = await openHub(store);
    void hub.close();
    await hub.close();
    expect(closed).toBe(1);
  });

  it("has no more use for who comes and goes: no timer, no complaint", async () => {
    const { hub, clock, logged } = await openHub();
    const leave = hub.presence.connect("ana", "web");
    await hub.close();
    leave();
    hub.presence.connect("bob", "web")();
    hub.presence.connect("bob", "web");
    await clock.advance(60_000);
    expect(logged).toEqual([]);
    expect(hub.presence.connected()).toEqual([]);
  });
});

describe("a hub that cannot start", () => {
  it("closes the store that it has opened", async () => {
    const inner = memoryStore();
    let closed = false;
    const store: Store = {
      ...inner,
      logs: { ...inner.logs, bounds: () => Promise.reject(new AsklineError("store_busy", "locked")) },
      async close() {
        closed = true;
        await inner.close();
      },
    };
    expect(await codeOf(createHub({ store, clock: fakeClock() }))).toBe("store_busy");
    expect(closed).toBe(true);
  });
});
