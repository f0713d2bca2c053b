import { describe, expect, it } from "vitest";
import type { AskChange, LogAppend } from "../../../src/hub/store.ts";
import { newAsk, sqliteTests } from "./open-sqlite.ts";

const { open, other } = sqliteTests();

const declined: AskChange = {
  kind: "settle",
  settlementId: "mine",
  outcome: { kind: "declined", by: { kind: "person", id: "ana", surface: "cli" } },
};

describe("an ask that was inserted lately", () => {
  it("is settled without a look at it", async () => {
    const { store, statements } = await open();
    const ask = newAsk({ deadline: 5_000 });
    await store.asks.insert(ask);
    statements.length = 0;
    const changed = await store.asks.change(ask.ask.id, declined);
    expect(changed).toMatchObject({ applied: true, ask: { status: "declined", deadline: 5_000 } });
    expect(statements.filter((sql) => sql.includes("FROM asks"))).toEqual([]);
    expect(await store.asks.get(ask.ask.id)).toEqual(changed?.ask);
  });

  it("is looked at where another process has moved its deadline", async () => {
    const { store } = await open();
    const ask = newAsk({ deadline: 5_000 });
    await store.asks.insert(ask);
    other().exec("UPDATE asks SET deadline = 9000");
    const changed = await store.asks.change(ask.ask.id, declined);
    expect(changed).toMatchObject({ applied: true, ask: { status: "declined", deadline: 9_000 } });
  });

  it("is looked at where another process has found it overdue", async () => {
    const { store } = await open();
    const ask = newAsk({ deadline: 5_000, onDeadline: "wait" });
    await store.asks.insert(ask);
    other().exec("UPDATE asks SET overdue = 1");
    const changed = await store.asks.change(ask.ask.id, declined);
    expect(changed).toMatchObject({ applied: true, ask: { status: "declined", overdue: true } });
  });

  it("stays as another process has ended it", async () => {
    const { store } = await open();
    const ask = newAsk();
    await store.asks.insert(ask);
    other().exec(`UPDATE asks SET status = 'expired', settled_at = 1, outcome = '{"kind":"expired"}'`);
    const changed = await store.asks.change(ask.ask.id, declined);
    expect(changed).toMatchObject({ applied: false, ask: { status: "expired" } });
  });

  it("is not there where its insert was taken back, though another has its place", async () => {
    const { store } = await open();
    const lost = newAsk();
    const there = newAsk();
    // Its row is written, and then an entry that cannot be.
    await expect(store.asks.insert(lost, [{ log: "l" } as unknown as LogAppend])).rejects.toThrow();
    await store.asks.insert(there);
    expect(await store.asks.change(lost.ask.id, declined)).toBeUndefined();
    expect((await store.asks.get(there.ask.id))?.status).toBe("pending");
  });
});
