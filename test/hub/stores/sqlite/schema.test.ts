import { spawn } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Store } from "../../../../src/hub/seam/store.js";
import type { Database } from "../../../../src/hub/stores/sqlite/file/driver.js";
import { createTables, requireUsable, VERSION } from "../../../../src/hub/stores/sqlite/file/schema.js";
import { createSqliteStore } from "../../../../src/hub/stores/sqlite/sqlite-store.ts";
import { fakeClock } from "../../../../src/testing/index.ts";
import { readStore } from "../../../fixtures/stores/read-store.mjs";
import { repeats } from "../../../support/repeats.ts";
import { AGE, MIGRATIONS } from "./older-schema.mjs";
import { errorOf, logger, newAsk, sqliteTests } from "./open-sqlite.ts";

const { open, other, path } = sqliteTests();

const fixture = (name: string): string => join(import.meta.dirname, "../../../fixtures/stores", name);
const expected: { readonly now: number; readonly read: unknown } = JSON.parse(
  readFileSync(fixture("sqlite-7.json"), "utf8"),
);
const copyPath = (): string => `${path()}.before-7`;

function versionOf(at: string): unknown {
  const database = other(at);
  const row = database.sql("SELECT version, requires FROM meta").get();
  database.close();
  return row;
}

/** Puts a file of an older schema at `path()`. */
function bringOlder(): void {
  copyFileSync(fixture("sqlite-7.db"), path());
  const database = other();
  database.exec(AGE);
  database.close();
}

async function read(warnings: string[] = []): Promise<unknown> {
  const store = createSqliteStore({ path: path() }, undefined, MIGRATIONS);
  const logging = { ...logger, warn: (message: string) => void warnings.push(message) };
  await store.open({ clock: fakeClock({ now: expected.now }), logger: logging });
  onTestFinished(() => store.close());
  const found = JSON.parse(JSON.stringify(await readStore(store)));
  await store.close();
  return found;
}

describe("a file of an older schema", () => {
  it("is copied before it is migrated, and both the log and the copy's name say so", async () => {
    bringOlder();
    const warnings: string[] = [];
    expect(await read(warnings)).toEqual(expected.read);
    expect(warnings).toEqual([
      `migrating the store ${path()} from schema 6 to 7, which takes a while with many asks; it is copied first to ${copyPath()}`,
    ]);
    expect(versionOf(path())).toEqual({ version: 7, requires: 7 });
    expect(versionOf(copyPath())).toMatchObject({ version: 6 });
    expect(statSync(copyPath()).mode & 0o777).toBe(0o600);
    // The copy is a store like any other.
    copyFileSync(copyPath(), path());
    expect(await read()).toEqual(expected.read);
  });

  it("gets the tables of a new file", async () => {
    bringOlder();
    await read();
    await (await open({ path: path("new.db") })).store.close();
    const tables = (at: string): unknown =>
      other(at)
        .sql("SELECT type, name, sql FROM sqlite_schema ORDER BY type, name")
        .all<{ readonly type: string; readonly name: string; readonly sql: string | null }>()
        .map(({ type, name, sql }) => [
          type,
          name,
          sql?.replaceAll('"', "").replaceAll(/\s*([(),\s])\s*/g, "$1"),
        ]);
    expect(tables(path())).toEqual(tables(path("new.db")));
  });

  it("is copied with what is only in the log beside it", async () => {
    bringOlder();
    const writer = other();
    writer.exec("INSERT INTO records (namespace, key, value, version) VALUES ('n', 'late', '1', 1)");
    expect(statSync(`${path()}-wal`).size).toBeGreaterThan(0);
    await read();
    const copied = other(copyPath()).sql("SELECT value FROM records WHERE key = 'late'").get();
    expect(copied).toEqual({ value: "1" });
  });

  it.each(["CREATE INDEX", "UPDATE meta", "COMMIT"])(
    "is as it was, and has its copy, where the process is killed at %s",
    async (statement) => {
      bringOlder();
      const script = join(import.meta.dirname, "killed-migration.mjs");
      expect(await endOf(script, [path(), statement])).toBe("SIGKILL");
      expect(versionOf(path())).toMatchObject({ version: 6 });
      expect(versionOf(copyPath())).toMatchObject({ version: 6 });
      expect(await read()).toEqual(expected.read);
      expect(versionOf(path())).toMatchObject({ version: 7 });
    },
  );

  it("is copied anew where a process was killed while it made the copy", async () => {
    bringOlder();
    writeFileSync(`${copyPath()}.part`, readFileSync(path()).subarray(0, 5_000));
    writeFileSync(`${copyPath()}.part-journal`, "half");
    writeFileSync(copyPath(), "an older copy");
    expect(await read()).toEqual(expected.read);
    expect(versionOf(copyPath())).toMatchObject({ version: 6 });
    expect(readdirSync(dirname(path())).filter((name) => name.includes("part"))).toEqual([]);
  });

  it("is left as it is where there can be no copy", async () => {
    bringOlder();
    mkdirSync(join(copyPath(), "in the way"), { recursive: true });
    const error = await errorOf(read());
    expect(error.code).toBe("store_unavailable");
    expect(error.message).toMatch(
      `the store ${path()} was not migrated: its copy ${copyPath()} could not be`,
    );
    expect(versionOf(path())).toMatchObject({ version: 6 });
    expect(existsSync(`${copyPath()}.part`)).toBe(false);
  });

  it("is migrated once by processes that start at once", async () => {
    bringOlder();
    const script = join(import.meta.dirname, "open-store.mjs");
    const outputs = await Promise.all(
      Array.from({ length: 5 }, () => outputOf(script, [path(), "append", "5"])),
    );
    expect(outputs.filter((output) => output.includes("from schema 6 to 7")).length).toBeLessThan(2);
    const { store } = await open();
    expect(await store.logs.bounds("started")).toEqual({ first: 1, head: 25 });
    expect(versionOf(copyPath())).toMatchObject({ version: 6 });
  });
});

describe("a file of an older schema without a migration", () => {
  it("is refused and left as it is", async () => {
    bringOlder();
    const error = await errorOf(open());
    expect(error.code).toBe("store_unavailable");
    expect(error.message).toBe(
      `the store ${path()} has schema 6, and this askline reads schema 7 and newer: ` +
        "open it once with the askline of 18 November 2026 (commit 5fc79a2), which migrates it, or choose another one",
    );
    expect(versionOf(path())).toMatchObject({ version: 6 });
    expect(existsSync(copyPath())).toBe(false);
  });
});

describe("a file of a newer program", () => {
  const bring = (version: number, requires: number): void => {
    other().exec(`UPDATE meta SET version = ${version}, requires = ${requires}`);
  };

  it("is used where the newer program says that this one can", async () => {
    await (await open()).store.close();
    bring(VERSION + 1, VERSION);
    const { store } = await open();
    expect((await store.records.put("n", "k", 1)).ok).toBe(true);
  });

  it("fails the check of a store that was open before, where it would be damaged", async () => {
    const { store } = await open();
    await store.check?.();
    bring(VERSION + 1, VERSION);
    await store.check?.();
    bring(VERSION + 2, VERSION + 2);
    await expect(store.check?.()).rejects.toMatchObject({ code: "schema_newer" });
  });

  it("is refused where it would be damaged", async () => {
    await (await open()).store.close();
    bring(VERSION + 2, VERSION + 2);
    const error = await errorOf(open());
    expect(error.code).toBe("schema_newer");
    expect(error.message).toBe(
      `the store ${path()} has schema ${VERSION + 2}, which needs an askline that knows schema ${VERSION + 2}; ` +
        `this one knows ${VERSION}: update askline, or choose another path`,
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
          createTables(maker);
        }
        return reader.sql(text);
      },
    };
    expect(requireUsable(slow)).toEqual({ version: 0, requires: 0 });
    expect(made).toBe(true);
    expect(requireUsable(slow)).toMatchObject({ version: VERSION });
  });
});

const STARTED = repeats({ short: 8, long: 20 });

describe(`${STARTED} processes that start at once on no file`, () => {
  it("make one store and all use it", async () => {
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

describe("an ask that another process changes", () => {
  it("is settled as it stands then", async () => {
    const { store } = await open();
    const outcome = { kind: "declined", by: { kind: "person", id: "ana", surface: "test" } } as const;
    const settle = (id: string): ReturnType<Store["asks"]["change"]> =>
      store.asks.change(id, { kind: "settle", settlementId: id, outcome, when: "anytime" });
    const [moved, overdue, ended] = [newAsk({ deadline: 5_000 }), newAsk({ deadline: 5_000 }), newAsk()];
    for (const ask of [moved, overdue, ended]) await store.asks.insert(ask);
    const set = (change: string, { ask }: typeof moved): unknown =>
      other().sql(`UPDATE asks SET ${change} WHERE id = ?`).run(ask.id);
    set("deadline = 9000", moved);
    set("overdue = 1", overdue);
    set(`status = 'expired', settled_at = 1, outcome = '{"kind":"expired"}'`, ended);
    expect(await settle(moved.ask.id)).toMatchObject({ applied: true, ask: { deadline: 9_000 } });
    expect(await settle(overdue.ask.id)).toMatchObject({ applied: true, ask: { overdue: true } });
    expect(await settle(ended.ask.id)).toMatchObject({ applied: false, ask: { status: "expired" } });
  });
});

function endOf(script: string, values: readonly string[]): Promise<unknown> {
  const child = spawn(process.execPath, [script, ...values], { stdio: ["ignore", "inherit", "inherit"] });
  return new Promise((resolve) => child.on("exit", (code, signal) => resolve(signal ?? code)));
}

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
