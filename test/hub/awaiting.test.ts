import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createHub, type Hub, memoryStore, type Store } from "../../src/hub/index.js";
import { sqliteStore } from "../../src/hub/stores/sqlite/index.js";
import { type FakeClock, fakeClock } from "../../src/testing/fake-clock.js";
import { until } from "../server/open-server.ts";
import { question } from "./open-hub.js";

async function open(store: Store, clock: FakeClock): Promise<Hub> {
  const hub = await createHub({ store, clock });
  onTestFinished(() => hub.close());
  return hub;
}

it("an agent that waits at one node did not wait for the people at another", async () => {
  const folder = await mkdtemp(join(tmpdir(), "askline-awaiting-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const [path, clock] = [join(folder, "askline.db"), fakeClock()];
  const one = await open(sqliteStore({ path }), clock);
  const other = await open(sqliteStore({ path }), clock);
  const { id } = await one.post({ questions: [question] });
  const unrelated = await other.post({ questions: [question] });
  const { waiting } = await one.attend(id);
  expect([...(await one.awaited([id, unrelated.id]))]).toEqual([id]);
  const seen = (count: number) =>
    until(async () => {
      await clock.advance(1_000);
      return (await other.awaited([unrelated.id, id])).size === count;
    });
  await seen(1);
  expect([...(await other.awaited([unrelated.id, id]))]).toEqual([id]);
  // Renewed for as long as it waits.
  for (let second = 0; second < 90; second += 1) await seen(1);
  waiting?.stop();
  await seen(0);
});

it("what an agent waits for costs a node that is alone no record", async () => {
  const [store, clock] = [memoryStore(), fakeClock()];
  const hub = await open(store, clock);
  const { id } = await hub.post({ questions: [question] });
  await hub.attend(id);
  await clock.advance(60_000);
  expect([...(await hub.awaited([id]))]).toEqual([id]);
  expect(await store.records.list("awaiting", { limit: 1 })).toEqual([]);
});
