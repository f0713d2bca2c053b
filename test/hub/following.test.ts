import { describe, expect, it } from "vitest";
import { createHub, memoryStore, type Store } from "../../src/hub/index.js";
import type { AskEvent } from "../../src/index.js";
import { sharedMemoryHarness } from "../support/shared-memory-harness.js";
import { ana, openHub, question, take, yes } from "./open-hub.js";

const post = { questions: [question] };

/** One event after the other, at the reader's pace. */
function reader(events: AsyncIterable<AskEvent>): () => Promise<string> {
  const iterator = events[Symbol.asyncIterator]();
  return async () => {
    const { value } = await iterator.next();
    return `${value?.position} ${value?.type}`;
  };
}

/** How often the log is read. */
function countingReads(store: Store): { readonly store: Store; reads: number } {
  const counted = { store, reads: 0 };
  const logs: Store["logs"] = {
    ...store.logs,
    read(log, query) {
      counted.reads += 1;
      return store.logs.read(log, query);
    },
  };
  counted.store = { ...store, logs };
  return counted;
}

describe("who follows the events of this process", () => {
  it("gets them without reading the log, and as each ask then stood", async () => {
    const counted = countingReads(memoryStore());
    const { hub } = await openHub(counted.store);
    const next = hub.events({ after: 0 })[Symbol.asyncIterator]();
    const first = next.next();
    const one = await hub.post(post);
    expect((await first).value).toMatchObject({ position: 1, ask: { id: one.id } });
    const before = counted.reads;
    const { id } = await hub.post(post);
    await hub.answer(id, yes, ana);
    expect((await next.next()).value).toMatchObject({ position: 2, ask: { id, status: "pending" } });
    expect((await next.next()).value).toMatchObject({ position: 3, by: ana.by, ask: { status: "answered" } });
    expect(counted.reads).toBe(before);
    await hub.close();
  });

  it("gets what is not told at once, though it comes behind what is", async () => {
    const { hub } = await openHub();
    const next = reader(hub.events({ after: 0 }));
    const first = next();
    const { id } = await hub.post(post);
    expect(await first).toBe("1 ask.created");
    // Nobody reads meanwhile: both are there when the reader looks again.
    await hub.post(post);
    await hub.opened(id, ana);
    expect(await next()).toBe("2 ask.created");
    expect(await next()).toBe("3 ask.opened");
    await hub.close();
  });

  it("gets what is opened while others ask, all at once", async () => {
    const { hub } = await openHub();
    const asks = await Promise.all(Array.from({ length: 20 }, () => hub.post(post)));
    const reading = take(hub.events({ after: 20 }), 60);
    await Promise.all(
      asks.flatMap(({ id }) => [hub.opened(id, ana), hub.post(post), hub.answer(id, yes, ana)]),
    );
    const events = await reading;
    expect(events.map(({ position }) => position)).toEqual(Array.from({ length: 60 }, (_, at) => at + 21));
    expect(events.filter(({ type }) => type === "ask.opened")).toHaveLength(20);
    await hub.close();
  });

  it("gets what a store has left out, though it comes behind what was told", async () => {
    const inner = memoryStore();
    let leaveOut = false;
    const store: Store = {
      ...inner,
      onCommit: (listener) => inner.onCommit?.((events) => listener(leaveOut ? [] : events)) ?? (() => {}),
    };
    const { hub } = await openHub(store);
    const next = reader(hub.events({ after: 0 }));
    const first = next();
    const { id } = await hub.post(post);
    expect(await first).toBe("1 ask.created");
    await hub.post(post);
    leaveOut = true;
    await hub.answer(id, yes, ana);
    expect(await next()).toBe("2 ask.created");
    expect(await next()).toBe("3 ask.answered");
    await hub.close();
  });

  it("gets every event once when it is far behind", async () => {
    const { hub } = await openHub();
    const next = reader(hub.events({ after: 0 }));
    const first = next();
    await hub.post(post);
    await first;
    for (let count = 0; count < 700; count += 1) await hub.post(post);
    for (let position = 2; position <= 701; position += 1) {
      expect(await next()).toBe(`${position} ask.created`);
    }
    const live = next();
    await hub.post(post);
    expect(await live).toBe("702 ask.created");
    await hub.close();
  });
});

describe("who follows the events of two processes", () => {
  const twoHubs = async () => {
    const harness = sharedMemoryHarness();
    const store = await harness.open();
    const other = await harness.second?.(store);
    if (other === undefined) throw new Error("the harness shares nothing");
    const { clock } = harness;
    return {
      clock,
      here: await createHub({ store, clock }),
      there: await createHub({ store: other, clock }),
    };
  };

  it("gets all of them in order, none missed and none twice", async () => {
    const { clock, here, there } = await twoHubs();
    const reading = take(here.events({ after: 0 }), 60);
    for (let round = 0; round < 10; round += 1) {
      await here.post(post);
      await there.post(post);
      await there.post(post);
      await here.post(post);
      await here.post(post);
      if (round % 3 === 0) await clock.advance(20);
      await there.post(post);
    }
    await clock.advance(20);
    expect((await reading).map(({ position }) => position)).toEqual(
      Array.from({ length: 60 }, (_, index) => index + 1),
    );
    await here.close();
    await there.close();
  });

  it("gets another's, though it was noticed behind its own and nobody writes any more", async () => {
    const { clock, here, there } = await twoHubs();
    const next = reader(here.events({ after: 0 }));
    const first = next();
    await here.post(post);
    expect(await first).toBe("1 ask.created");
    await here.post(post);
    await there.post(post);
    await clock.advance(20);
    expect(await next()).toBe("2 ask.created");
    expect(await next()).toBe("3 ask.created");
    await here.close();
    await there.close();
  });
});
