import { copyFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { postgresStore } from "../../../src/hub/stores/postgres/index.ts";
import { sqliteStore } from "../../../src/hub/stores/sqlite/index.ts";
import { fakeClock } from "../../../src/testing/index.ts";
import { runHere } from "../../cli/in-process.ts";
import { readStore } from "../../fixtures/stores/read-store.mjs";
import { freshSchema, sharedPostgres } from "../../support/shared-postgres.ts";
import { connectTo, quiet } from "./postgres/open-store.ts";
import { sqliteTests } from "./sqlite/open-sqlite.ts";

// Written by test/fixtures/stores/write.mjs with the last program of each version.

const { path } = sqliteTests();
const fixture = (name: string): string => join(import.meta.dirname, "../../fixtures/stores", name);
const text = (name: string): string => readFileSync(fixture(name), "utf8");
const expectedOf = (name: string): { readonly now: number; readonly read: { readonly asks: unknown } } =>
  JSON.parse(text(name));

/** As JSON has it, where what is undefined is not there. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe("what an older program has stored", () => {
  it.each([7])("reads the same from an SQLite file of schema %i", async (version) => {
    const { now, read } = expectedOf(`sqlite-${version}.json`);
    copyFileSync(fixture(`sqlite-${version}.db`), path());
    const store = sqliteStore({ path: path() });
    onTestFinished(() => store.close());
    await store.open({ clock: fakeClock({ now }), logger: quiet });
    expect(plain(await readStore(store))).toEqual(read);
  });

  it.each([5])("reads the same from a PostgreSQL schema of version %i", async (version) => {
    const { now, read } = expectedOf(`postgres-${version}.json`);
    const [url, schema] = [await sharedPostgres(), freshSchema()];
    await (await connectTo(url)).query(text(`postgres-${version}.sql`).replaceAll("askline_fixture", schema));
    const clock = fakeClock({ now });
    const store = postgresStore({ url, schema, clock });
    onTestFinished(() => store.close());
    await store.open({ clock, logger: quiet });
    expect(plain(await readStore(store))).toEqual(read);
  });

  it("is imported from an archive of version 2, and exported as it was", async () => {
    const archive = text("archive-2.jsonl");
    const flags = ["--db", `sqlite:${path()}`];
    expect(await runHere(["import", ...flags], { input: archive })).toMatchObject({ code: 0 });
    const { stdout } = await runHere(["export", ...flags]);
    const lines = (from: string): readonly { readonly kind: string; readonly ask?: unknown }[] =>
      from
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line));
    const [header, ...rest] = lines(stdout);
    expect(header).toMatchObject({ kind: "header", version: 2 });
    expect(rest).toEqual(lines(archive).slice(1));
    const asks = rest.filter(({ kind }) => kind === "ask").map(({ ask }) => ask);
    expect(asks).toEqual(expectedOf("sqlite-7.json").read.asks);
  });
});
