import { describe, expect, it } from "vitest";
import { type Hub, memoryStore, type Store } from "../../src/hub/index.js";
import { startRetention } from "../../src/hub/records/retention.js";
import { abandonedAsks, createTouches, TOUCHED_NAMESPACE } from "../../src/hub/records/touches.js";
import { withParts } from "../../src/hub/seam/store-kit.js";
import { fakeClock } from "../../src/testing/fake-clock.js";
import { sampleNewAsk } from "../../src/testing/samples.js";
import { ana, openHub, question, yes } from "./open-hub.js";

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;

/** A hub whose records about waiting agents are counted. */
async function counting() {
  const memory = memoryStore();
  const written: string[] = [];
  const records: Store["records"] = {
    ...memory.records,
    put(namespace, key, ...rest) {
      if (namespace === TOUCHED_NAMESPACE) written.push(key);
      return memory.records.put(namespace, key, ...rest);
    },
  };
  const opened = await openHub(withParts(memory, { records }));
  return { ...opened, written, abandoned: (ago: number) => idsOf(opened.store, ago) };
}

async function idsOf(store: Store, ago: number): Promise<readonly string[]> {
  const ids: string[] = [];
  for await (const { id } of abandonedAsks(store, store.now() - ago)) ids.push(id);
  return ids;
}

const post = async (hub: Hub, key: string): Promise<string> =>
  (await hub.post({ questions: [question], session: "s", key })).id;

describe("a pending ask whose agent", () => {
  it("has gone away is found, and one that is awaited is not, for a write every half hour", async () => {
    const store = memoryStore();
    const clock = fakeClock();
    await store.open({ clock, logger: console });
    const [gone, awaited] = [sampleNewAsk(store.now()), sampleNewAsk(store.now())];
    for (const ask of [gone, awaited]) await store.asks.insert(ask);
    const written: number[] = [];
    const records: Store["records"] = {
      ...store.records,
      put(...given) {
        written.push(store.now());
        return store.records.put(...given);
      },
    };
    let waiting = [awaited.ask.id];
    const touches = createTouches(withParts(store, { records }), clock, console, () => waiting);
    const abandoned = (): Promise<readonly string[]> => idsOf(store, 2 * HOUR);
    expect(await abandoned()).toEqual([]);
    await clock.advance(3 * HOUR);
    expect(await abandoned()).toEqual([gone.ask.id]);
    expect(written.length).toBeGreaterThanOrEqual(5);
    expect(written.length).toBeLessThanOrEqual(7);
    waiting = [];
    await clock.advance(3 * HOUR);
    expect(await abandoned()).toEqual([gone.ask.id, awaited.ask.id]);
    expect(written.length).toBeLessThanOrEqual(7);
    await touches.close();
    await store.close();
  });

  it.each([
    ["asks again", (hub: Hub, _id: string, key: string) => post(hub, key)],
    ["waits for a moment", async (hub: Hub, id: string) => (await hub.attend(id)).waiting?.stop()],
    ["reads it", async (hub: Hub, id: string) => hub.delivered(await hub.get(id))],
  ])("%s is there again", async (_how, act) => {
    const { hub, store, written, abandoned } = await counting();
    const young = await post(hub, "young");
    await act(hub, young, "young");
    expect(written).toEqual([]);
    const createdAt = store.now() - 3 * HOUR;
    const { id: _, ...request } = { ...(await hub.get(young)), key: "k", createdAt };
    const id = "ask_of_an_agent_that_was_away";
    await store.asks.restore({ ask: { ...request, id }, events: [{ at: createdAt, type: "ask.created" }] });
    expect(await abandoned(2 * HOUR)).toEqual([id]);
    for (let times = 0; times < 5; times += 1) await act(hub, id, "k");
    expect(await abandoned(2 * HOUR)).toEqual([]);
    expect(written).toHaveLength(1);
    await hub.answer(id, yes, ana);
    expect(await abandoned(2 * HOUR)).toEqual([]);
    await hub.close();
  });
});

describe("retention", () => {
  it("removes what ended longer ago, also what a start finds, and nothing else", async () => {
    const { hub, clock, store, logged } = await openHub();
    const first = await post(hub, "first");
    const pending = await post(hub, "pending");
    await hub.answer(first, yes, ana);
    await clock.advance(10 * SECOND);
    const second = await post(hub, "second");
    await hub.answer(second, yes, ana);
    const stop = startRetention(hub, { retainMs: 5 * SECOND, clock, logger: console });
    const ids = async (): Promise<readonly string[]> => (await hub.list()).asks.map(({ id }) => id);
    await expect.poll(ids).toEqual([pending, second]);
    await clock.advance(4 * SECOND);
    expect(await ids()).toEqual([pending, second]);
    await clock.advance(4 * SECOND);
    await expect.poll(ids).toEqual([pending]);
    await stop();
    await clock.advance(20 * SECOND);
    expect((await store.asks.get(pending))?.status).toBe("pending");
    expect(logged).toEqual([]);
    await hub.close();
  });
});
