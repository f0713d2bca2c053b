import { describe, expect, it, onTestFinished } from "vitest";
import { createDatabase } from "../../../../src/hub/stores/postgres/database/database.ts";
import { readOptions } from "../../../../src/hub/stores/postgres/database/options.ts";
import { createTables } from "../../../../src/hub/stores/postgres/database/schema.ts";
import { postgresStore } from "../../../../src/hub/stores/postgres/index.ts";
import { systemClock } from "../../../../src/index.ts";
import { sampleNewAsk } from "../../../../src/testing/samples.ts";
import { freshSchema, sharedPostgres } from "../../../support/shared-postgres.ts";
import { connectTo, openStore, quiet } from "./open-store.ts";

describe("opening a schema", () => {
  it("lets twenty nodes start at once on a database that has no tables yet", async () => {
    const schema = freshSchema();
    const stores = await Promise.all(
      Array.from({ length: 20 }, () => openStore({ schema, maxConnections: 2, openTimeoutMs: 30_000 })),
    );
    const inserted = await Promise.all(stores.map((store) => store.asks.insert(sampleNewAsk(store.now()))));
    expect(inserted.map(({ kind }) => kind)).toEqual(stores.map(() => "created"));
    expect(await stores[0]?.logs.bounds("events")).toEqual({ first: 1, head: 20 });
  });

  it("refuses a schema of a newer program that this one would damage", async () => {
    const schema = freshSchema();
    const store = await openStore({ schema });
    await store.close();
    const client = await connectTo(await sharedPostgres());
    await client.query(`update ${schema}.meta set version = 99, requires = 98`);
    await expect(openStore({ schema })).rejects.toMatchObject({
      code: "schema_newer",
      message: expect.stringMatching(/version 99, .* update askline$/),
    });
  });

  it("works on a schema of a newer program that still suits this one", async () => {
    const schema = freshSchema();
    await (await openStore({ schema })).close();
    const client = await connectTo(await sharedPostgres());
    await client.query(`update ${schema}.meta set version = 99`);
    const store = await openStore({ schema });
    expect(await store.logs.bounds("events")).toEqual({ first: 1, head: 0 });
  });

  it("fails the check of a store whose schema has become too new, or is gone", async () => {
    const schema = freshSchema();
    const store = await openStore({ schema });
    await store.check?.();
    const client = await connectTo(await sharedPostgres());
    await client.query(`update ${schema}.meta set version = 99, requires = 99`);
    await expect(store.check?.()).rejects.toMatchObject({ code: "schema_newer" });
    await client.query(`drop schema ${schema} cascade`);
    await expect(store.check?.()).rejects.toMatchObject({ code: "store_unavailable" });
  });

  it("refuses a schema of an older program, and leaves it as it is", async () => {
    const schema = freshSchema();
    await (await openStore({ schema })).close();
    const client = await connectTo(await sharedPostgres());
    await client.query(`update ${schema}.meta set version = 1, requires = 1`);
    await expect(openStore({ schema })).rejects.toMatchObject({
      code: "store_unavailable",
      message: expect.stringMatching(
        /has schema 1, and this askline reads schema 5 and newer: open it once with the askline of 18 November 2026/,
      ),
    });
    expect((await client.query(`select version from ${schema}.meta`)).rows).toEqual([{ version: 1 }]);
  });

  it("migrates an older schema once, however many nodes start, and keeps everything", async () => {
    const schema = freshSchema();
    const url = await sharedPostgres();
    const store = await openStore({ schema });
    await store.asks.insert(sampleNewAsk(store.now()));
    const client = await connectTo(url);
    await client.query(
      `drop index ${schema}.asks_by_settlement; update ${schema}.meta set version = 4, requires = 4`,
    );
    const migrations = {
      4: (quoted: string) => `create index asks_by_settlement on ${quoted}.asks (settled_at, position)`,
    };
    const migrate = async (): Promise<void> => {
      const database = createDatabase(readOptions({ url, schema }));
      await database.open(quiet);
      onTestFinished(() => database.close());
      await createTables(database, schema, `"${schema}"`, migrations);
    };
    await Promise.all(Array.from({ length: 5 }, migrate));
    expect((await client.query(`select version, requires from ${schema}.meta`)).rows).toEqual([
      { version: 5, requires: 5 },
    ]);
    const reopened = await openStore({ schema });
    expect((await reopened.asks.list({ limit: 10 })).asks).toHaveLength(1);
  });

  it("uses a schema that an administrator made for a user who may not make any", async () => {
    const schema = freshSchema();
    const url = new URL(await sharedPostgres());
    const client = await connectTo(url.href);
    await client.query(
      `create role ${schema} login password 'secret'; create schema ${schema} authorization ${schema}`,
    );
    url.username = schema;
    url.password = "secret";
    const store = await openStore({ schema, url: url.href });
    expect(await store.logs.bounds("events")).toEqual({ first: 1, head: 0 });
  });

  it.each(["", "pg_mine", "1st", 'a"b', "a b", "a".repeat(49)])("does not take %j for a name", (schema) => {
    expect(() => postgresStore({ url: "postgres://localhost/a", schema })).toThrow(/invalid schema name/);
  });

  it("quotes a name that needs it", async () => {
    const store = await openStore({ schema: `Select-${freshSchema()}` });
    const noticed = new Promise<void>((resolve) => store.watch(resolve));
    await store.asks.insert(sampleNewAsk(store.now()));
    expect((await store.asks.list({ limit: 1 })).asks).toHaveLength(1);
    await noticed;
  });

  it("rejects what is called before it is open or after it is closed", async () => {
    const store = postgresStore({ url: await sharedPostgres(), schema: freshSchema() });
    await expect(store.asks.get("a")).rejects.toMatchObject({ code: "closed" });
    await store.open({ clock: systemClock, logger: quiet });
    await store.close();
    await expect(store.logs.bounds("events")).rejects.toMatchObject({ code: "closed" });
  });
});
