import { afterEach, describe, expect, it, vi } from "vitest";
import { EVENT_LOG, type LogAppend, type Store } from "../../../../src/hub/seam/store.js";
import { errorOf, newAsk, sqliteTests } from "./open-sqlite.ts";

const { open, other, path } = sqliteTests();

const commitsIn = (statements: readonly string[]): number =>
  statements.filter((sql) => sql === "COMMIT").length;

/** An entry that no table takes: its type is missing. */
const unwritable = { log: "l" } as unknown as LogAppend;

afterEach(() => {
  vi.restoreAllMocks();
});

describe("the writes of one turn", () => {
  it("are one transaction", async () => {
    const { store, statements } = await open();
    // On a busy machine the first of them may take longer than a transaction is allowed to.
    vi.spyOn(performance, "now").mockReturnValue(0);
    statements.length = 0;
    await Promise.all([
      store.asks.insert(newAsk()),
      store.logs.append([{ log: "l", type: "t" }]),
      store.records.put("n", "k", 1),
      store.asks.claimDue(1, 1),
      store.records.delete("n", "other"),
    ]);
    expect(commitsIn(statements)).toBe(1);
    await store.records.put("n", "k", 2);
    expect(commitsIn(statements)).toBe(2);
  });

  it("are told to who observes the store, commit by commit", async () => {
    const { store, statements } = await open();
    const batches: number[] = [];
    statements.length = 0;
    store.observe?.({ committed: (writes) => batches.push(writes) });
    await Promise.all([store.asks.insert(newAsk()), store.records.put("n", "k", 1)]);
    await store.records.put("n", "k", 2);
    // As many as there were: a slow machine makes more of them.
    expect(batches).toHaveLength(commitsIn(statements));
    expect(batches.reduce((sum, writes) => sum + writes, 0)).toBe(3);
  });

  it("are made in the order of the calls", async () => {
    const { store } = await open();
    const ask = newAsk();
    const results = await Promise.all([
      store.asks.insert(ask),
      store.asks.change(ask.ask.id, { kind: "settle", settlementId: "1", outcome: { kind: "withdrawn" } }),
      store.asks.change(ask.ask.id, { kind: "settle", settlementId: "2", outcome: { kind: "expired" } }),
    ]);
    expect(results[1]?.applied).toBe(true);
    expect(results[2]).toMatchObject({ applied: false, ask: { status: "withdrawn" } });
  });

  it("find nothing that only a later one of them stores", async () => {
    const { store } = await open();
    const ask = newAsk();
    const settle = { kind: "settle", settlementId: "1", outcome: { kind: "withdrawn" } } as const;
    const [changed, inserted] = await Promise.all([
      store.asks.change(ask.ask.id, settle),
      store.asks.insert(ask),
    ]);
    expect(changed).toBeUndefined();
    expect(inserted.kind).toBe("created");
  });

  it("are not seen before the commit, and by everyone when they are acknowledged", async () => {
    const { store } = await open();
    const elsewhere = other();
    const count = (): number | undefined =>
      elsewhere.sql("SELECT count(*) AS n FROM asks").get<{ readonly n: number }>()?.n;
    const ask = newAsk();
    const written = store.asks.insert(ask);
    expect(await store.asks.get(ask.ask.id)).toBeUndefined();
    expect(count()).toBe(0);
    await written;
    expect(count()).toBe(1);
  });

  it("are several transactions where they are very many", async () => {
    const { store, statements } = await open();
    statements.length = 0;
    const writes = Array.from({ length: 1_000 }, (_, index) =>
      store.logs.append([{ log: "l", type: `${index}` }]),
    );
    const positions = (await Promise.all(writes)).flat();
    expect(positions).toEqual(Array.from({ length: 1_000 }, (_, index) => index + 1));
    expect(commitsIn(statements)).toBeGreaterThanOrEqual(4);
  });

  it("write the head of a log once", async () => {
    const { store, statements } = await open();
    statements.length = 0;
    // A transaction ends when it has taken long, which on a busy machine it may.
    const time = vi.spyOn(performance, "now").mockReturnValue(1);
    await Promise.all(Array.from({ length: 50 }, () => store.asks.insert(newAsk())));
    time.mockRestore();
    expect(statements.filter((sql) => sql.startsWith("INSERT INTO logs"))).toHaveLength(1);
    expect(statements.filter((sql) => sql.includes("FROM logs"))).toHaveLength(1);
  });
});

describe("a write that fails", () => {
  it("takes none of its neighbours along and leaves no gap", async () => {
    const { store } = await open();
    const before = newAsk();
    const failing = newAsk({ recipients: ["ana"] });
    const after = newAsk();
    const [first, second, third] = await Promise.allSettled([
      store.asks.insert(before, [{ log: "l", type: "before" }]),
      store.asks.insert(failing, [{ log: "l", type: "lost" }, unwritable]),
      store.asks.insert(after, [{ log: "l", type: "after" }]),
    ]);
    expect([first?.status, second?.status, third?.status]).toEqual(["fulfilled", "rejected", "fulfilled"]);
    const events = await store.logs.read(EVENT_LOG, { after: 0, limit: 10 });
    expect(events.map(({ position, subject }) => [position, subject])).toEqual([
      [1, before.ask.id],
      [2, after.ask.id],
    ]);
    const entries = await store.logs.read("l", { after: 0, limit: 10 });
    expect(entries.map(({ position, type }) => [position, type])).toEqual([
      [1, "before"],
      [2, "after"],
    ]);
    expect(await store.asks.get(failing.ask.id)).toBeUndefined();
    expect((await store.asks.list({ person: "ana", limit: 10 })).asks).toHaveLength(2);
    expect(await store.logs.bounds(EVENT_LOG)).toEqual({ first: 1, head: 2 });
  });

  it("gives its neighbours what they would get without it", async () => {
    const alone = await open();
    const beside = await open({ path: path("beside.db") });
    const ask = newAsk({ key: "k" });
    const again = newAsk({ key: "k" });
    const other = newAsk({ key: "k", context: "other" });
    const write = (store: Store): readonly Promise<unknown>[] => [
      store.asks.insert(ask),
      store.asks.insert(again),
      store.asks.insert(other),
      store.records.put("n", "k", 1, { expect: null }),
      store.records.put("n", "k", 2, { expect: null }),
      store.logs.append([{ log: "l", type: "t" }]),
    ];
    const failing = expect(beside.store.logs.append([unwritable])).rejects.toThrow();
    const results = await Promise.all([...write(alone.store), ...write(beside.store)]);
    await failing;
    expect(results.slice(6)).toEqual(results.slice(0, 6));
  });

  it("is not kept in memory either", async () => {
    const { store } = await open();
    const failing = newAsk({ context: "first" });
    await expect(store.asks.insert(failing, [unwritable])).rejects.toThrow();
    const second = newAsk({ id: failing.ask.id, context: "second" });
    await store.asks.insert(second);
    expect(await store.asks.get(failing.ask.id)).toEqual(second.ask);
  });
});

describe("closing", () => {
  it("finishes what was begun and refuses what comes after", async () => {
    const { store } = await open();
    const ask = newAsk();
    const written = store.asks.insert(ask);
    const closed = store.close();
    expect((await errorOf(store.asks.insert(newAsk()))).code).toBe("closed");
    expect((await errorOf(store.asks.get(ask.ask.id))).code).toBe("closed");
    await closed;
    expect((await written).kind).toBe("created");
    expect((await errorOf(store.logs.bounds("l"))).code).toBe("closed");
    const again = await open();
    expect(await again.store.asks.get(ask.ask.id)).toEqual(ask.ask);
  });
});

describe("readers", () => {
  it("leave a turn to writers, however fast they read", async () => {
    const { store } = await open();
    let written = false;
    const writing = store.logs.append([{ log: "l", type: "t" }]).then(() => {
      written = true;
    });
    while (!written) await store.logs.read("l", { after: 0, limit: 1 });
    await writing;
    expect(await store.logs.bounds("l")).toEqual({ first: 1, head: 1 });
  });
});
