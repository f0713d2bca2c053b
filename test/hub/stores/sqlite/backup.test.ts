import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, it } from "vitest";
import type { Store } from "../../../../src/hub/seam/store.js";
import { errorOf, newAsk, sqliteTests } from "./open-sqlite.ts";

const { open, other, path } = sqliteTests();

async function backup(store: Store, target: string): Promise<void> {
  if (store.backup === undefined) throw new Error("the store has no backup");
  await store.backup(target);
}

describe("a backup", () => {
  it("is whole and consistent while asks are inserted and settled by two processes", async () => {
    const stores = [(await open()).store, (await open()).store] as const;
    const context = "z".repeat(2_000);
    await Promise.all(Array.from({ length: 2_000 }, () => stores[0].asks.insert(newAsk({ context }))));
    let running = true;
    const load = stores.map(async (store) => {
      let cycles = 0;
      for (; running; cycles += 1) {
        const ask = newAsk({ context });
        await store.asks.insert(ask);
        await store.asks.change(ask.ask.id, {
          kind: "settle",
          settlementId: "s",
          outcome: { kind: "withdrawn" },
        });
      }
      return cycles;
    });
    await backup(stores[0], path("copy.db"));
    running = false;
    for (const cycles of await Promise.all(load)) expect(cycles).toBeGreaterThan(0);

    const copy = other(path("copy.db"));
    expect(copy.sql("PRAGMA integrity_check").all()).toEqual([{ integrity_check: "ok" }]);
    const counts = copy
      .sql(
        `SELECT (SELECT count(*) FROM asks) AS asks,
          (SELECT count(*) FROM log_entries WHERE type = 'ask.created') AS created,
          (SELECT count(*) FROM asks WHERE status <> 'pending') AS settled,
          (SELECT count(*) FROM log_entries WHERE type = 'ask.withdrawn') AS withdrawn,
          (SELECT head FROM logs) AS head, (SELECT count(*) FROM log_entries) AS entries`,
      )
      .get<Readonly<Record<string, number>>>();
    expect(counts?.asks).toBeGreaterThanOrEqual(2_000);
    expect(counts?.created).toBe(counts?.asks);
    expect(counts?.withdrawn).toBe(counts?.settled);
    expect(counts?.entries).toBe(counts?.head);
    const { store } = await open({ path: path("copy.db") });
    expect((await store.asks.list({ limit: 5 })).asks).toHaveLength(5);
  });

  it("is its owner's alone, and nothing else is left beside it", async () => {
    const { store } = await open();
    await backup(store, path("copy.db"));
    expect(statSync(path("copy.db")).mode & 0o777).toBe(0o600);
    const names = readdirSync(dirname(path()));
    expect(names.filter((name) => !name.startsWith("askline.db")).sort()).toEqual(["copy.db"]);
  });

  it("replaces no file", async () => {
    const { store } = await open();
    writeFileSync(path("copy.db"), "mine");
    const error = await errorOf(backup(store, path("copy.db")));
    expect(error.code).toBe("store_unavailable");
    expect(error.message).toMatch(/the file .* exists already: choose another path/);
    expect(readFileSync(path("copy.db"), "utf8")).toBe("mine");
    expect((await errorOf(backup(store, path()))).code).toBe("store_unavailable");
  });

  it("says so when it cannot be written", async () => {
    const { store } = await open();
    const error = await errorOf(backup(store, path("no/such/folder/copy.db")));
    expect(error.code).toBe("store_unavailable");
    expect(error.message).toMatch(/could not be written/);
  });

  it("is finished before the store is closed", async () => {
    const { store } = await open();
    await store.records.put("n", "k", 1);
    const written = backup(store, path("copy.db"));
    await store.close();
    expect(existsSync(path("copy.db"))).toBe(true);
    await written;
    expect((await errorOf(backup(store, path("other.db")))).code).toBe("closed");
  });
});
