import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { EVENT_LOG } from "../../../../src/hub/seam/store.js";
import { createBatcher } from "../../../../src/hub/stores/postgres/write/batcher.js";
import { answered, sampleNewAsk, settle } from "../../../../src/testing/samples.ts";
import { freshSchema } from "../../../support/shared-postgres.ts";
import { openStore } from "./open-store.ts";

// Too long for an index, and too random to be compressed into one.
const TOO_LONG = randomBytes(8_000).toString("hex");

describe("one bad write among its neighbours", () => {
  it("fails alone when asks are stored", async () => {
    const store = await openStore({ schema: freshSchema() });
    const good = Array.from({ length: 9 }, () => sampleNewAsk(store.now()));
    const bad = sampleNewAsk(store.now());
    const calls = [...good.slice(0, 4), { ask: { ...bad.ask, session: TOO_LONG } }, ...good.slice(4)];
    const results = await Promise.allSettled(calls.map((created) => store.asks.insert(created)));
    expect(results.map(({ status }) => status)).toEqual(
      calls.map((_, index) => (index === 4 ? "rejected" : "fulfilled")),
    );
    expect(results[4]).toMatchObject({ reason: { code: "too_large" } });
    expect((await store.asks.list({ limit: 20 })).asks).toHaveLength(9);
    expect(await store.logs.bounds(EVENT_LOG)).toEqual({ first: 1, head: 9 });
  });

  it("fails alone when records are put and entries appended", async () => {
    const store = await openStore({ schema: freshSchema() });
    const results = await Promise.allSettled([
      store.records.put("n", "a", 1),
      store.records.put("n", TOO_LONG, 2),
      store.records.put("n", "b", 3),
      store.logs.append([{ log: "l", type: "t" }]),
      store.logs.append([{ log: "l", type: "t", subject: TOO_LONG }]),
      store.logs.append([{ log: "l", type: "t" }]),
    ]);
    expect(results.map(({ status }) => status === "fulfilled")).toEqual([
      true,
      false,
      true,
      true,
      false,
      true,
    ]);
    expect(await store.logs.bounds("l")).toEqual({ first: 1, head: 2 });
  });

  it("fails alone when its name cannot be stored", async () => {
    const store = await openStore({ schema: freshSchema() });
    await expect(store.records.put("n", "a\0", 1)).rejects.toMatchObject({ code: "unsupported" });
    await expect(store.logs.append([{ log: "\ud800", type: "t" }])).rejects.toMatchObject({
      code: "unsupported",
    });
    expect(await store.records.get("n", "a\0")).toBeUndefined();
    expect(await store.asks.get("\udc00")).toBeUndefined();
  });
});

it("tells who observes the store how many writes became durable together", async () => {
  const store = await openStore({ schema: freshSchema() });
  const batches: number[] = [];
  store.observe?.({ committed: (writes) => batches.push(writes) });
  await Promise.all(Array.from({ length: 9 }, () => store.asks.insert(sampleNewAsk(store.now()))));
  await store.records.put("n", "k", 1);
  await store.logs.append([{ log: "l", type: "t" }]);
  await store.asks.list({ limit: 1 });
  await store.asks.get("none");
  expect(batches).toEqual([9, 1, 1]);
});

it("settles an ask once when a hundred try in the same batch", async () => {
  const store = await openStore({ schema: freshSchema() });
  const created = sampleNewAsk(store.now());
  await store.asks.insert(created);
  const results = await Promise.all(
    Array.from({ length: 100 }, (_, index) =>
      store.asks.change(created.ask.id, settle(answered(`answer ${index}`))),
    ),
  );
  expect(results.filter((result) => result?.applied)).toHaveLength(1);
  expect(new Set(results.map((result) => JSON.stringify(result?.ask))).size).toBe(1);
});

describe("the batcher", () => {
  function recording(options: { readonly limit?: number; readonly fail?: string } = {}) {
    const batches: (readonly string[])[] = [];
    const batcher = createBatcher<string, string>({
      limit: options.limit ?? 10,
      inFlight: 1,
      touches: (item) => [item[0] ?? ""],
      async run(items) {
        batches.push(items);
        if (options.fail !== undefined && items.includes(options.fail)) throw new Error(options.fail);
        return items.map((item) => `did ${item}`);
      },
    });
    return { batches, batcher };
  }

  it("sends the calls of one turn together, up to its limit", async () => {
    const { batches, batcher } = recording({ limit: 2 });
    expect(await Promise.all(["a", "b", "c"].map(batcher.add))).toEqual(["did a", "did b", "did c"]);
    expect(batches).toEqual([["a", "b"], ["c"]]);
  });

  it("keeps calls that touch the same apart and in their order", async () => {
    const { batches, batcher } = recording();
    await Promise.all(["a1", "b1", "a2", "a3", "c1"].map(batcher.add));
    expect(batches).toEqual([["a1", "b1", "c1"], ["a2"], ["a3"]]);
  });

  it("rejects only the one that cannot be done", async () => {
    const { batcher } = recording({ fail: "c" });
    const results = await Promise.allSettled(["a", "b", "c", "d", "e"].map(batcher.add));
    expect(results.map(({ status }) => status)).toEqual([
      ...["fulfilled", "fulfilled", "rejected", "fulfilled", "fulfilled"],
    ]);
    await batcher.drained();
  });
});
