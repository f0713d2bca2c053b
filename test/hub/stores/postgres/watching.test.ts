import { expect, it } from "vitest";
import { sampleNewAsk } from "../../../../src/testing/samples.ts";
import { freshSchema, sharedPostgres } from "../../../support/shared-postgres.ts";
import { connectTo, counter, openStore, until } from "./open-store.ts";

const NEVER = 3_600_000;

it("tells one node at once what another has written, and nothing of its own", async () => {
  const schema = freshSchema();
  const one = await openStore({ schema, pollMs: NEVER });
  const other = await openStore({ schema, pollMs: NEVER });
  const calls = counter();
  one.watch(calls);
  await calls.reached(1); // It has begun to listen.
  await one.asks.insert(sampleNewAsk(one.now()));
  await one.records.put("n", "k", 1);
  await other.asks.insert(sampleNewAsk(other.now()));
  await calls.reached(2);
  await other.records.put("n", "k", 2);
  await calls.reached(3);
  await other.logs.append([{ log: "l", type: "t" }]);
  await calls.reached(4);
  // Notifications come in the order of the commits: those of its own would have come before.
  expect(calls.count).toBe(4);
});

it("notices what was written while its connection was cut", async () => {
  const schema = freshSchema();
  const one = await openStore({ schema, pollMs: NEVER });
  const other = await openStore({ schema, pollMs: NEVER });
  const admin = await connectTo(await sharedPostgres());
  const calls = counter();
  one.watch(calls);
  await calls.reached(1);
  const terminate = `select pg_terminate_backend(pid) from pg_stat_activity
    where pid <> pg_backend_pid() and query like '%"${schema}".logs where log = $1%'`;
  await until(async () => (await admin.query(terminate)).rows.length > 0);
  await other.asks.insert(sampleNewAsk(other.now()));
  await calls.reached(2);
});

it("notices by itself what nobody told", async () => {
  const schema = freshSchema();
  const store = await openStore({ schema, pollMs: 20 });
  const admin = await connectTo(await sharedPostgres());
  const calls = counter();
  store.watch(calls);
  await calls.reached(1);
  await admin.query(`update ${schema}.logs set head = head + 1 where log = 'events'`);
  await calls.reached(2);
});

it("stops watching when the last listener leaves, and starts again with the next", async () => {
  const schema = freshSchema();
  const store = await openStore({ schema, pollMs: NEVER });
  const admin = await connectTo(await sharedPostgres());
  const listening = async (): Promise<number> => {
    const { rows } = await admin.query(
      `select from pg_stat_activity where query like '%"${schema}".logs where log = $1%' and pid <> pg_backend_pid()`,
    );
    return rows.length;
  };
  const first = counter();
  const leave = store.watch(first);
  await first.reached(1);
  expect(await listening()).toBe(1);
  leave();
  await until(async () => (await listening()) === 0);
  const second = counter();
  store.watch(second);
  await second.reached(1);
  expect(first.count).toBe(1);
});
