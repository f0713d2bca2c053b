import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { sqliteStore } from "../../../../src/hub/stores/sqlite/index.ts";
import { createSqliteStore } from "../../../../src/hub/stores/sqlite/sqlite-store.ts";
import { fakeClock } from "../../../../src/testing/index.ts";
import { errorOf, logger, newAsk, sqliteTests } from "./open-sqlite.ts";

const { open, other, path } = sqliteTests();

const big = (): string => "x".repeat(60_000);

describe("a file that another process has locked", () => {
  it("is waited for, while everything else goes on", async () => {
    const { store } = await open();
    const holder = other();
    holder.exec("BEGIN IMMEDIATE");
    const ask = newAsk();
    let settled = false;
    const written = store.asks.insert(ask).finally(() => {
      settled = true;
    });
    const turnsUntil = performance.now() + 60;
    // A write that blocked the turns would have given up before the second of them.
    for (let turns = 0; turns <= 20 || performance.now() < turnsUntil; turns += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      expect(await store.asks.get(ask.ask.id)).toBeUndefined();
    }
    expect(settled).toBe(false);
    holder.exec("COMMIT");
    expect((await written).kind).toBe("created");
  });

  it("is given up after a while, for those that have waited, and works again when it is free", async () => {
    const { store } = await open({ busyTimeoutMs: 100 });
    const holder = other();
    holder.exec("BEGIN IMMEDIATE");
    const writes = [store.asks.insert(newAsk()), store.records.put("n", "k", 1)];
    const [one, two] = await Promise.all(writes.map(errorOf));
    expect([one?.code, two?.code]).toEqual(["store_busy", "store_busy"]);
    expect(one?.message).toContain(path());
    expect(one?.message).toMatch(/locked by another process/);
    holder.exec("ROLLBACK");
    expect((await store.asks.insert(newAsk())).kind).toBe("created");
    expect((await store.asks.list({ limit: 10 })).asks).toHaveLength(1);
  });

  it("is given up when opening, too", async () => {
    const holder = other();
    holder.exec("BEGIN EXCLUSIVE");
    expect((await errorOf(open({ busyTimeoutMs: 50 }))).code).toBe("store_busy");
    holder.exec("ROLLBACK");
    await open();
  });
});

describe("a full disk", () => {
  it("was ready until a write had failed", async () => {
    let free: number | undefined = 16 * 1024 * 1024;
    const folders = new Set<string>();
    const store = createSqliteStore({ path: path() }, undefined, undefined, async (folder) => {
      folders.add(folder);
      return free;
    });
    await store.open({ clock: fakeClock(), logger });
    onTestFinished(() => store.close());
    const check = async (): Promise<void> => store.check?.();
    await check();
    free -= 1;
    expect((await errorOf(check())).code).toBe("store_full");
    free = 0;
    expect((await errorOf(check())).message).toContain(path());
    // A file system that does not say how much is free.
    free = undefined;
    await check();
    expect([...folders]).toEqual([dirname(path())]);
  });

  it("fails what does not fit and nothing else, and works again when there is room", async () => {
    const { store, database } = await open();
    const kept = newAsk();
    await store.asks.insert(kept);
    const pages = database.sql("PRAGMA page_count").get<{ readonly page_count: number }>()?.page_count ?? 0;
    database.exec(`PRAGMA max_page_count = ${pages + 40}`);
    const small = newAsk();
    const options = ["a", "b", "c"].map((label) => ({ label, preview: big() }));
    const large = newAsk({ questions: [{ question: "Which?", options }], context: big() });
    const [first, second, third] = await Promise.allSettled([
      store.asks.change(kept.ask.id, { kind: "settle", settlementId: "s", outcome: { kind: "withdrawn" } }),
      store.asks.insert(large),
      store.asks.insert(small),
    ]);
    expect(first?.status).toBe("fulfilled");
    expect(third?.status).toBe("fulfilled");
    expect(second).toMatchObject({ status: "rejected", reason: { code: "store_full" } });
    expect((await store.asks.get(kept.ask.id))?.status).toBe("withdrawn");
    expect((await errorOf(store.asks.insert(large))).message).toMatch(/free some space/);
    // Small ones fit: it can be written to.
    await store.check?.();
    database.exec("PRAGMA max_page_count = 1000000");
    expect((await store.asks.insert(large)).kind).toBe("created");
    const events = await store.logs.read("events", { after: 0, limit: 10 });
    expect(events.map(({ position }) => position)).toEqual([1, 2, 3, 4]);
  });

  it("is not taken for mended because a write that changes nothing went well", async () => {
    const { store, database } = await open();
    // A table whose last number is taken is full, like a disk.
    database.exec(`
      CREATE TABLE numbers (n INTEGER PRIMARY KEY AUTOINCREMENT);
      INSERT INTO numbers VALUES (9223372036854775807);
      CREATE TRIGGER fill BEFORE INSERT ON records BEGIN INSERT INTO numbers VALUES (NULL); END;
    `);
    const check = async (): Promise<void> => store.check?.();
    await check();
    expect((await errorOf(store.records.put("n", "k", 1))).code).toBe("store_full");
    expect(await store.asks.claimDue(1, 1_000)).toEqual([]);
    expect((await errorOf(check())).code).toBe("store_full");
    expect((await errorOf(check())).code).toBe("store_full");
    database.exec("DROP TRIGGER fill; DROP TABLE numbers");
    await check();
  });

  it("counted as ready while a few bytes still fitted and every ask was refused", async () => {
    const { store, database } = await open();
    const check = async (): Promise<void> => store.check?.();
    await store.records.put("n", "k", 1);
    const pages = database.sql("PRAGMA page_count").get<{ readonly page_count: number }>()?.page_count ?? 0;
    database.exec(`PRAGMA max_page_count = ${pages + 2}`);
    const large = newAsk({ context: "x".repeat(20_000) });
    expect((await errorOf(store.asks.insert(large))).code).toBe("store_full");
    expect((await store.records.put("n", "k", 2)).ok).toBe(true);
    expect((await errorOf(check())).code).toBe("store_full");
    database.exec("PRAGMA max_page_count = 1000000");
    await check();
    expect((await store.asks.insert(large)).kind).toBe("created");
  });

  it("that shows at the commit fails each write for itself", async () => {
    const { store, database } = await open();
    const run = database.sql("COMMIT").run;
    let full = true;
    const failing = database as { sql: typeof database.sql };
    const sql = database.sql;
    let writes = 0;
    failing.sql = (text) => {
      const statement = sql(text);
      if (text.includes("INSERT INTO records")) writes += 1;
      if (text === "BEGIN IMMEDIATE") writes = 0;
      if (text !== "COMMIT") return statement;
      return {
        ...statement,
        run: (...values) => {
          // Room for one write at a time, but not for more.
          if (full && writes > 1) throw Object.assign(new Error("database or disk is full"), { errcode: 13 });
          return run(...values);
        },
      };
    };
    const puts = Array.from({ length: 20 }, (_, index) => store.records.put("n", `${index}`, index));
    expect((await Promise.all(puts)).every(({ ok }) => ok)).toBe(true);
    full = false;
    expect(await store.records.list("n", { limit: 100 })).toHaveLength(20);
  });
});

describe("a file that cannot be written", () => {
  it("fails each write clearly, keeps being read, and is written again when it can be", async () => {
    const { store, database } = await open();
    const ask = newAsk();
    await store.asks.insert(ask);
    database.exec("PRAGMA query_only = 1");
    const errors = await Promise.all(
      [store.asks.insert(newAsk()), store.records.put("n", "k", 1)].map(errorOf),
    );
    expect(errors.map(({ code }) => code)).toEqual(["store_readonly", "store_readonly"]);
    expect(errors[0]?.message).toMatch(/make the file and its folder writable/);
    expect(await store.asks.get(ask.ask.id)).toEqual(ask.ask);
    expect((await errorOf(store.check?.() ?? Promise.resolve())).code).toBe("store_readonly");
    database.exec("PRAGMA query_only = 0");
    await store.check?.();
    expect((await store.records.put("n", "k", 1)).ok).toBe(true);
  });

  it("is refused when it is opened by somebody who may only read it", async () => {
    const { store } = await open();
    await store.close();
    chmodSync(dirname(path()), 0o755);
    chmodSync(path(), 0o444);
    const script = join(import.meta.dirname, "open-store.mjs");
    const { stdout, stderr } = spawnSync(process.execPath, [script, path(), "as-nobody"], {
      encoding: "utf8",
    });
    expect(stdout + stderr).toBe("store_readonly\n");
  });
});

describe("a file that is not a store", () => {
  const openAt = (at: string): Promise<unknown> =>
    sqliteStore({ path: at }).open({ clock: fakeClock(), logger });

  it("is refused when it is garbage, and left as it is", async () => {
    const garbage = "this is no database ".repeat(500);
    writeFileSync(path(), garbage);
    const error = await errorOf(openAt(path()));
    expect(error.code).toBe("store_corrupt");
    expect(error.message).toContain(path());
    expect(readFileSync(path(), "utf8")).toBe(garbage);
  });

  it("is refused when it is damaged", async () => {
    const { store } = await open();
    await Promise.all(Array.from({ length: 200 }, () => store.asks.insert(newAsk())));
    await store.close();
    const bytes = readFileSync(path());
    bytes.fill(0x5a, 100, 8_000);
    writeFileSync(path(), bytes);
    expect((await errorOf(openAt(path()))).code).toBe("store_corrupt");
  });

  it("says so when the damage shows later, and spares what is whole", async () => {
    const { store } = await open();
    const asks = Array.from({ length: 200 }, () => newAsk({ context: "y".repeat(3_000) }));
    await Promise.all(asks.map((ask) => store.asks.insert(ask)));
    await store.records.put("n", "k", "whole");
    await store.close();
    const holder = other();
    const root = holder
      .sql("SELECT rootpage FROM sqlite_schema WHERE name = 'log_entries'")
      .get<{ readonly rootpage: number }>();
    holder.close();
    const bytes = readFileSync(path());
    bytes.fill(0x5a, ((root?.rootpage ?? 0) - 1) * 4096, (root?.rootpage ?? 0) * 4096);
    writeFileSync(path(), bytes);
    const again = await open();
    expect((await errorOf(again.store.logs.read("events", { after: 0, limit: 10 }))).code).toBe(
      "store_corrupt",
    );
    const [insert, put] = await Promise.allSettled([
      again.store.asks.insert(newAsk()),
      again.store.records.put("n", "other", 1),
    ]);
    expect(insert).toMatchObject({ status: "rejected", reason: { code: "store_corrupt" } });
    expect(put.status).toBe("fulfilled");
    expect((await again.store.records.get("n", "k"))?.value).toBe("whole");
  });

  it("is refused when it is the database of another program, and left as it is", async () => {
    const database = other();
    database.exec("CREATE TABLE notes (text)");
    const error = await errorOf(openAt(path()));
    expect(error.code).toBe("store_unavailable");
    expect(error.message).toMatch(/another program: choose another path/);
    expect(database.sql("SELECT count(*) AS n FROM sqlite_schema").get()).toMatchObject({ n: 1 });
  });

  it("is refused when it is a folder, or below a file", async () => {
    mkdirSync(path("folder"));
    expect((await errorOf(openAt(path("folder")))).code).toBe("store_unavailable");
    writeFileSync(path("file"), "");
    expect((await errorOf(openAt(path("file/askline.db")))).code).toBe("store_unavailable");
  });

  it.each([":memory:", ""])("is refused when it is no path at all: %j", (none) => {
    expect(() => sqliteStore({ path: none })).toThrow(/use memoryStore\(\)/);
  });
});

describe("a new file", () => {
  it("is its owner's alone, and so is its folder", async () => {
    const at = path("new/folder/askline.db");
    const { store } = await open({ path: at });
    await store.records.put("n", "k", 1);
    const modeOf = (file: string): number => statSync(file).mode & 0o777;
    expect(modeOf(dirname(at))).toBe(0o700);
    expect([at, `${at}-wal`, `${at}-shm`].map(modeOf)).toEqual([0o600, 0o600, 0o600]);
    await store.close();
    // Everything is in the file itself.
    expect(existsSync(`${at}-wal`) ? statSync(`${at}-wal`).size : 0).toBe(0);
  });

  it("is taken for a path even if it looks like an address", async () => {
    const at = path("file:askline.db?mode=memory");
    await open({ path: at });
    expect(existsSync(at)).toBe(true);
  });
});

describe("what was never opened", () => {
  it("is closed", async () => {
    const store = sqliteStore({ path: path() });
    expect((await errorOf(store.asks.insert(newAsk()))).code).toBe("closed");
    expect((await errorOf(store.asks.get("ask_1"))).code).toBe("closed");
    expect(() => store.watch(() => undefined)).toThrow(/not open/);
    await store.close();
    expect(existsSync(path())).toBe(false);
  });
});
