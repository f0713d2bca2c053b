import { describe, expect, it } from "vitest";
import type { Ask, AskEvent } from "../../src/index.js";
import { ana, codeOf, openHub, question, take, yes } from "./open-hub.js";

describe("events", () => {
  it("come from a position, then live, without gap or repeat", async () => {
    const { hub } = await openHub();
    const one = await hub.post({ questions: [question] });
    const reading = take(hub.events({ after: 0 }), 4);
    const two = await hub.post({ questions: [question] });
    await hub.answer(one.id, yes, ana);
    await hub.withdraw(two.id);
    const events = await reading;
    expect(events.map(({ position, type, askId }) => [position, type, askId])).toEqual([
      [1, "ask.created", one.id],
      [2, "ask.created", two.id],
      [3, "ask.answered", one.id],
      [4, "ask.withdrawn", two.id],
    ]);
    expect(events[2]).toMatchObject({
      by: ana.by,
      ask: { status: "answered", outcome: { kind: "answered" } },
    });
    expect((await take(hub.events({ after: 2 }), 2)).map(({ position }) => position)).toEqual([3, 4]);
  });

  it("come from now on where no position is given", async () => {
    const { hub } = await openHub();
    await hub.post({ questions: [question] });
    const reading = take(hub.events(), 1);
    // The stream takes its position when it is first read, which `take` has done by now.
    await hub.position();
    const two = await hub.post({ questions: [question] });
    expect((await reading)[0]?.askId).toBe(two.id);
  });

  it("come as many at once as are there, none of them empty", async () => {
    const { hub } = await openHub();
    const one = await hub.post({ questions: [question], session: "s1" });
    const stop = new AbortController();
    const batches = hub.eventBatches({ after: 0, filter: { session: "s1" }, signal: stop.signal });
    const reading = batches[Symbol.asyncIterator]();
    await hub.answer(one.id, yes, ana);
    const first = await reading.next();
    expect(first.value?.map(({ type }: AskEvent) => type)).toEqual(["ask.created", "ask.answered"]);
    const second = reading.next();
    await hub.post({ questions: [question], session: "s2" });
    const two = await hub.post({ questions: [question], session: "s1" });
    expect((await second).value?.map(({ askId }: AskEvent) => askId)).toEqual([two.id]);
    const end = reading.next();
    stop.abort();
    expect(await end).toEqual({ done: true, value: undefined });
  });

  it("pass through bursts larger than a page", async () => {
    const { hub } = await openHub();
    const reading = take(hub.events({ after: 0 }), 1_000);
    await Promise.all(
      Array.from({ length: 500 }, () =>
        hub.ask({ questions: [question] }, { signal: AbortSignal.timeout(1) }),
      ),
    );
    const positions = (await reading).map(({ position }) => position);
    expect(positions).toEqual(Array.from({ length: 1_000 }, (_, index) => index + 1));
  });

  it("can be limited to a session, an agent or a person", async () => {
    const { hub } = await openHub();
    await hub.post({ questions: [question], session: "s1" });
    const other = await hub.post({ questions: [question], session: "s2", agentId: "a2", recipients: ["bo"] });
    for (const filter of [{ session: "s2" }, { agentId: "a2" }]) {
      expect((await take(hub.events({ after: 0, filter }), 1))[0]?.askId).toBe(other.id);
    }
    await hub.post({ questions: [question], recipients: ["cy"] });
    const seen = await take(hub.events({ after: 0, filter: { person: "bo" } }), 2);
    expect(seen.map(({ ask }) => ask?.session)).toEqual(["s1", "s2"]);
  });

  it("end with the reader's signal", async () => {
    const { hub } = await openHub();
    const controller = new AbortController();
    const reading = hub.events({ signal: controller.signal })[Symbol.asyncIterator]().next();
    controller.abort();
    expect(await reading).toEqual({ done: true, value: undefined });
  });

  it("tell a reader whose position was removed to take a snapshot", async () => {
    const { hub, clock } = await openHub();
    const old = await hub.post({ questions: [question] });
    await hub.answer(old.id, yes, ana);
    const kept = await hub.post({ questions: [question] });
    await clock.advance(1_000);
    expect(await hub.prune({ settledBefore: clock.now() })).toEqual({ asks: 1, transcripts: 0 });
    expect(await codeOf(hub.get(old.id))).toBe("not_found");
    expect(await codeOf(take(hub.events({ after: 0 }), 1))).toBe("position_trimmed");
    expect(await codeOf(take(hub.events({ after: 1 }), 1))).toBe("position_trimmed");
    expect((await take(hub.events({ after: 2 }), 1))[0]?.askId).toBe(kept.id);
    expect((await hub.post({ questions: [question] })).status).toBe("pending");
    expect(await hub.position()).toBe(4);
  });

  it("tell a reader whose position is beyond the log, as one of a store before it was restored", async () => {
    const { hub } = await openHub();
    await hub.post({ questions: [question] });
    expect(await codeOf(take(hub.events({ after: 2 }), 1))).toBe("position_trimmed");
  });
});

describe("watch", () => {
  it("gives what is pending, then every change, the end included", async () => {
    const { hub } = await openHub();
    const one = await hub.post({ questions: [question], session: "s1" });
    await hub.post({ questions: [question], session: "s2" });
    const settled = await hub.post({ questions: [question], session: "s1" });
    await hub.withdraw(settled.id);
    const seen: Ask[] = [];
    const watching = (async () => {
      for await (const ask of hub.watch({ session: "s1" })) {
        seen.push(ask);
        if (seen.length === 1) await hub.answer(one.id, yes, ana);
        if (ask.status === "answered") break;
      }
    })();
    await watching;
    expect(seen.map(({ id, status }) => [id, status])).toEqual([
      [one.id, "pending"],
      [one.id, "answered"],
    ]);
  });
});
