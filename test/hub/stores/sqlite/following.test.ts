import { describe, expect, it } from "vitest";
import { createHub } from "../../../../src/hub/index.ts";
import { createSqliteStore } from "../../../../src/hub/stores/sqlite/sqlite-store.ts";
import { ana, question, take, yes } from "../../open-hub.ts";
import { newAsk, sqliteTests } from "./open-sqlite.ts";

const { open, path } = sqliteTests();
const post = { questions: [question] };

describe("who follows the events of a hub on SQLite", () => {
  it("gets the end of asks that were stored more than a thousand asks ago", async () => {
    const hub = await createHub({ store: createSqliteStore({ path: path() }) });
    const asks = await Promise.all(Array.from({ length: 1_100 }, () => hub.post(post)));
    const position = await hub.position();
    const reading = take(hub.events({ after: position }), 40);
    const ended = asks.filter((_, index) => index < 20 || index >= 1_080);
    await Promise.all(ended.map(({ id }) => hub.answer(id, yes, ana)));
    const events = await reading;
    expect(events.map((event) => event.position)).toEqual(
      Array.from({ length: 40 }, (_, index) => position + index + 1),
    );
    expect(new Set(events.map(({ askId }) => askId))).toEqual(new Set(ended.map(({ id }) => id)));
    for (const { ask } of events) expect(ask?.status).toBe("answered");
    await hub.close();
  });

  it("gets what a person opens while others ask and answer", async () => {
    const hub = await createHub({ store: createSqliteStore({ path: path() }) });
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

  it("gets what other stores write in between, in order, none missed and none twice", async () => {
    const hub = await createHub({ store: createSqliteStore({ path: path() }) });
    const { store: elsewhere } = await open();
    const reading = take(hub.events({ after: 0 }), 150);
    const here = async (): Promise<void> => {
      for (let count = 0; count < 75; count += 1) await hub.post(post);
    };
    const there = async (): Promise<void> => {
      for (let count = 0; count < 75; count += 1) await elsewhere.asks.insert(newAsk());
    };
    await Promise.all([here(), there()]);
    expect((await reading).map(({ position }) => position)).toEqual(
      Array.from({ length: 150 }, (_, index) => index + 1),
    );
    await hub.close();
  });
});

describe("a commit that restores an ask", () => {
  it("is reported by a call without events, though the rest of the commit is known", async () => {
    const { store } = await open();
    const calls: number[] = [];
    store.onCommit?.((events) => void calls.push(events.length));
    const { ask } = newAsk();
    await Promise.all([
      store.asks.insert(newAsk()),
      store.asks.restore({ ask, events: [{ at: 1_000, type: "ask.created" }] }),
    ]);
    expect(calls).toEqual([0]);
    await store.asks.restore({ ask, events: [{ at: 1_000, type: "ask.created" }] });
    expect(calls).toEqual([0]);
  });
});
