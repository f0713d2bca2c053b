import { expect, it } from "vitest";
import { EVENT_LOG } from "../../../../src/hub/seam/store.js";
import { sampleNewAsk } from "../../../../src/testing/samples.ts";
import { freshSchema, sharedPostgres } from "../../../support/shared-postgres.ts";
import { connectTo, openStore, until } from "./open-store.ts";

// The outbox trap: on PostgreSQL a number is taken before its commit. A reader that saw 2 while 1 was not yet
// committed would go on from 2 and never see 1.
it("shows no position while one before it is not committed", async () => {
  const schema = freshSchema();
  const store = await openStore({ schema });
  const reader = await openStore({ schema });
  const writer = await connectTo(await sharedPostgres());
  const watcher = await connectTo(await sharedPostgres());

  await writer.query("begin");
  await writer.query(`select head from ${schema}.logs where log = 'events' for update`);
  await writer.query(
    `insert into ${schema}.log_entries (log, position, at, type) values ('events', 1, 0, 'held')`,
  );
  await writer.query(`update ${schema}.logs set head = 1 where log = 'events'`);

  const later = [
    store.logs.append([{ log: EVENT_LOG, type: "later" }]),
    store.asks.insert(sampleNewAsk(store.now())),
  ];
  await until(async () => {
    const { rows } = await watcher.query(
      "select from pg_stat_activity where wait_event_type = 'Lock' and query like $1",
      [`%${schema}%for update%`],
    );
    return rows.length === later.length;
  });
  expect(await reader.logs.read(EVENT_LOG, { after: 0, limit: 10 })).toEqual([]);
  expect(await reader.logs.bounds(EVENT_LOG)).toEqual({ first: 1, head: 0 });

  await writer.query("commit");
  await Promise.all(later);
  const read = await reader.logs.read(EVENT_LOG, { after: 0, limit: 10 });
  expect(read.map(({ position }) => position)).toEqual([1, 2, 3]);
  expect(read[0]?.type).toBe("held");
});

it("gives every position once while nodes write to the same logs in different orders", async () => {
  const schema = freshSchema();
  const nodes = await Promise.all([openStore({ schema }), openStore({ schema }), openStore({ schema })]);
  const logs = ["b", "events", "a"];
  const seen: number[] = [];
  let done = false;
  const reading = (async () => {
    const reader = await openStore({ schema });
    for (;;) {
      const last = done;
      const entries = await reader.logs.read(EVENT_LOG, { after: seen.at(-1) ?? 0, limit: 50 });
      seen.push(...entries.map(({ position }) => position));
      if (last && entries.length === 0) return;
    }
  })();
  await Promise.all(
    nodes.flatMap((node, index) =>
      Array.from({ length: 40 }, async (_, round) => {
        const appends = logs.map((_log, place) => ({
          log: logs[(place + index + round) % logs.length] ?? "a",
          type: "t",
        }));
        await (round % 2 === 0
          ? node.logs.append(appends)
          : node.asks.insert(sampleNewAsk(node.now()), appends));
      }),
    ),
  );
  done = true;
  await reading;
  // Each of the 120 calls writes one entry to each log, and each insert its event besides.
  expect(seen).toEqual(Array.from({ length: 180 }, (_, index) => index + 1));
  expect((await nodes[0].logs.bounds("a")).head).toBe(120);
  expect((await nodes[0].logs.bounds("b")).head).toBe(120);
});

it("stores one ask where two nodes ask with the same key at the same moment", async () => {
  const schema = freshSchema();
  const nodes = await Promise.all([openStore({ schema }), openStore({ schema })]);
  for (let round = 0; round < 30; round += 1) {
    const results = await Promise.all(
      nodes.map((node) => node.asks.insert(sampleNewAsk(node.now(), { session: "s", key: `k${round}` }))),
    );
    expect(results.map(({ kind }) => kind).sort()).toEqual(["created", "known"]);
    expect(results[0]?.ask.id).toBe(results[1]?.ask.id);
  }
  expect(await nodes[0].logs.bounds(EVENT_LOG)).toEqual({ first: 1, head: 30 });
});
