import { describe, expect, it } from "vitest";
import { systemClock } from "../../../src/core/index.ts";
import { postgresStore } from "../../../src/stores/postgres/index.ts";
import { sampleNewAsk } from "../../../src/testing/samples.ts";
import { freshSchema, sharedPostgres } from "../../support/shared-postgres.ts";
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
  }, 60_000);

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
        /is of version 1, and this askline reads version 2 and newer: open it once/,
      ),
    });
    expect((await client.query(`select version from ${schema}.meta`)).rows).toEqual([{ version: 1 }]);
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
