import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { memoryStore, type Store } from "../../src/hub/index.ts";
import { expireNames } from "../../src/hub/records/names.ts";
import { postgresStore } from "../../src/hub/stores/postgres/index.ts";
import { systemClock } from "../../src/index.ts";
import { createNames } from "../../src/server/gateway/names.ts";
import { fakeClock } from "../../src/testing/index.ts";
import { answered, sampleNewAsk, settle } from "../../src/testing/samples.ts";
import { quiet } from "../hub/stores/postgres/open-store.ts";
import { sqliteTests } from "../hub/stores/sqlite/open-sqlite.ts";
import { freshSchema, sharedPostgres } from "../support/shared-postgres.ts";
import { arbitraryLife, asksOf, exported, imported, live } from "./archives.ts";

const sqlite = sqliteTests();
let files = 0;

async function opened(kind: "memory" | "sqlite" | "postgres"): Promise<Store> {
  if (kind === "sqlite") {
    files += 1;
    return (await sqlite.open({ path: sqlite.path(`${files}.db`) })).store;
  }
  const store =
    kind === "memory" ? memoryStore() : postgresStore({ url: await sharedPostgres(), schema: freshSchema() });
  await store.open({ clock: systemClock, logger: quiet });
  onTestFinished(() => store.close());
  return store;
}

describe("an export that is imported into an empty store", () => {
  it.each([
    ["memory", "sqlite", 30],
    ["sqlite", "postgres", 6],
    ["postgres", "sqlite", 6],
  ] as const)(
    "is exported from there as it was: %s to %s",
    async (from, to, numRuns) => {
      await fc.assert(
        fc.asyncProperty(fc.array(arbitraryLife(), { minLength: 1, maxLength: 6 }), async (lives) => {
          const [source, target, back] = [await opened(from), await opened(to), await opened("memory")];
          const asks = await live(source, fakeClock({ now: Date.now() }), lives);
          const first = await exported(source);
          const results = await imported(target, first);
          expect(results).toEqual(asks.map(() => ({ kind: "imported" })));
          const second = await exported(target);
          expect(asksOf(second)).toEqual(asksOf(first));
          expect(JSON.parse(second.at(-1) ?? "")).toEqual(JSON.parse(first.at(-1) ?? ""));
          for (const ask of asks)
            expect(await target.asks.get(ask.id)).toEqual(await source.asks.get(ask.id));
          await imported(back, second);
          expect(asksOf(await exported(back))).toEqual(asksOf(first));
        }),
        { numRuns },
      );
    },
    60_000,
  );
});

describe("importing", () => {
  it("imports an ask whose deadline is later than its latest", async () => {
    const [source, target] = [await opened("memory"), await opened("sqlite")];
    const ask = sampleNewAsk(1_000, { timeoutMs: 60_000, latest: 5_000 });
    await source.asks.insert(ask);
    expect(await imported(target, await exported(source))).toEqual([{ kind: "imported" }]);
    expect(await target.asks.get(ask.ask.id)).toEqual(ask.ask);
    expect(ask.ask).toMatchObject({ deadline: 61_000, latest: 5_000 });
  });

  it("keeps the name that devices know an ask by from meaning another ask", async () => {
    const [source, target] = [await opened("memory"), await opened("sqlite")];
    const [first, second] = ["first", "second"].map((session) =>
      sampleNewAsk(1_000, { session, key: "exec-1", metadata: { gateway: true } }),
    );
    if (first === undefined || second === undefined) throw new Error("both are there");
    for (const ask of [first, second]) await source.asks.insert(ask);
    await imported(target, await exported(source));
    const names = createNames(target);
    expect(await names.of(second.ask)).toBe(second.ask.id);
    expect(await names.askIdOf("exec-1")).toBe(first.ask.id);
  });

  it("keeps the name of an ask that was pruned here, which was to expire", async () => {
    const store = await opened("sqlite");
    const { ask } = sampleNewAsk(1_000, { key: "exec-1", metadata: { gateway: true } });
    await store.asks.insert({ ask });
    await createNames(store).of(ask);
    await store.asks.change(ask.id, settle(answered("yes")));
    const lines = await exported(store);
    await store.asks.prune(store.now() + 1, 10, []);
    await expireNames(store, store.now());
    expect(await store.records.get("gateway.name", "exec-1")).toHaveProperty("expiresAt");
    await imported(store, lines);
    const record = await store.records.get("gateway.name", "exec-1");
    expect(record).toMatchObject({ value: ask.id });
    expect(record).not.toHaveProperty("expiresAt");
  });

  it("changes nothing the second time", async () => {
    const [source, target] = [await opened("memory"), await opened("sqlite")];
    const lives = fc.sample(arbitraryLife(), { numRuns: 20, seed: 1 });
    await live(source, fakeClock({ now: Date.now() }), lives);
    const lines = await exported(source);
    await imported(target, lines);
    const before = await target.logs.bounds("events");
    expect(await imported(target, lines)).toEqual(lives.map(() => ({ kind: "known" })));
    expect(await target.logs.bounds("events")).toEqual(before);
  });

  it("reports an ask that exists in another state and one whose key is used, and changes neither", async () => {
    const [source, target] = [await opened("memory"), await opened("sqlite")];
    const one = sampleNewAsk(1_000);
    const keyed = sampleNewAsk(1_000, { session: "s", key: "k" });
    const other = sampleNewAsk(1_000, { session: "s", key: "k" });
    for (const ask of [one, keyed]) await source.asks.insert(ask);
    for (const ask of [one, other]) await target.asks.insert(ask);
    await target.asks.change(one.ask.id, settle(answered("here")));
    const before = await exported(target);
    expect(await imported(target, await exported(source))).toEqual([
      {
        kind: "conflict",
        message: `${one.ask.id} already exists and differs: it is answered in the store and pending in the file`,
      },
      {
        kind: "conflict",
        message: `the key of ${keyed.ask.id} is already used in its session by ${other.ask.id}`,
      },
    ]);
    expect(await exported(target)).toEqual(before);
  });

  it("lets an agent that asks again with its key find its ask, in the other store", async () => {
    const [source, target] = [await opened("memory"), await opened("sqlite")];
    const clock = fakeClock({ now: Date.now() });
    const [life] = fc.sample(arbitraryLife(), { numRuns: 1, seed: 3 });
    if (life === undefined) throw new Error("no life");
    const [ask] = await live(source, clock, [{ ...life, keyed: true, end: "answer" }]);
    await imported(target, await exported(source));
    const [again] = await live(target, clock, [{ ...life, keyed: true, end: "none", opens: 0 }]);
    expect(again).toEqual(ask);
  });
});

describe("exporting", () => {
  it("has the outcome of every ask that ended before it began, while other asks continue", async () => {
    const store = await opened("sqlite");
    const ids: string[] = [];
    for (let index = 0; index < 300; index += 1) {
      ids.push((await store.asks.insert(sampleNewAsk(store.now()))).ask.id);
    }
    const ended = ids.slice(0, 150);
    for (const id of ended) await store.asks.change(id, settle(answered("before")));
    let running = true;
    const load = (async () => {
      for (const id of ids.slice(150)) {
        if (!running) return;
        await store.asks.change(id, settle(answered("meanwhile")));
        await store.asks.insert(sampleNewAsk(store.now()));
      }
    })();
    const lines = asksOf(await exported(store));
    running = false;
    await load;
    const found = new Map(lines.map((line) => [line.ask.id, line]));
    for (const id of ids) expect(found.has(id)).toBe(true);
    for (const id of ended) expect(found.get(id)?.ask.status).toBe("answered");
    for (const { ask, events } of lines) {
      expect(events.some(({ type }) => type === "ask.answered")).toBe(ask.status === "answered");
    }
  });

  it("applies its filters", async () => {
    const store = await opened("memory");
    const old = sampleNewAsk(1_000, { session: "s" });
    const recent = sampleNewAsk(9_000, { recipients: ["ana"] });
    for (const ask of [old, recent]) await store.asks.insert(ask);
    await store.asks.change(old.ask.id, settle(answered("x")));
    const ids = async (more: object) => asksOf(await exported(store, more)).map(({ ask }) => ask.id);
    expect(await ids({ since: 9_000 })).toEqual([recent.ask.id]);
    expect(await ids({ filter: { session: "s" } })).toEqual([old.ask.id]);
    expect(await ids({ filter: { status: "pending" } })).toEqual([recent.ask.id]);
    expect(await ids({ filter: { person: "bo" } })).toEqual([old.ask.id]);
  });
});
