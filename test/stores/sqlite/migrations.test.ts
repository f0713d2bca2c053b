import { spawn } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createHub } from "../../../src/hub/index.ts";
import type { Database } from "../../../src/stores/sqlite/driver.ts";
import { sqliteStore } from "../../../src/stores/sqlite/index.ts";
import { migrate, requireUsable } from "../../../src/stores/sqlite/migrate.ts";
import { MIGRATIONS, type Migration } from "../../../src/stores/sqlite/migrations.ts";
import { fakeClock } from "../../../src/testing/index.ts";
import { repeats } from "../../support/repeats.ts";
import { errorOf, logger, newAsk, sqliteTests } from "./open-sqlite.ts";

const { open, other, path } = sqliteTests();

const last = MIGRATIONS.at(-1)?.version ?? 0;
const next: Migration = {
  version: last + 1,
  requires: last,
  sql: "ALTER TABLE records ADD COLUMN colour TEXT",
};
const breaking: Migration = {
  version: last + 2,
  requires: last + 2,
  sql: "ALTER TABLE asks RENAME TO old_asks",
};

describe("the steps", () => {
  it("are numbered without gap, and none requires more than itself", () => {
    expect(MIGRATIONS.map(({ version }) => version)).toEqual(MIGRATIONS.map((_, index) => index + 1));
    for (const { version, requires } of MIGRATIONS) expect(requires).toBeLessThanOrEqual(version);
  });
});

describe("a file of an older program", () => {
  it("of version 1 still knows what was asked with a key, and what was not", async () => {
    const { ask } = newAsk({ session: "s", key: "k" });
    const database = other();
    migrate(database, MIGRATIONS.slice(0, 1));
    database
      .sql(`INSERT INTO asks (position, id, session, key, everyone, status, created_at, overdue, leased_until,
        content_hash, content) VALUES (1, ?, 's', 'k', 1, 'pending', 1000, 0, 0, 'a hash', ?)`)
      .run(ask.id, JSON.stringify(ask));
    database.exec(`
      INSERT INTO log_entries (log, position, at, type, subject) VALUES ('events', 1, 1000, 'ask.created', '${ask.id}');
      INSERT INTO logs (log, first, head) VALUES ('events', 1, 1);
    `);
    database.close();
    const { store } = await open();
    const hub = await createHub({ store: { ...store, open: async () => undefined }, logger });
    const request = { questions: ask.questions, session: "s", key: "k" };
    expect(await hub.post(request)).toEqual(ask);
    const changed = hub.post({ ...request, context: "another" });
    expect((await errorOf(changed)).code).toBe("key_conflict");
    expect((await store.asks.list({ limit: 10 })).asks).toEqual([ask]);
    await hub.close();
  });

  it("of version 2 still has what is pending and what has ended, in every list", async () => {
    const [pending, ended] = [newAsk({ session: "s", key: "k" }).ask, newAsk({ session: "s" }).ask];
    const database = other();
    migrate(database, MIGRATIONS.slice(0, 2));
    const insert =
      database.sql(`INSERT INTO asks (position, id, session, key, everyone, status, created_at, overdue,
      settled_at, leased_until, outcome, content) VALUES (?, ?, 's', ?, 1, ?, 1000, 0, ?, 0, ?, ?)`);
    insert.run(1, pending.id, "k", "pending", null, null, JSON.stringify(pending));
    insert.run(2, ended.id, null, "expired", 2_000, '{"kind":"expired"}', JSON.stringify(ended));
    database.exec("INSERT INTO logs (log, first, head) VALUES ('events', 1, 2)");
    database.close();
    const { store } = await open();
    const expired = { ...ended, status: "expired", settledAt: 2_000, outcome: { kind: "expired" } };
    const listed = async (query: object): Promise<readonly unknown[]> =>
      (await store.asks.list({ ...query, limit: 10 })).asks;
    expect(await listed({ session: "s" })).toEqual([pending, expired]);
    expect(await listed({ status: "pending" })).toEqual([pending]);
    expect(await listed({ status: "settled" })).toEqual([expired]);
    expect(await store.asks.insert({ ask: { ...ended, id: "another", key: "k" } })).toEqual({
      kind: "known",
      ask: pending,
    });
    const settled = await store.asks.change(pending.id, {
      ...{ kind: "settle", settlementId: "now", outcome: { kind: "withdrawn" } },
    });
    expect(await listed({ session: "s", status: "withdrawn" })).toEqual([settled?.ask]);
    expect(await store.asks.prune(3_000, 10, [])).toBe(1);
    expect(await listed({})).toEqual([settled?.ask]);
  });

  it("is brought forward and keeps what is in it", async () => {
    const { store } = await open();
    const ask = newAsk();
    await store.asks.insert(ask);
    await store.close();
    const database = other();
    migrate(database, [...MIGRATIONS, next]);
    expect(database.sql("SELECT version, requires FROM meta").get()).toEqual({
      version: next.version,
      requires: next.requires,
    });
    expect(database.sql("SELECT colour FROM records").all()).toEqual([]);
    expect(database.sql("SELECT id FROM asks").all()).toMatchObject([{ id: ask.ask.id }]);
  });

  it("is told of before it is brought forward, and a new one is not", async () => {
    const warnings: string[] = [];
    const logger = { warn: (message: string) => void warnings.push(message), error: () => undefined };
    const opened = async (name: string): Promise<void> => {
      const store = sqliteStore({ path: path(name) });
      await store.open({ clock: fakeClock(), logger });
      await store.close();
    };
    const old = other(path("old.db"));
    migrate(old, MIGRATIONS.slice(0, 1));
    old.close();
    await opened("old.db");
    await opened("old.db");
    await opened("new.db");
    expect(warnings).toEqual([
      `the store ${path("old.db")} is being brought from schema 1 to ${last}; with many asks that takes a while`,
    ]);
  });

  it("stays as it was when a step fails", async () => {
    await (await open()).store.close();
    const database = other();
    const broken = { ...next, sql: `${next.sql}; SELECT nonsense FROM nowhere` };
    expect(() => migrate(database, [...MIGRATIONS, broken])).toThrow(/nowhere/);
    expect(database.sql("SELECT version FROM meta").get()).toMatchObject({ version: last });
    expect(() => database.sql("SELECT colour FROM records")).toThrow(/colour/);
    await open();
  });
});

describe("a file of a newer program", () => {
  it("is used where the newer program says that this one can", async () => {
    await (await open()).store.close();
    migrate(other(), [...MIGRATIONS, next]);
    const { store } = await open();
    expect((await store.records.put("n", "k", 1)).ok).toBe(true);
  });

  it("fails the check of a store that was open before, where it would be damaged", async () => {
    const { store } = await open();
    await store.check?.();
    migrate(other(), [...MIGRATIONS, next]);
    await store.check?.();
    migrate(other(), [...MIGRATIONS, next, breaking]);
    await expect(store.check?.()).rejects.toMatchObject({ code: "schema_newer" });
  });

  it("is refused where it would be damaged", async () => {
    await (await open()).store.close();
    migrate(other(), [...MIGRATIONS, next, breaking]);
    const error = await errorOf(open());
    expect(error.code).toBe("schema_newer");
    expect(error.message).toBe(
      `the store ${path()} has schema ${last + 2}, which needs an askline that knows schema ${last + 2}; ` +
        `this one knows ${last}: update askline, or choose another path`,
    );
  });
});

describe("a file that another process is making", () => {
  it("is not taken for that of another program", () => {
    const maker = other();
    maker.exec("PRAGMA journal_mode = WAL");
    const reader = other();
    let made = false;
    const slow: Database = {
      ...reader,
      get inTransaction() {
        return reader.inTransaction;
      },
      sql(text) {
        if (text.includes("sqlite_schema") && !made) {
          made = true;
          migrate(maker);
        }
        return reader.sql(text);
      },
    };
    expect(requireUsable(slow)).toEqual({ version: 0, requires: 0 });
    expect(made).toBe(true);
    expect(requireUsable(slow)).toMatchObject({ version: last });
  });
});

const STARTED = repeats({ short: 8, long: 20 });

describe(`${STARTED} processes that start at once on no file`, () => {
  it("make one store and all use it", { timeout: 60_000 }, async () => {
    const script = join(import.meta.dirname, "open-store.mjs");
    const outputs = await Promise.all(
      Array.from({ length: STARTED }, () => outputOf(script, [path("new/askline.db"), "append", "5"])),
    );
    expect(outputs).toEqual(outputs.map(() => ""));
    const { store } = await open({ path: path("new/askline.db") });
    expect(await store.logs.bounds("started")).toEqual({ first: 1, head: 5 * STARTED });
    const entries = await store.logs.read("started", { after: 0, limit: 200 });
    expect(entries.map(({ position }) => position)).toEqual(entries.map((_, index) => index + 1));
    expect(new Set(entries.map(({ type }) => type)).size).toBe(STARTED);
  });
});

function outputOf(script: string, values: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, [script, ...values], { stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  child.stdout.on("data", (chunk) => {
    output += chunk;
  });
  child.stderr.on("data", (chunk) => {
    output += chunk;
  });
  return new Promise((resolve) => child.on("close", () => resolve(output)));
}
