import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { Outcome } from "../../../../src/index.ts";
import { newAsk, sqliteTests } from "./open-sqlite.ts";

const { open } = sqliteTests();

const outcome: Outcome = {
  kind: "replied",
  text: "later",
  by: { kind: "person", id: "ana", surface: "test" },
};

describe("two stores on one file", () => {
  it("notice each other's commits within 250 ms", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    const { store } = await open();
    const elsewhere = (await open()).store;
    const noticed = vi.fn();
    store.watch(noticed);
    await elsewhere.records.put("n", "k", 1);
    vi.advanceTimersByTime(249);
    expect(noticed).toHaveBeenCalledTimes(1);
    expect((await store.records.get("n", "k"))?.value).toBe(1);
  });

  it("do not look while nobody listens, and do not call for their own commits", async () => {
    const { store, statements } = await open();
    const elsewhere = (await open()).store;
    const looks = (): number => statements.filter((sql) => sql === "PRAGMA data_version").length;
    await elsewhere.records.put("n", "k", 1);
    expect(looks()).toBe(0);
    let calls = 0;
    const stop = store.watch(() => {
      calls += 1;
    });
    await store.records.put("n", "k", 2);
    const before = looks();
    while (looks() < before + 3) await new Promise((resolve) => setImmediate(resolve));
    expect(calls).toBe(0);
    stop();
    const after = looks();
    const third = (await open()).store;
    const noticed = new Promise<void>((resolve) => third.watch(resolve));
    await elsewhere.records.put("n", "k", 3);
    await noticed;
    expect(looks()).toBe(after);
  });

  it("call every listener but those that have stopped", async () => {
    const { store } = await open();
    const elsewhere = (await open()).store;
    let stopped = 0;
    const stop = store.watch(() => {
      stopped += 1;
    });
    const noticed = Promise.all([1, 2].map(() => new Promise<void>((resolve) => store.watch(resolve))));
    stop();
    await elsewhere.records.put("n", "k", 1);
    await noticed;
    expect(stopped).toBe(0);
  });

  it("never serve from memory what the other has changed", async () => {
    const { store } = await open();
    const elsewhere = (await open()).store;
    const ask = newAsk({ deadline: 5_000, recipients: ["ana"] });
    await store.asks.insert(ask);
    expect(await store.asks.get(ask.ask.id)).toEqual(ask.ask);
    await elsewhere.asks.change(ask.ask.id, { kind: "extend", deadline: 9_000, when: "anytime" });
    expect((await store.asks.get(ask.ask.id))?.deadline).toBe(9_000);
    await elsewhere.asks.change(ask.ask.id, { kind: "overdue" });
    expect((await store.asks.list({ person: "ana", limit: 1 })).asks[0]?.overdue).toBe(true);
    const settled = await elsewhere.asks.change(ask.ask.id, {
      kind: "settle",
      settlementId: "1",
      outcome,
      when: "anytime",
    });
    expect(await store.asks.get(ask.ask.id)).toEqual(settled?.ask);
    expect(await store.asks.change(ask.ask.id, { kind: "settle", settlementId: "2", outcome })).toEqual({
      applied: false,
      ask: settled?.ask,
    });
    await elsewhere.asks.prune(Number.MAX_SAFE_INTEGER, 10, []);
    expect(await store.asks.get(ask.ask.id)).toBeUndefined();
  });

  it("never serve the content of an ask that another has replaced", async () => {
    const { store } = await open();
    const elsewhere = (await open()).store;
    const first = newAsk({ context: "first" });
    await store.asks.insert(first);
    await store.asks.change(first.ask.id, { kind: "settle", settlementId: "1", outcome });
    await elsewhere.asks.prune(Number.MAX_SAFE_INTEGER, 10, []);
    const second = newAsk({ id: first.ask.id, context: "second" });
    await elsewhere.asks.insert(second);
    expect(await store.asks.get(first.ask.id)).toEqual(second.ask);
  });

  it("settle an ask once under a hundred racing answers", async () => {
    const stores = [(await open()).store, (await open()).store];
    const ask = newAsk();
    await stores[0]?.asks.insert(ask);
    const results = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        stores[index % 2]?.asks.change(ask.ask.id, { kind: "settle", settlementId: `${index}`, outcome }),
      ),
    );
    expect(results.filter((result) => result?.applied)).toHaveLength(1);
  });
});
