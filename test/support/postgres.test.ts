import pg from "pg";
import { afterEach, expect, it } from "vitest";
import { type PostgresServer, startPostgres } from "./postgres.ts";
import { freshSchema, sharedPostgres } from "./shared-postgres.ts";

let server: PostgresServer | undefined;
afterEach(async () => {
  await server?.remove();
});

it("keeps what was committed through a kill", async () => {
  server = await startPostgres();
  await query(server.url, "create table kept as select 1 as one");
  await server.kill9();
  await expect(query(server.url, "select 1")).rejects.toMatchObject({
    code: expect.stringMatching(/^ECONN(REFUSED|RESET)$/),
  });
  await server.start();
  expect(await query(server.url, "select one from kept")).toEqual([{ one: 1 }]);
});

it("is one server for all who share it", async () => {
  const [one, other] = await Promise.all([sharedPostgres(), sharedPostgres()]);
  expect(one).toBe(other);
  const schema = freshSchema();
  await query(one, `create schema ${schema}`);
  expect(await query(other, `select to_regnamespace('${schema}')::text as found`)).toEqual([
    { found: schema },
  ]);
});

async function query(url: string, text: string): Promise<readonly unknown[]> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => undefined);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}
